"""What a call from Python costs over the same call in Rust, in nanoseconds. Must be at most 2 microseconds.

    python benchmarks/call_overhead.py [--rounds N]

Rust's side is `crates/supple-bench/examples/python_overhead.rs`: built by cargo, then run in turns with this side. Both ask the same body the
same, which their answers show. Medians over rounds. The loop around calls is not subtracted. The last rows are other ways to give
arguments; they are compared with the same call in Rust.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import timeit

# The Rust side asks on one thread at a time; what threads save is no overhead of a call.
os.environ["RAYON_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

import supple  # noqa: E402

MOST_NANOSECONDS = 2000
SECONDS_PER_BATCH = 0.004
BATCHES = 25
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

# The call of Rust, how arguments are given, what is called, and a number of its answer. Calls that pose come in pairs, with two poses: a
# body that is given the pose that it has could save the work.
CALLS = [
    ("cast_ray, hit", "tuples", "cast_ray(body, (0.0, 1.2, 5.0), (0.0, 0.0, -1.0))", "{}.triangle"),
    ("cast_ray, miss", "tuples", "cast_ray(body, (3.0, 1.2, 5.0), (0.0, 0.0, -1.0))", "-1 if {} is None else 0"),
    ("closest_point", "tuple", "closest_point(body, (0.0, 1.2, 5.0))", "{}.triangle"),
    ("locate_point", "tuple", "locate_point(body, (0.0, 1.2, 0.0))", "int({}.is_inside)"),
    ("collide_any, apart", "", "collide_any(body, far)", "int({} is not None)"),
    ("collide, apart", "", "collide(body, far)", "len({})"),
    ("collide_any, touching", "", "collide_any(body, near)", "{}[0]"),
    ("collide, touching", "", "collide(body, near)", "len({})"),
    ("pose", "name", "moved.pose('walk', 0.2); moved.pose('walk', 0.45)", None),
    ("set_matrices", "float32 arrays", "moved.set_matrices(first); moved.set_matrices(second)", None),
    (
        "pose and cast_ray",
        "tuples",
        "cast_ray(moved.pose('walk', 0.2), origin, direction); cast_ray(moved.pose('walk', 0.45), origin, direction)",
        None,
    ),
    ("cast_rays, 100", "float32 arrays", "cast_rays(body, origins, directions)", "int(({}.triangles >= 0).sum())"),
    ("self_collide", "", "self_collide(body)", "len({})"),
]
OTHER_WAYS = [
    ("cast_ray, hit", "float32 arrays", "cast_ray(body, origin32, direction32)", "{}.triangle"),
    ("cast_ray, hit", "float64 arrays", "cast_ray(body, origin64, direction64)", "{}.triangle"),
    ("cast_ray, hit", "tuples of integers", "cast_ray(body, (0, 1.2, 5), (0, 0, -1))", "{}.triangle"),
    ("closest_point", "float64 array", "closest_point(body, origin64)", "{}.triangle"),
    ("pose", "and a place", "moved.pose('walk', 0.2, place=(0, 0, 0)); moved.pose('walk', 0.45, place=(0, 0, 0))", None),
    ("set_matrices", "float64 arrays", "moved.set_matrices(first64); moved.set_matrices(second64)", None),
    ("collide, apart", "and its pairs", "collide(body, far).pairs", "len({})"),
]


def names():
    """All that the calls mention."""
    man = supple.zoo("man")
    first, second = man.sample("walk", [0.2, 0.45])[0]
    x = -0.5 + np.float32(0.01) * np.arange(100, dtype=np.float32)
    origins = np.stack([x, np.full(100, 1.2), np.full(100, 5.0)], axis=1).astype(np.float32)
    origin, direction = (0.0, 1.2, 5.0), (0.0, 0.0, -1.0)
    return {
        **{name: getattr(supple, name) for name in dir(supple)},
        "body": supple.Body(man).pose("walk", 0.2),
        "far": supple.Body(man).pose("walk", 0.45, place=(9, 0, 0)),
        "near": supple.Body(man).pose("walk", 0.45, place=(0.4, 0, 0)),
        "moved": supple.Body(man),
        "first": np.ascontiguousarray(first),
        "second": np.ascontiguousarray(second),
        "first64": first.astype(np.float64),
        "second64": second.astype(np.float64),
        "origins": origins,
        "directions": np.tile(np.float32(direction), (100, 1)),
        "origin": origin,
        "direction": direction,
        "origin32": np.float32(origin),
        "direction32": np.float32(direction),
        "origin64": np.float64(origin),
        "direction64": np.float64(direction),
    }


def nanoseconds(statement, known):
    """One call of a statement that makes some, separated by semicolons."""
    timer = timeit.Timer(statement, globals=known)
    count = 1
    while timer.timeit(count) < SECONDS_PER_BATCH:
        count *= 2
    return statistics.median(timer.repeat(BATCHES, count)) / count / len(statement.split(";")) * 1e9


def rust_program():
    """Builds the Rust side; where it is."""
    command = ["cargo", "build", "-j1", "--quiet", "--release", "-p", "supple-bench", "--features", "rayon"]
    subprocess.run([*command, "--example", "python_overhead"], cwd=REPOSITORY, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target"))
    return target / "release" / "examples" / ("python_overhead" + (".exe" if os.name == "nt" else ""))


def rust_times(program):
    """Nanoseconds and answer by name."""
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    rows = (line.split("\t") for line in lines)
    return {name: (float(time), int(answer)) for name, time, answer in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often both sides run (5)")
    arguments = parser.parse_args()
    program, known, calls = rust_program(), names(), CALLS + OTHER_WAYS
    in_rust, in_python = {}, {}
    for _ in range(arguments.rounds):
        for name, (time, answer) in rust_times(program).items():
            in_rust.setdefault(name, []).append(time)
            for index, (of, _, statement, number) in enumerate(calls):
                if of == name:
                    in_python.setdefault(index, []).append(nanoseconds(statement, known))
                    if number is not None and eval(number.format(statement), known) != answer:
                        sys.exit(f"{statement}: the answer is not Rust's, {answer}")
    print(f"{'call':22} {'arguments':20} {'Rust ns':>9} {'Python ns':>10} {'over ns':>8}")
    above = 0
    for index, (name, given, _, _) in enumerate(calls):
        rust, python = statistics.median(in_rust[name]), statistics.median(in_python[index])
        # Two runs of the same long call differ by more than what is looked for.
        over = statistics.median(p - r for p, r in zip(in_python[index], in_rust[name]))
        uncertain = rust > 10 * MOST_NANOSECONDS
        above += over > MOST_NANOSECONDS and not uncertain
        mark = "  uncertain, the call is long" if uncertain else "  above 2 us" if over > MOST_NANOSECONDS else ""
        print(f"{name:22} {given:20} {rust:9,.0f} {python:10,.0f} {over:8,.0f}{mark}")
    print(f"{above} of {len(calls)} above {MOST_NANOSECONDS / 1000:g} us")


if __name__ == "__main__":
    main()
