"""OLLAMA_HOST as Ollama reads it (envconfig/config.go): no scheme means :11434, http :80, https :443."""

from __future__ import annotations

import ipaddress
import os
from urllib.parse import urlsplit

from metona_tk.protocol.problems import ProblemCode, ProblemError

DEFAULT = "http://127.0.0.1:11434"


def server_address(given: str = "") -> str:
    """The base address ("http://127.0.0.1:11434", no slash at the end): a setting, else OLLAMA_HOST, else the default.

    Addresses that mean "everywhere" are reached on this computer. Raises ProblemError(bad_address).
    """
    text = (given or os.environ.get("OLLAMA_HOST", "")).strip().strip("\"'").strip()
    if not text:
        return DEFAULT
    scheme, has_scheme, rest = text.partition("://")
    if not has_scheme:
        scheme, rest = "http", text
    default = {"http": 80, "https": 443}.get(scheme.lower()) if has_scheme else 11434
    if default is None:
        raise ProblemError(ProblemCode.BAD_ADDRESS, address=text[:200])
    rest = _bracketed(rest)
    if rest.startswith(":"):
        rest = "127.0.0.1" + rest
    try:
        parts = urlsplit(f"{scheme}://{rest}")
        host, port = parts.hostname or "", parts.port or default
    except ValueError as error:
        raise ProblemError(ProblemCode.BAD_ADDRESS, address=text[:200]) from error
    if not host or any(char.isspace() for char in host) or parts.query or parts.username:
        raise ProblemError(ProblemCode.BAD_ADDRESS, address=text[:200])
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme.lower()}://{shown}:{port}{parts.path.rstrip('/')}"


def _bracketed(rest: str) -> str:
    """An IPv6 address without brackets gets them, so that its colons are no port."""
    try:
        return f"[{ipaddress.IPv6Address(rest)}]"
    except ValueError:
        return rest


def is_loopback(address: str) -> bool:
    """Whether the server is on this computer: then proxies are ignored, and nothing leaves the machine."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
