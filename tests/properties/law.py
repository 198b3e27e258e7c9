"""The law of the stream of events, as a check. Counterpart: the docstring of metona_tk.protocol.events."""

from __future__ import annotations

from collections.abc import Iterable

from metona_tk.protocol.events import (
    ApprovalAnswered,
    ApprovalRequested,
    EngineStopped,
    Event,
    QuestionAnswered,
    QuestionAsked,
    StateChanged,
    ToolFinished,
    ToolStarted,
    TurnDeleted,
    TurnFinished,
    TurnStarted,
)


def check_law(events: Iterable[Event]) -> None:
    """Raise AssertionError where a stream, from the start to EngineStopped, breaks the law."""
    begun: set[str] = set()
    ended: set[str] = set()
    tools: dict[str, tuple[str, bool]] = {}  # call -> (turn, open)
    asked: dict[str, bool] = {}  # call -> open
    questions: dict[str, tuple[str, bool]] = {}  # question -> (turn, open)
    states: dict[str, object] = {}
    stopped = False
    for event in events:
        assert not stopped, f"{event} after the end"
        turn = getattr(event, "turn_id", None)
        if turn is not None and not hasattr(event, "command") and not isinstance(event, TurnDeleted):
            assert turn not in ended, f"{event} after its turn ended"
            if not isinstance(event, (TurnStarted, StateChanged)):
                assert turn in begun, f"{event} before its turn began"
        match event:
            case TurnStarted():
                assert event.turn_id not in begun
                begun.add(event.turn_id)
            case TurnFinished():
                assert not [call for call, (owner, is_open) in tools.items() if owner == turn and is_open]
                assert not [each for each, (owner, is_open) in questions.items() if owner == turn and is_open]
                ended.add(event.turn_id)
            case StateChanged():
                assert states.get(event.turn_id) is not event.state
                states[event.turn_id] = event.state
            case ToolStarted():
                assert event.call_id not in tools
                tools[event.call_id] = (event.turn_id, True)
            case ToolFinished():
                assert tools[event.call_id] == (event.turn_id, True)
                assert not asked.get(event.call_id, False)
                tools[event.call_id] = (event.turn_id, False)
            case ApprovalRequested():
                assert tools[event.call_id] == (event.turn_id, True)
                assert not asked.get(event.call_id, False)
                asked[event.call_id] = True
            case ApprovalAnswered():
                assert asked[event.call_id]
                asked[event.call_id] = False
            case QuestionAsked():
                assert event.question_id not in questions
                assert len(event.choices) > 1
                questions[event.question_id] = (event.turn_id, True)
            case QuestionAnswered():
                assert questions[event.question_id] == (event.turn_id, True)
                questions[event.question_id] = (event.turn_id, False)
            case TurnDeleted():
                assert event.turn_id in ended, f"{event} of a turn that runs"
            case EngineStopped():
                stopped = True
            case _:
                pass
    assert stopped
    assert begun == ended
