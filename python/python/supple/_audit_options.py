"""What an audit looks at: checked once, then a text that every worker gets."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Optional, Union

CLASSES = ("fault", "hidden", "graze", "crease", "layered")
"""Classes of events, the worst first."""

SKINNINGS = ("linear", "dual", "spherical")


def audit_options(
    *,
    fps: float,
    clips: Optional[Iterable[Union[str, int]]],
    skinning: str,
    bones: Optional[Iterable[Sequence[str]]],
    bones_apart: int,
    between: Optional[Union[str, Sequence[str]]],
    min_depth: Union[str, float],
    min_frames: int,
    classes: Union[str, Iterable[str]],
    hints: bool,
) -> str:
    """Options of an audit as JSON; equal options make equal texts. A mistake names the argument.

    >>> text = audit_options(fps=30, clips=None, skinning="linear", bones=None, bones_apart=0, between=None,
    ...                      min_depth="0.25%", min_frames=1, classes="fault", hints=False)
    >>> json.loads(text)["fps"]
    30.0
    """
    if skinning not in SKINNINGS:
        raise ValueError(f"skinning: expected one of {', '.join(SKINNINGS)}, not {skinning!r}")
    if not isinstance(hints, bool):
        raise TypeError(f"hints: expected True or False, not {hints!r}")
    options = {
        "fps": _positive("fps", fps),
        "skinning": skinning,
        "clips": None if clips is None else _clips(clips),
        "bones": [] if bones is None else _pairs(bones),
        "bones_apart": _count("bones_apart", bones_apart, 0),
        "between": None if between is None else _names(between),
        "min_depth": _depth(min_depth),
        "min_frames": _count("min_frames", min_frames, 1),
        "classes": _classes(classes),
        "hints": hints,
    }
    return json.dumps(options, sort_keys=True)


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"{name}: expected a number, not {value!r}")
    return float(value)


def _positive(name: str, value: object) -> float:
    number = _number(name, value)
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{name}: expected a number above 0, not {value!r}")
    return number


def _count(name: str, value: object, least: int) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: expected a whole number, not {value!r}")
    count = int(value.__index__())
    if count < least:
        raise ValueError(f"{name}: expected {least} or more, not {count}")
    return count


def _list(name: str, values: object) -> list[object]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"{name}: expected a list, not {values!r}")
    return list(values)


def _clips(clips: object) -> list[str]:
    chosen = []
    for clip in _list("clips", clips):
        if isinstance(clip, bool) or not isinstance(clip, (str, int)):
            raise TypeError(f"clips: expected names or numbers of clips, not {clip!r}")
        chosen.append(str(clip))
    if not chosen:
        raise ValueError("clips: the list is empty; None means all clips")
    return chosen


def _pairs(pairs: object) -> list[list[str]]:
    checked = []
    for pair in _list("bones", pairs):
        names = pair.split(":") if isinstance(pair, str) else _list("bones", pair)
        if len(names) != 2 or not all(isinstance(name, str) and name for name in names):
            raise ValueError(f"bones: expected pairs of names like (\"LeftHand+\", \"Spine\"), not {pair!r}")
        checked.append([str(name) for name in names])
    return checked


def _names(names: object) -> str:
    """Meshes or materials with commas between them."""
    listed = names.split(",") if isinstance(names, str) else _list("between", names)
    if len(listed) < 2 or not all(isinstance(name, str) and name for name in listed):
        raise ValueError(f"between: expected two names or more like (\"body\", \"shirt\"), not {names!r}")
    return ",".join(str(name) for name in listed)


def _depth(depth: object) -> str:
    expected = f"min_depth: expected percent of the size like \"0.5%\", or a length of 0 or more, not {depth!r}"
    is_percent = isinstance(depth, str) and depth.endswith("%")
    try:
        number = float(str(depth)[:-1]) if is_percent else _number("min_depth", depth)
    except (ValueError, TypeError) as error:
        raise type(error)(expected) from None
    if not (math.isfinite(number) and number >= 0):
        raise ValueError(expected)
    return f"{number:g}%" if is_percent else repr(number)


def _classes(classes: object) -> list[str]:
    named = classes.split(",") if isinstance(classes, str) else _list("classes", classes)
    for name in named:
        if name not in CLASSES and name != "all":
            raise ValueError(f"classes: expected {', '.join(CLASSES)} or all, not {name!r}")
    if not named:
        raise ValueError("classes: the list is empty")
    return [name for name in CLASSES if name in named or "all" in named]
