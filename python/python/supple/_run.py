"""Takes files through their units: plan, parts, finish. Keeps the engine busy, and holds no more than numbers and rows."""

from __future__ import annotations

import os
import queue
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Optional

from ._engines import Engine
from ._file_row import FileRow
from ._results import Results
from ._units import Failure, Job, PartDone, Plan, finish, one_line, part, plan

ROUNDS = 3
"""How often parts of a file may be missing when it is finished, before it is given up."""


@dataclass
class _File:
    """How far a file is."""

    index: int
    path: str
    """As it was named."""
    found: str
    """The same for workers, whose current folder may be another."""
    plan: Optional[Plan] = None
    open_units: int = 0
    rounds: int = 0
    error: Optional[str] = None
    units: int = 0
    units_kept: int = 0
    copies: list[_File] = field(default_factory=list)


@dataclass
class _Task:
    """A unit of work of a file, and how often its worker died."""

    file: _File
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    deaths: int = 0


class Run:
    """All files of a call, on one engine. `rows` gives each as it is done, with its place in `paths`."""

    def __init__(self, paths: Sequence[str], job: Job, results: Results, engine: Engine) -> None:
        self._job = job
        self._results = results
        self._engine = engine
        self._files = (_File(index, path, _absolute(path)) for index, path in enumerate(paths))
        # Files that are begun come first: so few are open at a time, and a file's units meet workers that have it.
        self._ready: deque[_Task] = deque()
        self._running: dict[Future[Any], _Task] = {}
        self._done: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        self._by_key: dict[str, _File] = {}

    def rows(self) -> Iterator[tuple[int, FileRow]]:
        """Every file once, in the order in which they are done."""
        while self._start() or self._running:
            try:
                future = self._done.get(timeout=1.0)
            except queue.Empty:
                continue
            for file, row in self._take(self._running.pop(future), future):
                yield file.index, replace(row, results=self._results)

    def _start(self) -> bool:
        """Begins units until the engine has enough."""
        while len(self._running) < self._engine.width():
            task = self._next()
            if task is None:
                return False
            future = self._engine.submit(task.function, self._job, task.file.found, *task.arguments)
            self._running[future] = task
            future.add_done_callback(self._done.put)
        return True

    def _next(self) -> Optional[_Task]:
        if self._ready:
            return self._ready.popleft()
        file = next(self._files, None)
        return None if file is None else _Task(file, plan, ())

    def _take(self, task: _Task, future: Future[Any]) -> Iterator[tuple[_File, FileRow]]:
        """What a unit came to: more units, or a row."""
        file = task.file
        try:
            answer = future.result()
        except CancelledError as error:
            raise RuntimeError("the engine has cancelled a unit of work; what is done is in the folder of results") from error
        except Exception as error:
            task.deaths += 1
            if self._engine.has_died(error) and task.deaths < self._engine.attempts:
                self._ready.appendleft(task)
                return
            answer = Failure(self._why(error))
        if isinstance(answer, FileRow):
            yield from self._end(file, replace(answer, units=file.units + answer.units, units_kept=file.units_kept + answer.units_kept))
        elif isinstance(answer, Plan):
            yield from self._planned(file, answer)
        elif task.function is part:
            yield from self._part_done(file, answer)
        else:
            yield from self._end(file, FileRow(file.path, error=answer.error))

    def _why(self, error: Exception) -> str:
        # The same words for every engine: reports are compared.
        is_dead = self._engine.has_died(error)
        return "the worker died every time that it was tried" if is_dead else one_line(error)

    def _planned(self, file: _File, planned: Plan) -> Iterator[tuple[_File, FileRow]]:
        """Begins the units of a file, or those of them that have to be done again."""
        if file.plan is None:
            first = self._by_key.setdefault(planned.key, file)
            if first is not file:
                first.copies.append(file)
                return
            file.plan = planned
        file.rounds += 1
        if file.rounds > ROUNDS:
            yield from self._end(file, FileRow(file.path, error="parts vanish from the folder of results"))
            return
        file.open_units = len(planned.units)
        self._ready.extend(_Task(file, part, (planned.key, spans)) for spans in planned.units)

    def _part_done(self, file: _File, answer: PartDone | Failure) -> Iterator[tuple[_File, FileRow]]:
        file.open_units -= 1
        if isinstance(answer, Failure):
            file.error = answer.error
            waiting = sum(task.file is file for task in self._ready)
            file.open_units -= waiting
            self._ready = deque(task for task in self._ready if task.file is not file)
        elif answer.was_kept:
            file.units_kept += 1
        else:
            file.units += 1
        if file.open_units:
            return
        if file.error is not None:
            yield from self._end(file, FileRow(file.path, error=file.error))
        elif file.plan:
            self._ready.appendleft(_Task(file, finish, (file.plan.key, file.plan.units)))

    def _end(self, file: _File, row: FileRow) -> Iterator[tuple[_File, FileRow]]:
        error = None if row.error is None else row.error.replace(file.found, file.path)
        yield file, replace(row, file=file.path, error=error)
        # Copies of the file find its result now, or meet its error themselves.
        if file.plan and self._by_key.get(file.plan.key) is file:
            del self._by_key[file.plan.key]
            for copy in file.copies:
                self._ready.append(_Task(copy, plan, ()))


def _absolute(path: str) -> str:
    return path if path.startswith("zoo:") else os.path.abspath(path)
