"""The yardstick: a plain loop over the same tools, with bare results and no help. Counterpart: `ours`."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import requests

from tests.evals.outcome import SECONDS, Outcome, Setup, run

SYSTEM = "You are a helpful assistant that can use tools to work with the user's files in the current folder."
OPTIONS = {"temperature": 0.7, "num_ctx": 24576}
ROUNDS = 10
LONGEST_RESULT = 20_000

Json = dict[str, Any]


class Failed(Exception):
    """The server or the program did not answer as expected."""


def session() -> requests.Session:
    """Without proxies: the server is near."""
    made = requests.Session()
    made.trust_env = False
    return made


def ask(question: str, folder: Path, setup: Setup, home: Path) -> Outcome:
    """Let the model call tools until it says something without calling any."""
    outcome, begun = Outcome(), time.monotonic()
    with session() as http:
        try:
            _loop(question, folder, setup, home, http, outcome, begun + SECONDS)
        except (Failed, requests.RequestException) as failure:
            outcome.note = f"{type(failure).__name__}: {failure}"[:400]
    outcome.seconds = time.monotonic() - begun
    return outcome


def _loop(
    question: str, folder: Path, setup: Setup, home: Path, http: requests.Session, outcome: Outcome, until: float
) -> None:
    tools = schema(setup, home)
    offered = {tool["function"]["name"] for tool in tools}
    messages: list[Json] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": question}]
    for _ in range(ROUNDS):
        message = _chat(http, setup, messages, tools, until)
        calls = message.get("tool_calls") or written_calls(message.get("content") or "", offered)
        if not calls:
            outcome.answer = (message.get("content") or "").strip()
            return
        content = message.get("content") or "" if message.get("tool_calls") else ""
        messages.append({"role": "assistant", "content": content, "tool_calls": calls})
        for call in calls:
            messages.append(_call(call, folder, setup, home, outcome, until))
    outcome.note = f"no answer in {ROUNDS} rounds"


def schema(setup: Setup, home: Path) -> list[Json]:
    """The tools as the program offers them."""
    out, err, code = run([*setup.program, "tools", "schema"], home, 60)
    if code != 0:
        raise Failed(f"tools schema: exit {code}: {err.strip()[-200:]}")
    return json.loads(out)


def _chat(http: requests.Session, setup: Setup, messages: list[Json], tools: list[Json], until: float) -> Json:
    body = {"model": setup.model, "messages": messages, "tools": tools, "stream": False, "options": OPTIONS}
    left = until - time.monotonic()
    if left <= 0:
        raise Failed(f"no end after {SECONDS} s")
    answer = http.post(f"{setup.host}/api/chat", json=body, timeout=(5, left))
    if answer.status_code != 200:
        raise Failed(f"status {answer.status_code}: {answer.text[:200]}")
    return answer.json()["message"]


def _call(call: Json, folder: Path, setup: Setup, home: Path, outcome: Outcome, until: float) -> Json:
    name, arguments = call["function"]["name"], call["function"].get("arguments") or {}
    command = [*setup.program, "tools", "run", name, json.dumps(arguments, ensure_ascii=False), *setup.allowed]
    out, err, code = run([*command, "--folder", str(folder)], home, until - time.monotonic())
    if code is None:
        raise Failed(f"no end after {SECONDS} s")
    result = out.strip() or json.dumps({"success": False, "error": err.strip()[-300:]})
    outcome.calls.append({"name": name, "arguments": arguments, "by_program": False, "result": result[:LONGEST_RESULT]})
    paired = {"tool_call_id": call["id"]} if call.get("id") else {}
    return {"role": "tool", "content": result[:LONGEST_RESULT], "tool_name": name} | paired


def written_calls(content: str, offered: set[str]) -> list[Json]:
    """Calls that were written as text, where the whole reply is nothing else: fenced, tagged or bare JSON."""
    text = content.strip()
    blocks = re.findall(r"```(?:json)?\s*(.*?)```", text, re.DOTALL) or re.findall(
        r"<tool_call>\s*(.*?)\s*</tool_call>", text, re.DOTALL
    )
    rest = re.sub(r"```(?:json)?.*?```|<tool_call>.*?</tool_call>", "", text, flags=re.DOTALL).strip()
    if blocks and rest:
        return []
    found: list[Any] = []
    for block in blocks or [text]:
        try:
            value = json.loads(block)
        except ValueError:
            return []
        found += value if isinstance(value, list) else [value]
    calls = [_written(item, offered) for item in found]
    return [call for call in calls if call] if all(calls) else []


def _written(item: Any, offered: set[str]) -> Json | None:
    if not isinstance(item, dict) or item.get("name") not in offered:
        return None
    arguments = item.get("arguments", item.get("parameters", {}))
    return {"function": {"name": item["name"], "arguments": arguments}} if isinstance(arguments, dict) else None
