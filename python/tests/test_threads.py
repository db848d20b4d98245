"""Other threads go on while questions are answered; forked processes have threads of their own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import supple

MAN = supple.zoo("man")


def self_pairs(clip: str) -> int:
    matrices, _ = MAN.sample(clip, np.arange(60) / 30)
    return len(supple.self_collide_many(MAN, matrices).values)


def test_other_threads_run_meanwhile() -> None:
    """A counter that needs the interpreter goes on while a long question is answered."""
    counted, is_over = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not is_over.is_set():
            counted += 1

    creature = supple.zoo("creature", 1)
    matrices, _ = creature.sample(0, np.arange(100) / 30)
    creature.shape()
    watcher = threading.Thread(target=count)
    watcher.start()
    before = counted
    supple.self_collide_many(creature, matrices)
    during = counted - before
    is_over.set()
    watcher.join()
    assert during > 1000


def test_threads_with_bodies_of_their_own() -> None:
    shape = MAN.shape()

    def ask(seconds: float) -> int:
        a, b = supple.Body(shape).pose("walk", seconds), supple.Body(shape).pose("run", seconds, place=(0.4, 0, 0))
        return len(supple.collide(a, b))

    times = [i / 50 for i in range(100)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, times)) == [ask(seconds) for seconds in times]


def test_one_body_is_not_asked_twice_at_once() -> None:
    """Two threads that ask one body: an answer or a clear error, and the same answer afterwards."""
    body = supple.Body(supple.zoo("creature", 1))
    expected = supple.self_collide(body.pose(0, 0.5)).pairs
    complaints = []

    def ask() -> None:
        for _ in range(20):
            try:
                assert np.array_equal(supple.self_collide(body).pairs, expected)
            except RuntimeError as error:
                complaints.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("another thread is asking this body" in text for text in complaints)
    assert np.array_equal(supple.self_collide(body).pairs, expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process")
def test_forked_processes_answer() -> None:
    expected = [self_pairs("walk"), self_pairs("run")]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(self_pairs, ["walk", "run"]).get(timeout=60) == expected


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_an_interrupt_ends_a_long_question() -> None:
    program = """
import numpy as np, supple
model = supple.zoo("creature", 1)
model.shape()
matrices, _ = model.sample(0, np.arange(200_000) / 1000)
print("ready", flush=True)
try:
    supple.self_collide_many(model, matrices)
except KeyboardInterrupt:
    print("interrupted")
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted\n"


def test_answers_do_not_depend_on_threads() -> None:
    program = "import test_threads; print(test_threads.self_pairs('random'))"
    answers = set()
    for threads in ("1", "2", "5"):
        environment = {**os.environ, "RAYON_NUM_THREADS": threads, "PYTHONPATH": os.path.dirname(__file__)}
        answers.add(subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(answers) == 1
