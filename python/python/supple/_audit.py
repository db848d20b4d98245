"""One audit: where a character goes through itself, in every frame of every clip."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Callable, Optional, Union

from . import _native
from ._audit_options import CLASSES, audit_options
from ._event import Event, PlayedClip, clip_of, event_of
from ._wording import audit_sentence
from ._write import write_whole

Source = Union[str, "os.PathLike[str]", _native.Model, _native.Shape]
"""A file, `zoo:man`, a model or a shape."""


class Audit:
    """What `supple.audit` found in one character.

    >>> import supple
    >>> audit = supple.audit("zoo:man", clips=["random"], fps=10)
    >>> audit
    Audit of zoo:man: 7 faults in 61 frames of 1 clip; also 3 grazes, 8 creases
    >>> audit.faults[0].name
    'left forearm into chest'
    """

    def __init__(self, data: Mapping[str, Any], report: Optional[_native.Report] = None) -> None:
        self._data = data
        self._file: Mapping[str, Any] = data["files"][0]
        self._report = report
        self._clips = [clip_of(clip) for clip in self._file["clips"]]

    @property
    def file(self) -> str:
        """The file's name, as it was given."""
        return str(self._file["file"])

    @property
    def size(self) -> float:
        """The longest side of a box around the rest pose; percentages are of it."""
        return float(self._file["size"])

    @property
    def events(self) -> list[Event]:
        """Events of all classes: faults first, the most severe first in each class."""
        return list(self._events)

    @cached_property
    def _events(self) -> list[Event]:
        return [event_of(event) for event in self._file["events"]]

    @property
    def faults(self) -> list[Event]:
        """Events that can be seen from outside, deep and long enough: the class `fault`."""
        return [event for event in self._events if event.class_ == "fault"]

    @property
    def found(self) -> list[Event]:
        """Events of the classes that were asked for (`classes=`)."""
        wanted = self._data["settings"]["classes"]
        return [event for event in self._events if event.class_ in wanted]

    @property
    def clips(self) -> list[PlayedClip]:
        """Clips that were played; the rest pose where there are none."""
        return list(self._clips)

    @property
    def frames(self) -> int:
        """How many frames were looked at."""
        return sum(clip.frames for clip in self._clips)

    @property
    def counts(self) -> dict[str, int]:
        """How many events there are of each class."""
        return {name: sum(event["class"] == name for event in self._file["events"]) for name in CLASSES}

    @property
    def left_out(self) -> dict[str, int]:
        """In how many frames something intersects that is in no event, by reason; empty if there is nothing of that kind."""
        frames: dict[str, int] = {}
        for clip in self._clips:
            for why, pairs in clip.left_out.items():
                frames[why] = frames.get(why, 0) + pairs.frames
        return {why: count for why, count in frames.items() if count}

    @property
    def missing_clips(self) -> list[str]:
        """Clips that were asked for and that the file does not have."""
        return list(self._file["missing_clips"])

    @property
    def is_clean(self) -> bool:
        """True only if nothing intersects in any frame that was asked for: no event of any class, and nothing left out."""
        return not self._file["events"] and not self.left_out and not self.missing_clips

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `supple audit --json` writes it (schema 2)."""
        copy: dict[str, Any] = json.loads(json.dumps(self._data))
        return copy

    def to_json(self, path: Optional[Union[str, os.PathLike[str]]] = None) -> str:
        """The same as text; with a path it is written, too.

        >>> import supple
        >>> supple.audit("zoo:chair").to_json("chair.json")[:15]
        '{\\n  "schema": 2'
        """
        text = json.dumps(self._data, ensure_ascii=False, indent=2) + "\n"
        if path is not None:
            write_whole(path, text)
        return text

    def to_html(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes a page with timelines and pictures, which needs no other file.

        >>> import supple
        >>> supple.audit("zoo:chair").to_html("chair.html")
        """
        if self._report is None:
            raise RuntimeError(
                "this audit was read from a folder of results, which has no pictures: "
                "call supple.audit of the file, or give audit_many a folder for pages="
            )
        write_whole(path, self._report.page())

    def __eq__(self, other: object) -> bool:
        return self._data == other._data if isinstance(other, Audit) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Audit of {self.file}: " + audit_sentence(
            self.counts, self.frames, len(self._clips), self.left_out, self.missing_clips
        )


def audit(
    source: Source,
    *,
    fps: float = 30.0,
    clips: Optional[Iterable[Union[str, int]]] = None,
    skinning: str = "linear",
    bones: Optional[Iterable[Sequence[str]]] = None,
    bones_apart: int = 0,
    between: Optional[Union[str, Sequence[str]]] = None,
    min_depth: Union[str, float] = "0.25%",
    min_frames: int = 1,
    classes: Union[str, Iterable[str]] = ("fault",),
    hints: bool = False,
    progress: Optional[Callable[[int, int], Optional[bool]]] = None,
) -> Audit:
    """Finds where a character goes through itself, in every frame of its clips, on all cores.

    `source` is a path, `"zoo:man"`, a `Model` or a `Shape`. The options are those of `supple audit`: `clips` (names or numbers),
    `bones` (only between these pairs; `"NAME+"` is a bone and all below it), `bones_apart`, `between` (meshes or materials),
    `min_depth` (`"0.25%"` of the size, or a length), `min_frames`, `classes` that are looked for, `hints` (which bone to turn).
    `progress(done, frames)` is called meanwhile; if it returns False, the audit stops with a
    RuntimeError.

    >>> import supple
    >>> audit = supple.audit("zoo:man", clips=["walk", "random"], fps=10)
    >>> for fault in audit.faults[:2]:
    ...     print(f"{fault.name}: {fault.depth:.3f} deep, {audit.clips[fault.worst.clip].name}, frame {fault.worst.frame}")
    left forearm into chest: 0.092 deep, random, frame 7
    left shin into right shin: 0.046 deep, random, frame 45
    """
    options = audit_options(
        fps=fps,
        clips=clips,
        skinning=skinning,
        bones=bones,
        bones_apart=bones_apart,
        between=between,
        min_depth=min_depth,
        min_frames=min_frames,
        classes=classes,
        hints=hints,
    )
    if progress is not None and not callable(progress):
        raise TypeError(f"progress: expected a function, not {progress!r}")

    def go_on(done: int, frames: int) -> None:
        answer = None if progress is None else progress(done, frames)
        if answer is not None and not answer:
            raise RuntimeError(f"progress stopped the audit after {done} of {frames} frames")

    report = auditor_of(source, options).audit(None if progress is None else go_on)
    return Audit(json.loads(report.json), report)


def auditor_of(source: Source, options: str) -> _native.Auditor:
    """What audits a file, a model or a shape, with these options."""
    if isinstance(source, _native.Shape):
        return _native.Auditor(source, "model", options)
    if isinstance(source, _native.Model):
        return _native.Auditor(source.shape(), "model", options)
    if isinstance(source, (str, os.PathLike)):
        name = os.fspath(source)
        return _native.Auditor(_native.load(name).shape(), name, options)
    raise TypeError(f"source: expected a path, a Model or a Shape, not {source!r}")


def renamed(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The JSON of an audit as if the file had had this name: all else depends on what is in the file."""
    file = data["files"][0]
    if file["file"] == name:
        return data
    before, now = (f"supple audit {_shell_word(word)} " for word in (file["file"], name))
    events = [
        {**event, "command": now + event["command"][len(before) :]} if event["command"].startswith(before) else event
        for event in file["events"]
    ]
    return {**data, "files": [{**file, "file": name, "events": events}]}


def _shell_word(word: str) -> str:
    """A name as the compiled part writes it in a command."""
    word = f"./{word}" if word.startswith("-") else word
    if word and all(c.isascii() and (c.isalnum() or c in "_./:+-,@%=") for c in word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"
