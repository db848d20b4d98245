"""The table of many audits: a row per event, and one for every file without events. As Parquet, or as lines of JSON."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Union

from ._audit_options import CLASSES
from ._file_row import EventRow, FileRow
from ._write import check_folder, whole_file

BATCH = 20_000
"""Rows that are made at a time, and a row group of Parquet."""

COLUMNS = {
    "file": "string",
    "status": "string",
    "error": "string",
    "class": "string",
    "id": "string",
    "name": "string",
    "severity": "float64",
    "depth": "float64",
    "depth_percent": "float64",
    "frames": "int64",
    "seconds": "float64",
    "visibility": "float64",
    "clips": "list<string>",
    "worst_clip": "string",
    "worst_clip_number": "int64",
    "worst_frame": "int64",
    "hint": "string",
    "file_key": "string",
    "file_triangles": "int64",
    "file_size": "float64",
    "file_clips": "int64",
    "file_frames": "int64",
    **{f"file_{name}": "int64" for name in CLASSES},
    "file_left_out": "int64",
    "file_missing_clips": "list<string>",
}
"""Columns and their types. Those of the event are null in the row of a file that has none."""


def check_report(name: str, path: Union[str, os.PathLike[str]]) -> Path:
    """The path of a report that can be written; `name` is the argument that an error names.

    >>> check_report("report", "audits.csv")
    Traceback (most recent call last):
    ValueError: report: expected a file that ends in .parquet or .jsonl, not 'audits.csv'
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{name}: expected a path, not {path!r}")
    report = Path(path)
    if report.suffix not in (".parquet", ".jsonl"):
        raise ValueError(f"{name}: expected a file that ends in .parquet or .jsonl, not {os.fspath(path)!r}")
    check_folder(name, report)
    if report.suffix == ".parquet":
        _arrow(name)
    return report


def write_report(rows: Sequence[FileRow], path: Path) -> None:
    """Writes the table, whole or not at all."""
    with whole_file(path) as beside:
        (_write_parquet if path.suffix == ".parquet" else _write_lines)(rows, beside)


def table_rows(rows: Iterable[FileRow]) -> Iterator[dict[str, Any]]:
    """Rows of the table, in the order of the files.

    >>> next(table_rows([FileRow("a.glb", error="it is empty")]))["error"]
    'it is empty'
    """
    for row in rows:
        of_file = {
            "file": row.file,
            "status": row.status,
            "error": row.error,
            "file_key": row.key,
            "file_triangles": row.triangles,
            "file_size": row.size,
            "file_clips": row.clips,
            "file_frames": row.frames,
            **{f"file_{name}": row.counts.get(name, 0) for name in CLASSES},
            "file_left_out": sum(row.left_out.values()),
            "file_missing_clips": list(row.missing_clips),
        }
        for event in row.events or (None,):
            of_event = {} if event is None else _columns(event)
            yield {column: of_file.get(column, of_event.get(column)) for column in COLUMNS}


def _columns(event: EventRow) -> dict[str, Any]:
    columns = dict(vars(event))
    columns["class"] = columns.pop("class_")
    columns["clips"] = list(event.clips)
    return columns


def _write_lines(rows: Sequence[FileRow], path: Path) -> None:
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for row in table_rows(rows):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _write_parquet(rows: Sequence[FileRow], path: Path) -> None:
    arrow, parquet = _arrow("report")
    types = {
        "string": arrow.string(),
        "float64": arrow.float64(),
        "int64": arrow.int64(),
        "list<string>": arrow.list_(arrow.string()),
    }
    schema = arrow.schema([(column, types[kind]) for column, kind in COLUMNS.items()])
    found = table_rows(rows)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := list(islice(found, BATCH)):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))


def _arrow(name: str) -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError(f"{name}: .parquet needs the package pyarrow: pip install \"supple[parquet]\"; .jsonl needs nothing") from error
