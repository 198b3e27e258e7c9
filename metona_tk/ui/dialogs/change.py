"""The question whether a change may be made, with all of it to be seen: diff, tree, list of moves."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from typing import Literal

from metona_tk.i18n import tr
from metona_tk.protocol.changes import ChangePreview
from metona_tk.protocol.commands import AnswerApproval
from metona_tk.protocol.values import Decision
from metona_tk.ui import theme
from metona_tk.ui.chat.spans import Span
from metona_tk.ui.dialogs.change_facts import fill_facts, said_in_box
from metona_tk.ui.dialogs.facts import Facts
from metona_tk.ui.dialogs.head import add_head
from metona_tk.ui.dialogs.question import Question
from metona_tk.ui.dialogs.row_box import RowBox
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.previews import words
from metona_tk.ui.previews.boxes import box_rows, caption, whole_words
from metona_tk.ui.previews.exact import from_editor, to_editor
from metona_tk.ui.previews.tags import row_spans
from metona_tk.ui.visible import visible
from metona_tk.ui.widgets.entry import Entry
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.plain_dialog import SIZE, place_over
from metona_tk.ui.widgets.soon import Soon

Side = Literal["top", "bottom"]
SHORT = (880, 340)  # px, where there is no box


class ChangeDialog(Question):
    """Asks once and calls `answer` once, then closes."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        call_id: str,
        preview: ChangePreview,
        answer: Callable[[AnswerApproval], object],
        clock: Callable[[], float] = time.monotonic,
        chat: str = "",
    ) -> None:
        super().__init__(master, fonts, words.title(preview), clock)
        self._call_id, self.preview, self._answer = call_id, preview, answer
        self._whole = False
        self._check_soon = Soon(self, self._check)
        self.box: RowBox | None = None
        self.name: Entry | None = None
        self._foot()
        add_head(
            self,
            words.icon_of(preview),
            words.RISK_TOKENS[preview.risk],
            words.title(preview),
            words.risk_spans(preview),
        )
        self.facts = Facts(self, fonts)
        fill_facts(self.facts, preview, chat)
        self.facts.pack(fill="x", padx=(fonts.px(20), fonts.px(8)), pady=(fonts.px(10), fonts.px(6)))
        self._fill()
        self.listen()
        if self.box is not None:
            self.box.listen_for_scrolling(self, self.writing)
        self._check()
        place_over(self, master.winfo_toplevel(), fonts, SIZE if self.box else SHORT)
        self.deiconify()
        # Not focus_force: the window manager decides whether we may take the keyboard from another program.
        self.deny_button.focus_set()

    # Building

    def _foot(self) -> None:
        px, foot = self.fonts.px, self.make_foot()
        self.edit_button: FocusButton | None = None
        if self.preview.editable is not None:
            self.edit_button = FocusButton(
                foot, self.fonts, tr("Edit…"), self._edit, kind="outline", ground="surface-0", icon="pencil"
            )
            self.edit_button.pack(side="left", padx=(px(16), 0), pady=px(9))
        self.reason = Entry(
            foot,
            self.fonts,
            placeholder=tr("Reason for denying (optional)"),
            ground="surface-0",
            width=224,
        )
        for key in ("<Return>", "<KP_Enter>"):
            self.reason.entry.bind(key, lambda _event: self._deny_with_reason())
        deletes = any(item.action == "delete" for item in self.preview.items)
        self.make_buttons(
            foot,
            words.allow_words(self.preview),
            tr("Deny"),
            kind="danger" if deletes else "outline",
            icon="trash" if deletes else "",
        )
        self.reason.pack(side="left", padx=(px(8 if self.edit_button else 20), px(24)))

    def _fill(self) -> None:
        preview = self.preview
        if preview.read_before:
            self._say("warning", words.read_spans(preview), ("warn-bg", "warn-line", "warn"), "top")
        if preview.must_type:
            self._pack(self._name_row(), "bottom")
        if undo := words.undo_spans(preview):
            if preview.undo == "none":
                self._say("warning", undo, ("danger-bg", "danger-line", "danger"), "bottom")
            else:
                self._say("undo", undo, ("surface-2", "line-2", "text-2"), "bottom")
        self._fill_box()

    def _say(self, picture: str, spans: list[Span], look: tuple[str, str, str], side: Side) -> None:
        self._pack(said_in_box(self, self.fonts, picture, spans, look), side)

    def _pack(self, part: tk.Frame, side: Side) -> None:
        part.pack(side=side, fill="x", padx=self.fonts.px(20), pady=self.fonts.px(6))

    def _name_row(self) -> tk.Frame:
        row = tk.Frame(self, borderwidth=0)
        theme.paint(row, background="surface-1")
        said = tr("Type {name} to allow it:", name=visible(self.preview.must_type))
        label = tk.Label(row, text=said, font=self.fonts["ui"], borderwidth=0, padx=0)
        theme.paint(label, background="surface-1", foreground="text-1")
        label.pack(side="left", padx=(0, self.fonts.px(8)))
        self.name = Entry(row, self.fonts, font="path", changed=lambda _text: self._check_soon())
        self.name.pack(side="left", fill="x", expand=True)
        return row

    def _fill_box(self) -> None:
        rows = box_rows(self.preview)
        if not rows:
            return
        px = self.fonts.px
        self.box = RowBox(self, self.fonts, self._check, self._toggle_whole)
        self.box.pack(fill="both", expand=True, padx=px(20), pady=(px(6), 0))
        self.box.show(row_spans(rows))
        self.box.offer(whole_words(self.preview, False))

    # What the user does

    def _deny_with_reason(self) -> str:
        self._deny()
        return "break"  # the window, whose own keys would be next, may be gone

    def _toggle_whole(self) -> None:
        if self.box is None or self.box.editor is not None or not whole_words(self.preview, self._whole):
            return
        self._whole = not self._whole
        self.box.show(row_spans(box_rows(self.preview, self._whole)))
        self._check()

    def _edit(self) -> None:
        """Change the new text; once more: have it back as it was."""
        if not self.armed or self.edit_button is None or self.box is None:
            return
        if self.box.editor is None:
            editor = self.box.edit(to_editor(self.preview.editable or ""), self._check)
            self.edit_button.set_text(tr("Reset"))
            self.edit_button.set_icon("undo")
            editor.text.focus_set()
        else:
            self.box.close_editor()
            self.edit_button.set_text(tr("Edit…"))
            self.edit_button.set_icon("pencil")
        self._check()

    @property
    def edited(self) -> str | None:
        """The text as the user changed it; None while it is as it was shown."""
        if self.box is None or self.box.editor is None:
            return None
        original = self.preview.editable or ""
        text = from_editor(self.box.editor.get(), original)
        return text if text != original else None

    # Whether it may be allowed

    def _why_not(self) -> str:
        if self.box is not None and not self.box.watch.seen:
            return tr("Scroll to the end first")
        if self.name is not None and self._typed() != self.preview.must_type:
            return tr("Type the name first")
        return ""

    def _typed(self) -> str:
        """The name as it was typed; what no keyboard has may be typed as it is shown."""
        return from_editor(self.name.get(), "") if self.name is not None else ""

    def may_allow(self) -> bool:
        return not self._why_not()

    def say_why_not(self) -> None:
        self._check()

    def _check(self) -> None:
        """Show whether it may be allowed by now, and what the box shows."""
        why = self._why_not()
        if self.allow_button.enabled == bool(why):
            self.allow_button.set_enabled(not why)
        if self.box is None:
            return
        self.box.warn(why)
        if self.box.editor is not None:
            self.box.say(tr("edited by you") if self.edited is not None else tr("Change it as you like"))
            self.box.offer("")
        else:
            self.box.say(caption(self.preview, self._whole))
            self.box.offer(whole_words(self.preview, self._whole))

    def allowed(self) -> None:
        self._reply(Decision.ALLOW, text=self.edited, typed=self._typed())

    def denied(self) -> None:
        self._reply(Decision.DENY, reason=self.reason.get().strip())

    def _reply(self, decision: Decision, reason: str = "", text: str | None = None, typed: str = "") -> None:
        after = self.after_ms
        self.destroy()
        self._answer(AnswerApproval(self._call_id, decision, reason, self.preview.digest, text, typed, after))
