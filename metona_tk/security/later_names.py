"""Which names run later: facts about shells, version control, editors, desktops, schedulers, languages, builds.

All in lower case, as folded names are. Left out on purpose, since they are started on purpose: scripts, ordinary source
files, lists of packages. Counterpart: `later`.
"""

from __future__ import annotations


def _spread(kinds: dict[str, str]) -> dict[str, str]:
    return {name: kind for kind, names in kinds.items() for name in names.split()}


# A component of this name anywhere: the thing itself and all that is in it.
FOLDERS = _spread(
    {
        "git": ".git .githooks .husky .hg .jj .git-hooks .lefthook",
        "editor": ".vscode .vscode-server .vscode-oss .vscode-insiders .idea .fleet .vs .zed .nova .cursor "
        ".windsurf .claude .devcontainer .externaltoolbuilders .vim .emacs.d .atom .theia",
        "shell": ".oh-my-zsh .bashrc.d .bash_completion.d .zsh .zshrc.d .zsh.d .direnv .terminfo profile.d "
        "windowspowershell .ssh",
        "autostart": "autostart autostart-scripts launchagents launchdaemons startupitems xlstart .xmonad .i3 .fluxbox "
        ".icewm .awesome .kde .kde4 .xsession.d environment.d loginitems",
        "schedule": "cron.d cron.daily cron.hourly cron.weekly cron.monthly crontabs",
        "system": "init.d sudoers.d rc.d modprobe.d ld.so.conf.d",
        "python": "site-packages dist-packages .venv venv .tox .nox .ipython .jupyter",
        "build": "node_modules .cargo .rustup .mvn .gradle .circleci .buildkite .yarn .nvm .pyenv .rbenv .asdf "
        ".deno .bun .sdkman .volta .nodenv .goenv .jenv .linuxbrew",
        "config": ".config",
    }
)

# A name of the last component.
FILES = _spread(
    {
        "shell": ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .profile .zshrc "
        ".zprofile .zshenv .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc "
        ".environment .pam_environment .xprofile .xinitrc .xserverrc .xsession .xsessionrc .envrc "
        ".autoenv .autoenv.zsh .autoenv_leave.zsh mise.toml .mise.toml .tmux.conf .screenrc .lessfilter "
        ".mailcap .forward .procmailrc .muttrc .curlrc .wgetrc authorized_keys authorized_keys2 .rhosts "
        ".shosts .k5login autoexec.bat autorun.inf desktop.ini",
        "git": ".gitconfig .gitmodules .hgrc head .pre-commit-config.yaml .pre-commit-config.yml "
        ".pre-commit-hooks.yaml lefthook.yml lefthook.yaml .lefthook.yml .overcommit.yml .huskyrc "
        ".huskyrc.json .lintstagedrc .lintstagedrc.json .simple-git-hooks.json pre-commit pre-push "
        "pre-receive post-checkout post-commit post-merge post-rewrite post-update prepare-commit-msg "
        "commit-msg pre-rebase pre-merge-commit fsmonitor-watchman",
        "editor": ".vimrc .gvimrc .exrc .nvimrc .nvim.lua .lvimrc .local.vimrc .emacs .emacs.el .dir-locals.el "
        ".mcp.json .devcontainer.json .gitpod.yml .aider.conf.yml .gdbinit .lldbinit normal.dotm "
        "personal.xlsb vbaproject.otm",
        "schedule": "crontab .crontab anacrontab",
        "system": "rc.local inittab ld.so.preload sudoers .htaccess .user.ini web.config",
        "python": "conftest.py sitecustomize.py usercustomize.py setup.py setup.cfg pyproject.toml tox.ini "
        "pytest.ini noxfile.py pyvenv.cfg .pdbrc .pythonrc .pythonrc.py .pylintrc pylintrc .flake8 "
        "mypy.ini .mypy.ini .coveragerc jupyter_notebook_config.py jupyter_server_config.py",
        "build": "package.json makefile gnumakefile bsdmakefile justfile .justfile taskfile.yml taskfile.yaml "
        "cmakelists.txt meson.build sconstruct sconscript wscript configure configure.ac build.ninja "
        "build.rs cargo.toml rust-toolchain rust-toolchain.toml build.gradle build.gradle.kts "
        "settings.gradle settings.gradle.kts init.gradle gradle.properties gradlew gradlew.bat "
        "gradle-wrapper.properties gradle-wrapper.jar pom.xml mvnw mvnw.cmd build.xml build.sbt rakefile "
        "gemfile podfile fastfile vagrantfile dockerfile containerfile brewfile composer.json phpunit.xml "
        ".yarnrc .yarnrc.yml .pnpmfile.cjs bunfig.toml deno.json deno.jsonc .babelrc .babelrc.js "
        "turbo.json nx.json lerna.json angular.json flake.nix shell.nix default.nix mix.exs rebar.config "
        "project.clj deps.edn setup.hs package.swift directory.build.props directory.build.targets "
        "nuget.config .bazelrc module.bazel workspace.bazel .ghci .irbrc .pryrc .rprofile .renviron "
        ".ocamlinit .iex.exs .octaverc .sqliterc .psqlrc .rpmmacros .gemrc .gitlab-ci.yml .travis.yml "
        "jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml .drone.yml appveyor.yml .appveyor.yml "
        "cloudbuild.yaml .woodpecker.yml ansible.cfg .ansible.cfg compose.yml compose.yaml .eslintrc "
        ".prettierrc",
    }
)

# A pattern of the whole last component.
PATTERNS = (
    (r".*profile\.ps1", "shell"),
    (r".*\.pth", "python"),
    (r".*\.(desktop|lnk|scf|url|library-ms|searchconnector-ms)", "autostart"),
    (r".*\.code-workspace", "editor"),
    (r".*\.(mk|bazel|gemspec|csproj|vbproj|fsproj|vcxproj|pbxproj|xcscheme|targets)", "build"),
    (r"\.?[\w.-]+\.config\.[cm]?[jt]s", "build"),
    (r"\.(eslintrc|prettierrc|lintstagedrc|huskyrc|mocharc)\.[cm]?js", "build"),
    (r"(gulpfile|gruntfile|jakefile)(\.\w+)*", "build"),
    (r"(docker-)?compose\.[\w.-]+\.ya?ml|docker-compose\.ya?ml", "build"),
    (r"\.(bashrc|profile|bash_profile|zshrc|zshenv|zprofile)[.~].*", "shell"),  # zcompiled, or saved copies
)

_PLACES = (
    ("systemd/user", "autostart"),
    ("systemd/system", "autostart"),
    ("plasma-workspace/env", "autostart"),
    ("plasma-workspace/shutdown", "autostart"),
    ("programs/startup", "autostart"),
    ("start menu/programs", "autostart"),
    ("microsoft/word/startup", "autostart"),
    ("system32/tasks", "schedule"),
    ("spool/cron", "schedule"),
    ("udev/rules.d", "system"),
    ("documents/powershell", "shell"),
    (".local/bin", "shell"),
    (".local/lib", "python"),
    (".local/share/applications", "autostart"),
    (".local/share/dbus-1", "autostart"),
    (".local/share/gnome-shell", "autostart"),
    (".local/share/kservices5", "autostart"),
    (".local/share/nautilus", "autostart"),
    (".local/share/nvim", "editor"),
    (".local/share/plasma", "autostart"),
    (".local/share/systemd", "autostart"),
    ("home/*/bin", "shell"),
    ("home/*/go/bin", "shell"),
    ("users/*/bin", "shell"),
    ("users/*/go/bin", "shell"),
    ("root/bin", "shell"),
    ("microsoft/windowsapps", "shell"),
    ("localstate/settings.json", "shell"),
    ("code/user", "editor"),
    ("vscodium/user", "editor"),
    ("cursor/user", "editor"),
    (".github/workflows", "build"),
    (".github/actions", "build"),
    (".gitea/workflows", "build"),
    (".forgejo/workflows", "build"),
    ("library/application scripts", "autostart"),
    ("library/input methods", "autostart"),
    ("library/internet plug-ins", "autostart"),
    ("library/preferences", "autostart"),
    ("library/quicklook", "autostart"),
    ("library/scripts", "autostart"),
    ("library/services", "autostart"),
    ("library/workflows", "autostart"),
    ("contents/macos", "autostart"),
)


def _places() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for path, kind in _PLACES:
        place = tuple(path.split("/"))
        found.setdefault(place[0], []).append((place, kind))
    return {first: tuple(places) for first, places in found.items()}


# Components that follow one another anywhere, by the first of them.
PLACES = _places()
