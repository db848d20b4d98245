"""What an audit finds, as Python objects: the fields of the JSON, by the same names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Optional

from ._wording import counted


@dataclass(frozen=True)
class Side:
    """One side of an event: the part of the body, its mesh where the two differ, and the bones that intersect.

    >>> import supple
    >>> supple.Side("left hand", None, ("hand_l",), (7,)).body_part
    'left hand'
    """

    body_part: str
    mesh: Optional[str]
    bones: tuple[str, ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True)
class Moment:
    """An event in one frame: how many pairs of triangles intersect, and how deep.

    >>> import supple
    >>> supple.Moment(frame=12, pairs=61, depth=0.03).pairs
    61
    """

    frame: int
    pairs: int
    depth: float


@dataclass(frozen=True)
class Occurrence:
    """Frames of a clip in which an event goes on; `clip` is the place in the audit's clips.

    >>> import supple
    >>> supple.Occurrence(0, 15, 18, 4, 17, 0.02, ()).worst_frame
    17
    """

    clip: int
    first_frame: int
    last_frame: int
    frames: int
    worst_frame: int
    depth: float
    moments: tuple[Moment, ...]


@dataclass(frozen=True)
class Worst:
    """The frame in which an event is deepest: its point, the pairs of triangles that intersect, what each side loses.

    >>> import supple
    >>> supple.Worst(0, 17, (0.0, 1.0, 0.0), ((3508, 140),), ((), ())).frame
    17
    """

    clip: int
    frame: int
    point: tuple[float, float, float]
    triangles: tuple[tuple[int, int], ...]
    cut_off: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Event:
    """Two parts of a body that go through each other, in all frames of all clips. `class_` is the class: fault, hidden, ...

    >>> import supple
    >>> event = supple.audit("zoo:man", clips=["random"], fps=10).events[0]
    >>> event.name, event.class_, event.frames, [side.body_part for side in event.sides]
    ('left forearm into chest', 'fault', 2, ['left forearm', 'chest'])
    """

    id: str
    class_: str
    name: str
    sides: tuple[Side, Side]
    severity: float
    depth: float
    depth_percent: float
    rest_depth: float
    area: float
    seconds: float
    frames: int
    visibility: float
    worst: Worst
    occurrences: tuple[Occurrence, ...]
    status: str
    reason: Optional[str]
    why_worse: Optional[str]
    compared: Optional[str]
    hint: Optional[str]
    command: str

    def __repr__(self) -> str:
        return f"<supple.Event: {self.class_}, {self.name}, {self.depth_percent:.1f} % deep, in {counted(self.frames, 'frame')}>"


@dataclass(frozen=True)
class LeftOut:
    """What intersects and is in no event, for one reason: in how many frames, and the most pairs of triangles in one.

    >>> import supple
    >>> supple.LeftOut(frames=0, most_pairs=0).frames
    0
    """

    frames: int
    most_pairs: int


@dataclass(frozen=True)
class PlayedClip:
    """A clip that was played; the rest pose has an empty name and no number.

    `frames_with` counts frames by class, `left_out` has `other_meshes`, `other_bones`, `near_bones`, `hidden_bones`.

    >>> import supple
    >>> clip = supple.audit("zoo:man", clips=["random"], fps=10).clips[0]
    >>> clip.name, clip.frames, clip.frames_with["fault"]
    ('random', 61, 16)
    """

    name: str
    number: Optional[int]
    duration: float
    frames: int
    own_fps: Optional[float]
    frames_with: Mapping[str, int]
    left_out: Mapping[str, LeftOut]


def event_of(data: Mapping[str, Any]) -> Event:
    """An event of the JSON. Fields that are not known are passed over."""
    return Event(
        id=data["id"],
        class_=data["class"],
        name=data["name"],
        sides=(_side(data["sides"][0]), _side(data["sides"][1])),
        severity=data["severity"],
        depth=data["depth"],
        depth_percent=data["depth_percent"],
        rest_depth=data["rest_depth"],
        area=data["area"],
        seconds=data["seconds"],
        frames=data["frames"],
        visibility=data["visibility"],
        worst=_worst(data["worst"]),
        occurrences=tuple(_occurrence(occurrence) for occurrence in data["occurrences"]),
        status=data["status"],
        reason=data["reason"],
        why_worse=data["why_worse"],
        compared=data["compared"],
        hint=data["hint"],
        command=data["command"],
    )


def clip_of(data: Mapping[str, Any]) -> PlayedClip:
    """A clip of the JSON."""
    left_out = {why: LeftOut(pairs["frames"], pairs["most_pairs"]) for why, pairs in data["left_out"].items()}
    return PlayedClip(
        name=data["name"],
        number=data["number"],
        duration=data["duration"],
        frames=data["frames"],
        own_fps=data["own_fps"],
        frames_with=dict(data["frames_with"]),
        left_out=left_out,
    )


def _side(data: Mapping[str, Any]) -> Side:
    return Side(data["body_part"], data["mesh"], tuple(data["bones"]), tuple(data["nodes"]))


def _worst(data: Mapping[str, Any]) -> Worst:
    x, y, z = data["point"]
    first, second = data["cut_off"]
    return Worst(
        clip=data["clip"],
        frame=data["frame"],
        point=(x, y, z),
        triangles=tuple((a, b) for a, b in data["triangles"]),
        cut_off=(tuple(first), tuple(second)),
    )


def _occurrence(data: Mapping[str, Any]) -> Occurrence:
    return Occurrence(
        clip=data["clip"],
        first_frame=data["first_frame"],
        last_frame=data["last_frame"],
        frames=data["frames"],
        worst_frame=data["worst_frame"],
        depth=data["depth"],
        moments=tuple(Moment(m["frame"], m["pairs"], m["depth"]) for m in data["moments"]),
    )
