"""One page for many audits: the verdict first, then a table of files that can be sorted, searched and unfolded."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Union
from urllib.parse import quote

from ._audit_options import CLASSES
from ._file_row import FileRow
from ._wording import counted
from ._write import write_whole

MOST_FILES = 20_000
"""Files of a page, the worst first: at some 1 kB each a browser still opens it at once. The sums are of all files."""

MOST_EVENTS = 40
"""Events of a file, the most severe first."""

_RANKS = {"error": 0, "faulty": 1, "passed": 2, "clean": 3}


def write_page(rows: Sequence[FileRow], path: Union[str, os.PathLike[str]]) -> None:
    """Writes the page of these files.

    >>> write_page([FileRow("a.glb", error="it is empty")], "audits.html")
    """
    folder = os.path.dirname(os.path.abspath(path))
    worst = sorted(rows, key=lambda row: (_RANKS[row.status], -max((e.severity for e in row.events), default=0.0)))
    data = {
        "classes": CLASSES,
        "files": [_file(row, folder) for row in worst[:MOST_FILES]],
        "more": max(0, len(rows) - MOST_FILES),
    }
    # In a script element, text ends at the first "</script", whatever is around it.
    embedded = json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
    template = (resources.files("supple") / "report_page.html").read_text(encoding="utf-8")
    words = {"TITLE": f"Audits of {counted(len(rows), 'file')}", "VERDICT": _verdict(rows), "TILES": _tiles(rows)}
    for name, text in words.items():
        template = template.replace(f"<!--{name}-->", text)
    write_whole(path, template.replace("<!--DATA-->", embedded))


def _verdict(rows: Sequence[FileRow]) -> str:
    faulty = [row for row in rows if row.status == "faulty"]
    failed = sum(row.status == "error" for row in rows)
    events = counted(sum(len(row.events) for row in faulty), "event")
    said = []
    if failed:
        said.append(f"<b class=\"bad\">{counted(failed, 'file')} could not be audited.</b>")
    if faulty:
        only_faults = all(event.class_ == "fault" for row in faulty for event in row.events)
        what = events.replace("event", "fault") if only_faults else f"{events} of the classes asked for,"
        said.append(f"<b class=\"bad\">{what} in {counted(len(faulty), 'file')}.</b>")
    if not failed and not faulty:
        is_clean = all(row.status == "clean" for row in rows)
        said.append(
            "<b class=\"good\">Nothing intersects in any frame.</b>"
            if is_clean
            else "<b class=\"good\">No event of the classes asked for.</b> Something else intersects, or was left out; see the table."
        )
    return " ".join(said)


def _tiles(rows: Sequence[FileRow]) -> str:
    statuses = [row.status for row in rows]
    tiles = [
        ("not audited", statuses.count("error"), "bad"),
        ("faulty files", statuses.count("faulty"), "bad"),
        ("passed", statuses.count("passed"), ""),
        ("clean", statuses.count("clean"), "good"),
        ("faults", sum(row.counts.get("fault", 0) for row in rows), "bad"),
        ("clips", sum(row.clips for row in rows), ""),
        ("frames", sum(row.frames for row in rows), ""),
    ]
    return "".join(
        f"<div class=\"tile {colour if number else ''}\"><b>{number:,}</b><span>{html.escape(name)}</span></div>"
        for name, number, colour in tiles
    )


def _link(page: str, folder: str) -> str:
    try:
        return quote(os.path.relpath(page, folder).replace(os.sep, "/"))
    except ValueError:  # on another drive of Windows
        return Path(page).as_uri()


def _file(row: FileRow, folder: str) -> list[Any]:
    events = [
        [e.class_, e.name, e.id, e.depth, e.depth_percent, e.frames, e.worst_clip, e.worst_frame, len(e.clips), e.hint or ""]
        for e in row.events[:MOST_EVENTS]
    ]
    deepest = max((e.depth_percent for e in row.events), default=0.0)
    return [
        row.file,
        row.status,
        row.error or "",
        [row.counts.get(name, 0) for name in CLASSES],
        deepest,
        row.clips,
        row.frames,
        sum(row.left_out.values()),
        list(row.missing_clips),
        events,
        len(row.events) - len(events),
        "" if row.page is None else _link(row.page, folder),
    ]
