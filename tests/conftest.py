from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("quick", max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("soak" if os.environ.get("METONA_TK_SOAK") else "quick")

_WORKER, _SCREENS = os.environ.get("PYTEST_XDIST_WORKER", ""), os.environ.get("METONA_TK_SCREENS", "").split()
if _WORKER and _SCREENS:
    os.environ["DISPLAY"] = _SCREENS[int(_WORKER.removeprefix("gw")) % len(_SCREENS)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("METONA_TK_SOAK"):
        for item in items:
            if item.get_closest_marker("timeout") is None:
                item.add_marker(pytest.mark.timeout(1800))  # thousands of examples take longer than a quick run's
    else:
        long = pytest.mark.skip(reason="only with --soak")
        for item in items:
            if "soak" in item.keywords:
                item.add_marker(long)


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches the settings of whoever runs it, and the language is English until a test says otherwise."""
    from metona_tk import i18n

    monkeypatch.setenv("METONA_TK_HOME", str(tmp_path_factory.mktemp("metona-home")))
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    i18n.set_language("en")
