"""The scripts of the gallery run, write what they promise, and what they print is what brute force finds."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple
from optional import needed

image = needed("matplotlib.image")
GALLERY = Path(__file__).parents[1] / "gallery"
SCRIPTS = ("clip_audit", "smpl_self_intersection", "cloth_against_body", "ray_picking")


@pytest.fixture(autouse=True)
def _scripts_are_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(GALLERY))


class Gallery:
    """Runs each script once, and keeps what it printed and wrote."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.printed: dict[str, list[str]] = {}

    def lines(self, script: str) -> list[str]:
        if script not in self.printed:
            self.printed[script] = self.run(script)
        return self.printed[script]

    def run(self, script: str, *arguments: str) -> list[str]:
        command = [sys.executable, "-B", str(GALLERY / f"{script}.py"), *arguments, "--out", str(self.folder)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Gallery:
    return Gallery(tmp_path_factory.mktemp("gallery"))


def assert_a_picture(path: Path) -> None:
    picture = image.imread(path)[:, :, :3]
    assert min(picture.shape[:2]) > 300
    assert len(np.unique((255 * picture).round().astype(int).reshape(-1, 3), axis=0)) > 1000
    drawn = (picture < 0.99).any(axis=2)
    assert 0.05 < drawn.mean() < 0.95
    # Nothing is cut off.
    assert not drawn[[0, -1]].any() and not drawn[:, [0, -1]].any()


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_draws(gallery: Gallery, script: str) -> None:
    assert f"picture: {script}.png" in gallery.lines(script)
    assert_a_picture(gallery.folder / f"{script}.png")


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_picture_is_in_the_gallery(script: str) -> None:
    path = GALLERY / "pictures" / f"{script}.png"
    assert_a_picture(path)
    assert path.stat().st_size < 250_000
    page = (GALLERY / "README.md").read_text(encoding="utf-8")
    assert f"python {script}.py" in page and f"(pictures/{script}.png)" in page


def test_faults_of_the_audit_are_there(gallery: Gallery) -> None:
    lines = gallery.lines("clip_audit")
    audit = supple.audit("zoo:man", fps=30)
    assert lines[0] == repr(audit)
    assert len(lines) == 1 + len(audit.faults) + 2
    model = supple.zoo("man")
    for line, fault in zip(lines[1:], audit.faults):
        clip = audit.clips[fault.worst.clip]
        assert f"{fault.name}:" in line and f'clip "{clip.name}" at frame {fault.worst.frame}' in line
        body = supple.Body(model).pose(clip.name, fault.worst.frame / 30)
        # A pair of a fault is in the order of its sides, one of brute force ascends.
        assert {tuple(sorted(pair)) for pair in fault.worst.triangles} <= set(map(tuple, supple.oracle.self_collide(body).tolist()))
    assert audit.faults[0].name in (gallery.folder / "clip_audit.html").read_text(encoding="utf-8")


def test_an_audit_without_faults_has_no_picture(tmp_path: Path) -> None:
    lines = Gallery(tmp_path).run("clip_audit", "zoo:blob")
    assert "clean" in lines[0] and [path.name for path in tmp_path.iterdir()] == ["clip_audit.html"]


def test_poses_that_intersect_are_those_of_brute_force(gallery: Gallery) -> None:
    import capsule_body
    import smpl_self_intersection as script

    smpl: Any = supple.smpl.from_arrays(capsule_body.arrays())
    poses = script.arm_poses(smpl)
    body = smpl.body()
    counts = [len(supple.oracle.self_collide(body.set(np.zeros(2), pose), creases=False)) for pose in poses]
    found = f"{np.count_nonzero(counts)} of {len(poses)} poses intersect, at most {max(counts)} pairs, at {script.angles(np.argmax(counts))}"
    assert f"mean shape: {found}" in gallery.lines("smpl_self_intersection")


def test_a_file_is_read_instead(gallery: Gallery, tmp_path: Path) -> None:
    import capsule_body

    np.savez(tmp_path / "body.npz", **capsule_body.arrays())
    assert Gallery(tmp_path).run("smpl_self_intersection", str(tmp_path / "body.npz"))[1:] == gallery.lines("smpl_self_intersection")[1:]


def test_the_pixel_picks_what_brute_force_hits(gallery: Gallery) -> None:
    import ray_picking as script

    model = supple.zoo("man")
    body = supple.Body(model)
    directions = script.rays_through_pixels()
    lines = [line for line in gallery.lines("ray_picking") if "picks" in line]
    assert len(lines) == len(script.MOMENTS)
    for line, seconds in zip(lines, script.MOMENTS):
        told = re.search(r"pixel \((\d+), (\d+)\) picks (\w+), triangle (\d+), ([\d.]+) m away", line)
        assert told
        column, row, triangle = (int(told[group]) for group in (1, 2, 4))
        body.pose("run", seconds)
        hits = supple.oracle.cast_ray_all(body, script.EYE, directions[row * script.WIDTH + column])
        first = min(hits, key=lambda hit: hit.time)
        assert (first.triangle, model.joints[first.joint], f"{first.time:.3f}") == (triangle, told[3], told[5])


def test_cloth_crosses_where_brute_force_says(gallery: Gallery) -> None:
    """In the first line of the smallest gap: later frames take longer, and are found in the same way."""
    import cloth_against_body as script

    lines = gallery.lines("cloth_against_body")
    body, cloth = next(islice(script.simulate(supple.zoo("man"), script.make_poncho(), 0.005), 14, None))
    pairs = supple.oracle.collide(cloth, body)
    assert len(pairs) > 0
    told = re.match(r"  0\.5 s: (\d+) triangles of the cloth lie on the skin, (\d+) pairs cross; nearest point ([\d.]+) mm away", lines[2])
    assert told and int(told[2]) == len(pairs)
    frame = script.look(body, cloth, 0.005)
    assert np.array_equal(frame.pairs, pairs) and set(pairs[:, 0]) <= set(frame.resting)
    assert (int(told[1]), told[3]) == (len(frame.resting), f"{frame.distances.min():.1f}")
    # With the larger gap nothing crosses.
    assert "  cloth and body cross in 0 of 90 frames, at most 0 pairs" in lines[lines.index("gap of 10 mm") :]
