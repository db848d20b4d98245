"""A file of many: what its audit found, in few bytes, or why it could not be audited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Optional

from ._audit import Audit, renamed
from ._event import PlayedClip
from ._results import Results
from ._wording import audit_sentence


@dataclass(frozen=True)
class EventRow:
    """An event of a file, without its frames and triangles. Clips are names; the rest pose is `rest pose`.

    >>> import supple
    >>> (row,) = supple.audit_many("zoo:man", clips=["random"], fps=10)
    >>> row.events[0].name, row.events[0].worst_clip, row.events[0].worst_frame
    ('left forearm into chest', 'random', 7)
    """

    class_: str
    id: str
    name: str
    severity: float
    depth: float
    depth_percent: float
    frames: int
    seconds: float
    visibility: float
    clips: tuple[str, ...]
    worst_clip: str
    worst_clip_number: Optional[int]
    worst_frame: int
    hint: Optional[str]


@dataclass(frozen=True)
class FileRow:
    """A file of `audit_many`. `events` are those of the classes that were asked for; `counts` has all classes.

    >>> import supple
    >>> for row in supple.audit_many(["zoo:chair", "zoo:man", "nowhere.glb"], fps=5):
    ...     print(row.status, row.file)
    clean zoo:chair
    faulty zoo:man
    error nowhere.glb
    """

    file: str
    """As it was named, or found in a folder."""
    error: Optional[str] = None
    """Why it could not be audited."""
    key: Optional[str] = None
    """The name of its result in the folder of results."""
    triangles: int = 0
    size: float = 0.0
    clips: int = 0
    frames: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    missing_clips: tuple[str, ...] = ()
    events: tuple[EventRow, ...] = ()
    page: Optional[str] = None
    """Its page with pictures, where pages were asked for."""
    units: int = field(default=0, compare=False)
    """Units of work that were done for it in this run."""
    units_kept: int = field(default=0, compare=False)
    """Units of work that were found in the folder of results."""
    results: Optional[Results] = field(default=None, compare=False, repr=False)

    @property
    def status(self) -> str:
        """`error`: not audited; `faulty`: has events of the classes asked for; `passed`: has none of them, but something else
        intersects or was left out; `clean`: nothing intersects, and nothing was left out."""
        if self.error is not None:
            return "error"
        if self.events:
            return "faulty"
        return "passed" if any(self.counts.values()) or self.left_out or self.missing_clips else "clean"

    def audit(self) -> Audit:
        """Everything that is known of it, read from the folder of results.

        >>> import supple
        >>> (row,) = supple.audit_many("zoo:chair", results="audits")
        >>> row.audit()
        Audit of zoo:chair: clean, nothing intersects in 199 frames of 1 clip
        """
        if self.error is not None:
            raise RuntimeError(f"{self.file} was not audited: {self.error}")
        data = self.results.read(self.key) if self.results and self.key else None
        if data is None:
            raise RuntimeError(f"the result of {self.file} is no longer in the folder of results; audit it again")
        return Audit(renamed(data, self.file))

    def __repr__(self) -> str:
        if self.error is not None:
            return f"{self.file}: not audited: {self.error}"
        said = audit_sentence(self.counts, self.frames, self.clips, self.left_out, self.missing_clips)
        return f"{self.file}: {said}"


def file_row(path: str, key: str, data: Mapping[str, Any], page: Optional[str]) -> FileRow:
    """The row of an audit's JSON."""
    audit = Audit(data)
    file, wanted = data["files"][0], data["settings"]["classes"]
    return FileRow(
        file=path,
        key=key,
        triangles=file["triangles"],
        size=audit.size,
        clips=len(audit.clips),
        frames=audit.frames,
        counts=audit.counts,
        left_out=audit.left_out,
        missing_clips=tuple(audit.missing_clips),
        events=tuple(_event_row(event, audit.clips) for event in file["events"] if event["class"] in wanted),
        page=page,
    )


def _event_row(event: Mapping[str, Any], clips: list[PlayedClip]) -> EventRow:
    names = [clip.name if clip.number is not None else "rest pose" for clip in clips]
    worst = event["worst"]
    return EventRow(
        class_=event["class"],
        id=event["id"],
        name=event["name"],
        severity=event["severity"],
        depth=event["depth"],
        depth_percent=event["depth_percent"],
        frames=event["frames"],
        seconds=event["seconds"],
        visibility=event["visibility"],
        clips=tuple(names[clip] for clip in sorted({occurrence["clip"] for occurrence in event["occurrences"]})),
        worst_clip=names[worst["clip"]],
        worst_clip_number=clips[worst["clip"]].number,
        worst_frame=worst["frame"],
        hint=event["hint"],
    )
