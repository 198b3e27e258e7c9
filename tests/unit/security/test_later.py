"""Which files run by themselves: every kind and many spellings, and what must stay unasked."""

from __future__ import annotations

import pytest

from metona_tk.security.later import runs_later, tree_runs_later

RUNS = {
    "shell": ".bashrc .bash_profile .bash_login .profile .zshrc .zprofile .zshenv .zlogin .kshrc .xprofile .xinitrc "
    ".xsessionrc .inputrc .envrc sub/.envrc .direnv/lib.sh authorized_keys .ssh/config x/.ssh/rc "
    "Documents/PowerShell/Microsoft.PowerShell_profile.ps1 Microsoft.PowerShell_profile.ps1 profile.ps1 "
    "WindowsPowerShell/x.ps1 /home/u/.local/bin/ls /home/u/bin/ls /Users/u/bin/ls .tmux.conf autorun.inf .zshrc.zwc "
    "mise.toml .BASHRC .Profile .bashrc. .bash\u200brc \uff0ebashrc .ba\u017fhrc .b\u00adashrc BASHRC~1 bash_p~1",
    "git": ".git .git/hooks/pre-commit .git/config a/b/.git a/.git/info/exclude .git/modules/x/hooks/post-checkout "
    ".githooks/pre-push .husky/pre-commit .hg/hgrc .gitconfig .gitmodules .pre-commit-config.yaml hooks/post-checkout "
    "bare.git/config bare.git/hooks/post-update HEAD sub/HEAD lefthook.yml .GIT/config .Git .gi\u200dt/hooks/x "
    ".g\u0131t/../.git git~1 GIT~1/config .git./config .\uff47\uff49\uff54/config a\\.git\\config",
    "editor": ".vscode/tasks.json .vscode/settings.json .vscode/launch.json .vscode/mcp.json .idea/workspace.xml "
    ".idea .vimrc .exrc .nvim.lua .emacs .emacs.d/init.el .dir-locals.el x.code-workspace .devcontainer.json "
    ".devcontainer/devcontainer.json .claude/settings.json .mcp.json .zed/tasks.json .VSCODE/Tasks.json vscode~1/a "
    "AppData/Roaming/Code/User/settings.json .gdbinit",
    "autostart": "autostart/x.desktop x.desktop systemd/user/x.service Library/LaunchAgents/x.plist "
    "Library/LaunchDaemons/x.plist AppData/Roaming/Microsoft/Windows/Start_Menu/Programs/Startup/x.bat "
    "Programs/Startup/x.vbs .local/share/applications/x.desktop .local/share/dbus-1/services/x.service x.lnk "
    "x.scf LAUNCH~1/x.plist",
    "schedule": "crontab cron.d/x /var/spool/cron/u cron.daily/x",
    "python": "x.pth lib/site-packages/x.py conftest.py a/b/conftest.py sitecustomize.py usercustomize.py setup.py "
    "pyproject.toml .venv/bin/python venv/bin/activate Conftest.PY sitecu~1.py usercu~2.py .pylintrc",
    "build": "package.json Makefile makefile GNUmakefile sub/Makefile Justfile build.rs Cargo.toml .cargo/config.toml "
    ".github/workflows/ci.yml .gitlab-ci.yml Jenkinsfile webpack.config.js vite.config.ts .eslintrc.js gulpfile.js "
    "CMakeLists.txt node_modules/x/index.js pom.xml build.gradle.kts Gemfile Dockerfile docker-compose.yml "
    "composer.json rules.mk x.csproj .yarnrc.yml PACKAG~1.JSO MAKEFILE",
    "config": ".config/fish/config.fish .config/autostart/x.desktop .config/git/config /home/u/.config/x .CONFIG/x",
}
ORDINARY_TEXT = """
a.txt notes.md README.md todo.txt report.docx budget-2024.xlsx photo.jpg main.py app.js index.html style.css
data.json config.json settings.json tasks.json launch.json config config.txt git.md git/notes.md github.txt
hooks.md hooks/readme.md make.txt makefile.md how-to-makefile.txt package.md package.json.md profile.md profile.txt
profile.jpg startup.md startup/pitch.md autostart.md cron.txt crontab.txt desktop.md url.txt path.txt x.path.txt
src/config.py src/main.rs src/lib.rs tests/test_a.py test.sh run.sh deploy.ps1 start.bat setup.md setup.txt
requirements.txt environment.md bin/notes.txt local/bin.txt vscode.md idea.md ideas/idea.txt build.md build/out.txt
docker.md compose.md compose.txt head.md header.html HEADER.txt login.txt logout.md bashrc.txt zshrc.md
envrc.txt .gitignore .gitattributes .editorconfig .gitkeep .dockerignore LICENSE CHANGELOG.md notes~1.txt gitter~1.txt
a~b.txt backup~ letter.doc~ 2024/03/bill.pdf music/song.mp3 vacation/Paris.png Users/list.csv users/u/notes.txt
home/u/notes.txt programs/list.txt startup fish/recipe.md workflows/plan.md systemd.md library/books.txt
library/cats.md code/user.txt documents/letter.txt contents/chapter.md pre-commit.md post-checkout.txt path.pth.txt
\u62a5\u544a.docx \u4f1a\u8bae\u8bb0\u5f55.md r\u00e9sum\u00e9.pdf \u041e\u0442\u0447\u0451\u0442.txt \U0001f600.png
justfile.txt Gemfile.md pom.txt cargo.md key.txt main.go go.mod server.conf nginx.conf query.sql
"""
ORDINARY = ORDINARY_TEXT.split()


@pytest.mark.parametrize("kind", sorted(RUNS))
def test_what_runs_later_is_told_with_its_kind(kind: str) -> None:
    for name in RUNS[kind].split():
        path = name.replace("Start_Menu", "Start Menu")
        assert runs_later(path) == kind, path
        assert runs_later(f"/work/R/{path.lstrip('/')}") is not None
        assert runs_later(path.split("/")) == kind
        assert runs_later(path + " ") == runs_later(path + ".") == kind


def test_ordinary_names_are_left_alone() -> None:
    assert len(ORDINARY) >= 100
    assert [name for name in ORDINARY if runs_later(name) or runs_later(f"/work/R/{name}")] == []


def test_nothing_is_no_file() -> None:
    assert runs_later("") is None
    assert runs_later("/") is None
    assert runs_later([]) is None


def test_a_folder_counts_with_what_is_in_it() -> None:
    assert tree_runs_later("/work/R/docs", ["a.txt", "b/c.md"]) is None
    assert tree_runs_later("/work/R/docs", ["a.txt", "b/.git/config"]) == "git"
    assert tree_runs_later("/work/R/.git/hooks", []) == "git"
    assert tree_runs_later("/home/u/.local", ["bin/ls"]) == "shell"
    assert tree_runs_later("/home/u/x.git", ["hooks/update"]) == "git"
