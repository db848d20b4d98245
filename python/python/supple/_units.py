"""What workers do with a file: plan, look at a part, finish. Small things go in and come out; parts travel through the folder of results.

A file of one unit is done as it is planned. Nothing is raised: an error comes back as a `Failure`, which becomes the file's row.
"""

from __future__ import annotations

import json
import os
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Callable, Optional, TypeVar, Union

from . import _native
from ._audit import auditor_of
from ._file_row import FileRow, file_row
from ._results import Results, Spans, key_of
from ._write import write_whole

T = TypeVar("T")


@dataclass(frozen=True)
class Job:
    """What is the same for all files of a run. Folders are absolute paths."""

    results: str
    options: str
    span: int
    pages: Optional[str]


@dataclass(frozen=True)
class Plan:
    """A file that is worth more than one unit."""

    key: str
    units: tuple[Spans, ...]


@dataclass(frozen=True)
class Failure:
    """Why a file cannot be audited, in one line."""

    error: str


@dataclass(frozen=True)
class PartDone:
    """A part is in the folder of results, perhaps since an earlier run."""

    was_kept: bool


def plan(job: Job, path: str) -> Union[FileRow, Plan, Failure]:
    """Finds a result, or loads the file and says which units there are; one unit is done at once."""
    return _caught(lambda: _plan(job, path))


def part(job: Job, path: str, key: str, spans: Spans) -> Union[PartDone, Failure]:
    """Looks at some frames, on one thread."""
    return _caught(lambda: _part(job, path, key, spans))


def finish(job: Job, path: str, key: str, units: tuple[Spans, ...]) -> Union[FileRow, Plan, Failure]:
    """Makes the audit of its parts; or says which of them are missing or damaged, and have to be done again."""
    return _caught(lambda: _finish(job, path, key, units))


def units_of(frames: Iterable[int], span: int) -> tuple[Spans, ...]:
    """All frames of all clips, cut into units of at most `span` frames: long clips in several, short ones together.

    >>> units_of([10, 250, 30], span=100)
    (((0, 0, 10), (1, 0, 90)), ((1, 90, 190),), ((1, 190, 250), (2, 0, 30)))
    """
    units: list[Spans] = []
    unit: list[tuple[int, int, int]] = []
    room = span
    for clip, count in enumerate(frames):
        first = 0
        while first < count:
            end = min(count, first + room)
            unit.append((clip, first, end))
            room -= end - first
            first = end
            if room == 0:
                units.append(tuple(unit))
                unit, room = [], span
    return tuple(units) if not unit else (*units, tuple(unit))


def _plan(job: Job, path: str) -> Union[FileRow, Plan]:
    results = Results(job.results)
    results.check()
    key = key_of(path, job.options)
    if row := _kept(job, results, path, key):
        return row
    auditor = _auditor(job, path, key)
    units = units_of((frames for _, _, frames in auditor.clips), job.span)
    if len(units) > 1:
        return Plan(key, units)
    parts = [auditor.part(list(spans)) for spans in units]
    return replace(_finished(job, results, path, key, auditor, parts), units=len(units))


def _part(job: Job, path: str, key: str, spans: Spans) -> PartDone:
    results = Results(job.results)
    results.check()
    if results.read_part(key, spans) is not None:
        return PartDone(was_kept=True)
    results.write_part(key, spans, _auditor(job, path, key).part(list(spans)))
    return PartDone(was_kept=False)


def _finish(job: Job, path: str, key: str, units: tuple[Spans, ...]) -> Union[FileRow, Plan]:
    results = Results(job.results)
    results.check()
    parts = [results.read_part(key, spans) for spans in units]
    missing = tuple(spans for spans, part in zip(units, parts) if part is None)
    if missing:
        # Another run may have finished the file meanwhile, and removed its parts.
        return _kept(job, results, path, key) or Plan(key, missing)
    return _finished(job, results, path, key, _auditor(job, path, key), [part for part in parts if part])


def _kept(job: Job, results: Results, path: str, key: str) -> Optional[FileRow]:
    """The row of a result that is there, with its page if pages are wanted."""
    page = _page_of(job, path, key)
    if page is not None and not os.path.exists(page):
        return None
    data = results.read(key)
    return None if data is None else replace(file_row(path, key, data, page), units_kept=1)


def _finished(
    job: Job, results: Results, path: str, key: str, auditor: _native.Auditor, parts: list[bytes]
) -> FileRow:
    report = auditor.finish(parts)
    page = _page_of(job, path, key)
    if page is not None:
        write_whole(page, report.page())
    text = report.json
    results.write(key, text)
    return file_row(path, key, json.loads(text), page)


def _page_of(job: Job, path: str, key: str) -> Optional[str]:
    if job.pages is None:
        return None
    stem = "".join(c if c.isalnum() or c in "-_." else "-" for c in os.path.splitext(os.path.basename(path))[0])
    short = stem.encode("utf-8", "replace")[:80].decode("utf-8", "ignore")
    return os.path.join(job.pages, f"{short}-{key[:12]}.html")


# Auditors of the last files, so that units of one file do not load it again. Few: one is as large as its model and tree.
_CACHED = 4
_auditors: OrderedDict[tuple[str, str], _native.Auditor] = OrderedDict()
_lock = threading.Lock()


def _auditor(job: Job, path: str, key: str) -> _native.Auditor:
    with _lock:
        if found := _auditors.get((key, path)):
            _auditors.move_to_end((key, path))
            return found
    auditor = auditor_of(path, job.options)
    if key_of(path, job.options) != key:
        raise RuntimeError(f"{path} was changed while it was audited")
    with _lock:
        _auditors[key, path] = auditor
        while len(_auditors) > _CACHED:
            _auditors.popitem(last=False)
    return auditor


def _caught(work: Callable[[], T]) -> Union[T, Failure]:
    # Units run side by side, one per core.
    _native._work_alone()
    try:
        return work()
    except Exception as error:
        return Failure(one_line(error))


def one_line(error: BaseException) -> str:
    """What went wrong, in one line.

    >>> one_line(ValueError("expected\\n a number")), one_line(KeyError("a"))
    ('expected a number', "KeyError: 'a'")
    """
    text = " ".join(str(error).split())
    speaks = isinstance(error, (ValueError, OSError, RuntimeError, ImportError)) and text
    return text if speaks else f"{type(error).__name__}: {text}"
