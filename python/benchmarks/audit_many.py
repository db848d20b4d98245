"""Frames per second of audit_many with one and two workers, on every engine, in one process; medians, and their ratio.

    python benchmarks/audit_many.py [ROUNDS]

Two loads: long clips of few characters, cut into units, and many small files (copies of CesiumMan.glb that differ in a few bytes; only
with SUPPLE_ASSETS). Clusters are started once; the time of a call on "local" has the start of its processes in it.
"""

import os
import pathlib
import statistics
import struct
import sys
import tempfile
import time

import supple


def copies(path, folder, count):
    """A .glb with other white space behind its JSON each time: other contents, the same model."""
    data = path.read_bytes()
    _, version, _ = struct.unpack("<4sII", data[:12])
    (length,) = struct.unpack("<I", data[12:16])
    text, rest = data[20 : 20 + length], data[20 + length :]
    for index in range(count):
        padded = text + b" " * (4 * (index + 1))
        body = struct.pack("<I4s", len(padded), b"JSON") + padded + rest
        header = struct.pack("<4sII", b"glTF", version, 12 + len(body))
        (folder / f"{path.stem}-{index:04}.glb").write_bytes(header + body)


def loads(folder):
    """Name, paths and options of each load."""
    long = folder / "long"
    long.mkdir()
    # As files: to make an animal of the zoo takes as long as a hundred frames of it.
    for name in ("man", "dwarf", "human", "creature"):
        (long / f"{name}.supple").write_bytes(supple.zoo(name).shape().to_bytes())
    yield "long clips", [long], {"fps": 60, "span": 120}
    assets = os.environ.get("SUPPLE_ASSETS")
    if assets:
        small = folder / "small"
        small.mkdir()
        copies(pathlib.Path(assets) / "khronos" / "CesiumMan.glb", small, 150)
        yield "small files", [small], {}


def engines():
    """Name of each engine that is installed, and the engine, with two workers that run."""
    yield "local", "local"
    try:
        import distributed
    except ImportError:
        print("dask: not installed")
    else:
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster, distributed.Client(cluster) as client:
            yield "dask", client
    try:
        import ray
    except ImportError:
        print("ray: not installed")
    else:
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
        yield "ray", "ray"
        ray.shutdown()


def main(rounds):
    with tempfile.TemporaryDirectory() as folder:
        cases = list(loads(pathlib.Path(folder)))
        for name, engine in engines():
            for load, paths, options in cases:
                supple.audit_many(paths, engine=engine, workers=2, **{**options, "fps": 2})  # processes and code are warm
                seconds = {1: [], 2: []}
                for _ in range(rounds):
                    for workers, times in seconds.items():
                        begin = time.perf_counter()
                        audits = supple.audit_many(paths, engine=engine, workers=workers, **options)
                        times.append(time.perf_counter() - begin)
                        assert not audits.failed
                one, two = (statistics.median(times) for times in seconds.values())
                print(
                    f"{name:6} {load:12} {len(audits):4} files {audits.units:4} units {audits.frames:6,} frames: "
                    f"1 worker {audits.frames / one:6.0f} frames/s, 2 workers {audits.frames / two:6.0f} frames/s, "
                    f"{one / two:.2f} times",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
