"""Who runs units of work: processes of this machine, Ray, Dask, or an executor of the caller.

All are executors of `concurrent.futures`; each has its own scheduler, and gets no more units at a time than keep it busy.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import Any, Callable, Optional


class Engine:
    """Runs units on an executor.

    `attempts` is how often a unit is given to it if its worker dies each time; where the executor itself tries again, that is once.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as pool:
    ...     Engine(pool, 2).submit(abs, -3).result()
    3
    """

    attempts = 1

    def __init__(self, executor: Executor, width: int) -> None:
        self._executor = executor
        self._width = width

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Begins a unit."""
        return self._executor.submit(function, *arguments)

    def width(self) -> int:
        """How many units it should have at a time."""
        return self._width

    def has_died(self, error: BaseException) -> bool:
        """Whether an error means that the worker died, and not that the unit failed."""
        return False

    def close(self) -> None:
        """Ends what it has begun: the caller's own executor goes on."""


class LocalProcesses(Engine):
    """Processes of this machine, one unit each: a crash in one file cannot touch the others.

    Every process is a pool of its own. In one pool of several a worker's death ends all of them, and nobody could tell whose unit it was.
    They are spawned, since a process with threads cannot be forked safely.
    """

    attempts = 3

    def __init__(self, workers: int) -> None:
        self._pools: list[Optional[ProcessPoolExecutor]] = [_process() for _ in range(workers)]
        self._idle = list(range(workers))
        # A script that calls this without a guard runs itself again in every process, and no worker ever gets ready.
        try:
            for ready in [pool.submit(os.getpid) for pool in self._pools if pool]:
                ready.result()
        except BrokenExecutor:
            self.close()
            raise RuntimeError(
                "the worker processes do not start; in a script, the call belongs below `if __name__ == \"__main__\":`"
            ) from None

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        place = self._idle.pop()
        pool = self._pools[place] = self._pools[place] or _process()
        try:
            future = pool.submit(function, *arguments)
        except BrokenExecutor:  # it died while it had nothing to do
            pool = self._pools[place] = _process()
            future = pool.submit(function, *arguments)
        future.add_done_callback(lambda done: self._free(place, done))
        return future

    def _free(self, place: int, done: Future[Any]) -> None:
        if not done.cancelled() and isinstance(done.exception(), BrokenExecutor):
            self._pools[place] = None
        self._idle.append(place)

    def width(self) -> int:
        return len(self._pools)

    def has_died(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor)

    def close(self) -> None:
        for pool in self._pools:
            if pool:
                pool.shutdown(wait=False, cancel_futures=True)


class RayTasks(Engine):
    """Tasks of Ray: on the cluster that is connected or can be found, else on one that is started here and stopped at the end.

    Ray itself runs a task up to three times if its worker or machine dies.
    """

    def __init__(self, workers: Optional[int]) -> None:
        self._ray = ray = _imported("ray", "ray")
        self._is_mine = not ray.is_initialized()
        if self._is_mine:
            try:
                ray.init(address="auto", log_to_driver=False)
            except ConnectionError:
                ray.init(num_cpus=workers or local_workers(), include_dashboard=False, log_to_driver=False)
        self._workers = workers
        self._run = ray.remote(num_cpus=1, max_retries=2)(_call)
        self._cores = Refreshed(lambda: max(1, int(ray.cluster_resources().get("CPU", 1))))
        self._tasks: dict[Future[Any], Any] = {}

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        task = self._run.remote(function, *arguments)
        future: Future[Any] = task.future()
        self._tasks[future] = task
        future.add_done_callback(lambda done: self._tasks.pop(done, None))
        return future

    def width(self) -> int:
        return self._workers or 2 * self._cores()

    def has_died(self, error: BaseException) -> bool:
        exceptions = self._ray.exceptions
        return isinstance(error, exceptions.RayError) and not isinstance(error, exceptions.RayTaskError)

    def close(self) -> None:
        for task in list(self._tasks.values()):
            self._ray.cancel(task)
        if self._is_mine:
            self._ray.shutdown()


class DaskTasks(Engine):
    """Tasks of Dask: on the client given, or the current one, or a cluster of processes that is started here and closed at the end.

    Dask gives a task up once more than `distributed.scheduler.allowed-failures` workers have died with it. That also counts for tasks
    that only waited there, so that a second attempt is made.
    """

    attempts = 2

    def __init__(self, client: Any, workers: Optional[int]) -> None:
        distributed = _imported("distributed", "dask")
        self._killed: type[BaseException] = distributed.KilledWorker
        self._cluster: Any = None
        if client is None:
            try:
                client = distributed.get_client()
            except ValueError:
                self._cluster = distributed.LocalCluster(
                    n_workers=workers or local_workers(), threads_per_worker=1, dashboard_address=None
                )
                client = distributed.Client(self._cluster, set_as_default=False)
        if client.status != "running":
            raise ValueError(f"engine: expected a client that is connected, its status is {client.status!r}")
        if client.asynchronous:
            raise ValueError("engine: expected a client that is not asynchronous")
        self._client = client
        super().__init__(client.get_executor(pure=False), workers or 0)
        self._threads = Refreshed(lambda: sum(client.nthreads().values()))

    def width(self) -> int:
        return self._width or 2 * max(self._threads(), 1)

    def has_died(self, error: BaseException) -> bool:
        return isinstance(error, self._killed)

    def close(self) -> None:
        self._executor.shutdown(wait=False)
        if self._cluster is not None:
            self._client.close()
            self._cluster.close()


class Refreshed:
    """A number that is asked for again after some seconds: clusters grow.

    >>> Refreshed(lambda: 8)()
    8
    """

    SECONDS = 5.0

    def __init__(self, ask: Callable[[], int]) -> None:
        self._ask = ask
        self._known = ask()
        self._when = time.monotonic()

    def __call__(self) -> int:
        if time.monotonic() - self._when > self.SECONDS:
            self._known, self._when = self._ask(), time.monotonic()
        return self._known


def engine_of(engine: object, workers: Optional[int]) -> Callable[[], Engine]:
    """What starts the engine that is meant: `"local"`, `"ray"`, `"dask"`, a Dask client or an executor. Nothing runs yet.

    >>> engine_of("cloud", None)
    Traceback (most recent call last):
    ValueError: engine: expected "local", "ray", "dask", a Dask client or an executor, not 'cloud'
    """
    if engine == "local":
        return lambda: LocalProcesses(workers or local_workers())
    if engine == "ray":
        _imported("ray", "ray")
        return lambda: RayTasks(workers)
    if engine == "dask":
        _imported("distributed", "dask")
        return lambda: DaskTasks(None, workers)
    if isinstance(engine, Executor):
        executor = engine
        return lambda: Engine(executor, workers or 2 * local_workers())
    if hasattr(engine, "get_executor") and hasattr(engine, "nthreads"):
        return lambda: DaskTasks(engine, workers)
    kind = ValueError if isinstance(engine, str) else TypeError
    raise kind(f"engine: expected \"local\", \"ray\", \"dask\", a Dask client or an executor, not {engine!r}")


def _imported(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"engine=\"{extra}\" needs the package {module}: pip install \"supple[{extra}]\"") from error


def local_workers() -> int:
    """Cores that this process may use.

    >>> local_workers() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)


def _begin() -> None:
    # Pools do not notice if the process that started them is killed, and would wait for work for ever.
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _call(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)
