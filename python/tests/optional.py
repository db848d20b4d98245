"""What tests need beside supple: it may be missing on somebody's machine, but not where changes are checked."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

import pytest


def needed(module: str) -> Any:
    """A module; without it a test is skipped, or fails where CI is set."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return _missing(f"{module} is not installed")


def asset(name: str) -> Path:
    """A file in the folder of real models, likewise."""
    folder = os.environ.get("SUPPLE_ASSETS")
    if folder and Path(folder, name).exists():
        return Path(folder, name)
    return _missing(f"SUPPLE_ASSETS is {folder!r}, where there is no {name}")


def command() -> str:
    """The command `supple`, likewise."""
    return os.environ.get("SUPPLE_COMMAND") or _missing("SUPPLE_COMMAND does not name the command supple")


def _missing(what: str) -> Any:
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what, allow_module_level=True)
