"""Audits of many files, on one machine or many: each as it is done, or all of them with a report."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Callable, NamedTuple, Optional, Union

from ._audit_options import CLASSES, audit_options
from ._engines import Engine, engine_of
from ._file_row import FileRow
from ._model_files import model_files
from ._report import check_report, write_report
from ._report_page import write_page
from ._results import Results
from ._run import Run
from ._units import Job
from ._wording import counted, counted_class
from ._write import check_folder

Path = Union[str, "os.PathLike[str]"]

SPAN = 600
"""Frames of a unit: at 1 to 10 ms each some seconds, beside which starting it and loading the file are little."""


class AuditMany:
    """Rows of all files, in the order in which they were named.

    >>> import supple
    >>> audits = supple.audit_many(["zoo:man", "zoo:chair", "nowhere.glb"], fps=10)
    >>> audits
    Audits of 3 files: 1 file could not be audited; 7 faults, 3 grazes, 13 creases; 1 clean; 7 clips, 236 frames
    >>> audits.failed[0].error
    "[Errno 2] No such file or directory: 'nowhere.glb'"
    """

    def __init__(self, rows: Sequence[FileRow]) -> None:
        self.rows = list(rows)

    @property
    def failed(self) -> list[FileRow]:
        """Files that could not be audited."""
        return [row for row in self.rows if row.error is not None]

    @property
    def faulty(self) -> list[FileRow]:
        """Files with events of the classes that were asked for."""
        return [row for row in self.rows if row.status == "faulty"]

    @property
    def is_clean(self) -> bool:
        """True only if there are files, all were audited, nothing intersects in any frame, and nothing was left out."""
        return bool(self.rows) and all(row.status == "clean" for row in self.rows)

    @property
    def counts(self) -> dict[str, int]:
        """How many events there are of each class, in all files."""
        return {name: sum(row.counts.get(name, 0) for row in self.rows) for name in CLASSES}

    @property
    def clips(self) -> int:
        """How many clips were played."""
        return sum(row.clips for row in self.rows)

    @property
    def frames(self) -> int:
        """How many frames were looked at."""
        return sum(row.frames for row in self.rows)

    @property
    def units(self) -> int:
        """Units of work that were done in this run; what was found in the folder of results is not counted."""
        return sum(row.units for row in self.rows)

    @property
    def units_kept(self) -> int:
        """Units of work that were found in the folder of results; a file that was finished counts as one."""
        return sum(row.units_kept for row in self.rows)

    def to_report(self, path: Path) -> None:
        """Writes a row per event and per file without one: `.parquet` or `.jsonl`.

        >>> import supple
        >>> supple.audit_many("zoo:chair").to_report("audits.jsonl")
        """
        write_report(self.rows, check_report("path", path))

    def to_html(self, path: Path) -> None:
        """Writes one page for all files, which can be sorted and searched, and needs no other file.

        >>> import supple
        >>> supple.audit_many("zoo:chair").to_html("audits.html")
        """
        write_page(self.rows, path)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[FileRow]:
        return iter(self.rows)

    def __repr__(self) -> str:
        text = f"Audits of {counted(len(self.rows), 'file')}: "
        if self.failed:
            text += f"{counted(len(self.failed), 'file')} could not be audited; "
        if len(self.failed) == len(self.rows):
            return text + "nothing was looked at"
        found = [counted_class(n, name) for name, n in self.counts.items() if n or name == "fault"]
        clean = sum(row.status == "clean" for row in self.rows)
        return f"{text}{', '.join(found)}; {clean:,} clean; {counted(self.clips, 'clip')}, {counted(self.frames, 'frame')}"


def audit_stream(
    paths: Union[Path, Iterable[Path]],
    *,
    engine: object = "local",
    workers: Optional[int] = None,
    results: Optional[Path] = None,
    pages: Optional[Path] = None,
    span: int = SPAN,
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
) -> Iterator[FileRow]:
    """Audits many files and gives each as soon as it is done. A file that cannot be audited is a row with its `error`.

    `paths` are files, folders (all models in them) and `zoo:man`. `engine` is `"local"` (processes of this machine), `"ray"`,
    `"dask"`, a Dask client or an executor; `workers` is how many units run at a time. In the folder `results` audits are kept by
    what is in a file: a run that was interrupted goes on, and what is there is not done again. Without it, a temporary folder is
    used as long as a row is. `pages` is a folder for a page with pictures per file. `span` is how many frames a unit has at most.
    The other options are those of `supple.audit`.

    >>> import supple
    >>> for row in supple.audit_stream(["zoo:chair", "zoo:man"], results="audits", workers=1, fps=10):
    ...     print(row)
    zoo:chair: clean, nothing intersects in 67 frames of 1 clip
    zoo:man: 7 faults in 169 frames of 6 clips; also 3 grazes, 13 creases
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
    run = _prepared(paths, options, engine, workers, results, pages, span)
    return (row for _, row in _rows(run))


def audit_many(
    paths: Union[Path, Iterable[Path]],
    *,
    engine: object = "local",
    workers: Optional[int] = None,
    results: Optional[Path] = None,
    report: Optional[Path] = None,
    html: Optional[Path] = None,
    pages: Optional[Path] = None,
    span: int = SPAN,
    progress: Optional[Callable[[int, int], object]] = None,
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
) -> AuditMany:
    """Audits many files and gives all rows in the order of `paths`, the same on every engine and with any number of workers.

    `report` is a table to write (`.parquet` or `.jsonl`), `html` a page for all files, `progress(done, files)` is called after
    every file. All else is as in `audit_stream`.

    >>> import supple
    >>> audits = supple.audit_many(["zoo:chair", "zoo:man"], results="audits", report="audits.jsonl", html="audits.html", fps=5)
    >>> [row.file for row in audits.faulty]
    ['zoo:man']
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
    table = None if report is None else check_report("report", report)
    if html is not None:
        check_folder("html", html)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress: expected a function, not {progress!r}")
    run = _prepared(paths, options, engine, workers, results, pages, span)
    rows: dict[int, FileRow] = {}
    for index, row in _rows(run):
        rows[index] = row
        if progress is not None:
            progress(len(rows), len(run.paths))
    audits = AuditMany([rows[index] for index in range(len(rows))])
    if table is not None:
        write_report(audits.rows, table)
    if html is not None:
        write_page(audits.rows, html)
    return audits


class _Prepared(NamedTuple):
    """What was asked for, after all that can be wrong with it was checked."""

    paths: list[str]
    job: Job
    results: Results
    start: Callable[[], Engine]


def _prepared(
    paths: Union[Path, Iterable[Path]],
    options: str,
    engine: object,
    workers: Optional[int],
    results: Optional[Path],
    pages: Optional[Path],
    span: int,
) -> _Prepared:
    for name, number in (("span", span), ("workers", workers)):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
            raise TypeError(f"{name}: expected a whole number, not {number!r}")
        if number is not None and number < 1:
            raise ValueError(f"{name}: expected 1 or more, not {number}")
    start = engine_of(engine, workers)
    files = model_files(paths)
    kept = Results.temporary() if results is None else Results(os.path.abspath(results))
    kept.create()
    if pages is not None:
        os.makedirs(pages, exist_ok=True)
    folder = None if pages is None else os.path.abspath(pages)
    return _Prepared(files, Job(str(kept.folder), options, span, folder), kept, start)


def _rows(run: _Prepared) -> Iterator[tuple[int, FileRow]]:
    engine = run.start()
    try:
        yield from Run(run.paths, run.job, run.results, engine).rows()
    finally:
        engine.close()
