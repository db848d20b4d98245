"""Numbers of audits as sentences that cannot be misread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ._audit_options import CLASSES

REASONS = {
    "other_meshes": "other meshes",
    "other_bones": "other bones",
    "near_bones": "near bones",
    "hidden_bones": "hidden bones",
}


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "fault"), counted(1200, "fault"), counted(0, "hidden", "hidden")
    ('1 fault', '1,200 faults', 'no hidden')
    """
    number = f"{count:,}" if count else "no"
    return f"{number} {one if count == 1 else many or one + 's'}"


def counted_class(count: int, name: str) -> str:
    """Events of a class: 2 hidden, 1 graze."""
    return counted(count, name, name if name in ("hidden", "layered") else name + "s")


def audit_sentence(
    counts: Mapping[str, int], frames: int, clips: int, left_out: Mapping[str, int], missing: Sequence[str]
) -> str:
    """What an audit found. It says clean only if nothing intersects and nothing was left out.

    >>> audit_sentence({"fault": 3, "crease": 6}, 61, 1, {"near_bones": 4}, [])
    '3 faults in 61 frames of 1 clip; also 6 creases; left out: near bones in 4 frames'
    >>> audit_sentence({}, 61, 1, {}, [])
    'clean, nothing intersects in 61 frames of 1 clip'
    """
    where = f"in {counted(frames, 'frame')} of {counted(clips, 'clip')}"
    others = [counted_class(counts[name], name) for name in CLASSES[1:] if counts.get(name, 0)]
    if not any(counts.values()) and not left_out and not missing:
        return f"clean, nothing intersects {where}"
    faults = counts.get("fault", 0)
    text = f"{counted(faults, 'fault')} {where}"
    if others:
        text += ("; also " if faults else ", but ") + ", ".join(others)
    if left_out:
        reasons = (f"{REASONS.get(why, why)} in {counted(n, 'frame')}" for why, n in left_out.items())
        text += "; left out: " + ", ".join(reasons)
    if missing:
        text += "; not in the file: " + ", ".join(missing)
    return text
