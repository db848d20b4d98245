"""Bad input of any kind is a ValueError or TypeError that names the argument and what was expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import supple

MAN = supple.zoo("man")
VERTICES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)
TRIANGLES = np.array([[0, 1, 2]])
NAN = float("nan")


def body() -> supple.Body:
    return supple.Body(MAN)


def model(**arguments: Any) -> supple.Model:
    return supple.Model(**{"vertices": VERTICES, "triangles": TRIANGLES, **arguments})


def matrices(count: int = 27) -> np.ndarray:
    return np.tile(np.eye(4), (count, 1, 1))


CASES: list[tuple[str, Callable[[], Any], type[Exception], str]] = [
    ("vertices of two numbers", lambda: model(vertices=VERTICES[:, :2]), ValueError, r"vertices: expected an array of shape \(n, 3\), got \(3, 2\)"),
    ("vertices that are not finite", lambda: model(vertices=[[0, 0, 0], [1, NAN, 0], [0, 1, 0]]), ValueError, "vertices, triangles: .*vertex 1"),
    ("ragged vertices", lambda: model(vertices=[[0, 0, 0], [1, 0]]), ValueError, "vertices: expected numbers"),
    ("vertices as text", lambda: model(vertices=[["a", "b", "c"]]), TypeError, "vertices: expected numbers, got an array of <U1"),
    ("complex vertices", lambda: model(vertices=VERTICES.astype(complex)), TypeError, "vertices: expected numbers, got an array of complex128"),
    ("no vertices", lambda: model(vertices=None), TypeError, "vertices"),
    ("triangles of floats", lambda: model(triangles=[[0.0, 1.0, 2.0]]), TypeError, "triangles: expected integers, got an array of float64"),
    ("a triangle below 0", lambda: model(triangles=[[0, 1, -2]]), ValueError, "triangles: number 2 of the array is -2"),
    ("a triangle that is nowhere", lambda: model(triangles=[[0, 1, 7]]), ValueError, "vertices, triangles: .*7"),
    ("triangles of four", lambda: model(triangles=[[0, 1, 2, 0]]), ValueError, "triangles: expected an array of shape"),
    ("weights of two vertices", lambda: model(weights=np.ones((2, 2))), ValueError, r"weights: expected an array of shape \(3, n\), got \(2, 2\)"),
    ("weights below 0", lambda: model(weights=[[1, 0], [-1, 2], [1, 0]]), ValueError, "weights: .*vertex 1"),
    ("weights that are not finite", lambda: model(weights=[[1, 0], [NAN, 2], [1, 0]]), ValueError, "weights: .*vertex 1"),
    ("a vertex without weights", lambda: model(weights=[[1, 0], [0, 0], [1, 0]]), ValueError, "weights: vertex 1 has no weight"),
    ("indices without values", lambda: model(weights=(np.zeros((3, 2), int), np.ones((3, 3)))), ValueError, r"weights\[1\]: expected an array of shape \(3, 2\)"),
    ("joints without weights", lambda: model(joints=np.zeros((2, 3))), ValueError, "weights: joints move nothing"),
    ("joints of another number", lambda: model(weights=np.ones((3, 2)), joints=np.zeros((3, 3))), ValueError, "weights: expected a column for each of 3 joints, got 2"),
    ("flat joints", lambda: model(weights=np.ones((3, 1)), joints=np.zeros((1, 4, 4))), ValueError, "joints: the matrix of joint 0 has no inverse"),
    ("joints of another shape", lambda: model(weights=np.ones((3, 1)), joints=np.zeros((1, 2))), ValueError, "joints: expected an array of shape"),
    ("parents in a circle", lambda: model(weights=np.ones((3, 2)), joints=np.zeros((2, 3)), parents=[1, 0]), ValueError, "joints, parents"),
    ("a parent that is nowhere", lambda: model(weights=np.ones((3, 2)), joints=np.zeros((2, 3)), parents=[-1, 5]), ValueError, "parents: that of joint 1 is 5"),
    ("too few names", lambda: model(weights=np.ones((3, 2)), names=["a"]), ValueError, "names: expected 2"),
    ("displacements of two vertices", lambda: model(displacements=np.zeros((1, 2, 3))), ValueError, r"displacements: expected an array of shape \(n, 3, 3\)"),
    ("displacements that are not finite", lambda: model(displacements=np.full((1, 3, 3), np.inf)), ValueError, "displacements: .*vertex 0"),
    ("references and displacements", lambda: model(displacements=np.zeros((1, 3, 3)), references=np.zeros((1, 3, 3))), ValueError, "references: "),
    ("no references", lambda: model(references=np.zeros((0, 3, 3))), ValueError, "references: .*at least one"),
    ("another skinning", lambda: supple.Body(MAN, "cubic"), ValueError, 'skinning: there is no "cubic"; there are "linear"'),
    ("a body of a path", lambda: supple.Body("man.glb"), TypeError, "shape: expected a Shape or a Model, got str"),
    ("another clip", lambda: body().pose("wlak", 0), ValueError, "clip: .*wlak"),
    ("another clip's number", lambda: body().pose(99, 0), ValueError, "clip: there is no number 99; the model has 6"),
    ("a clip as a list", lambda: body().pose(["walk"], 0), TypeError, "clip: expected a name or a number, got list"),
    ("a time that is not finite", lambda: body().pose("walk", NAN), ValueError, "seconds: "),
    ("a place of two numbers", lambda: body().rest(place=(1, 2)), ValueError, "place: expected 3 numbers"),
    ("a place that is not finite", lambda: body().rest(place=(1, 2, NAN)), ValueError, "place: expected finite"),
    ("a place as text", lambda: body().rest(place="here"), TypeError, "place: expected numbers"),
    ("a turn of length 2", lambda: body().rest(turn=(0, 0, 0, 2)), ValueError, "turn: expected a quaternion"),
    ("rotations of three joints", lambda: body().set_pose(np.zeros((3, 4))), ValueError, r"rotations: expected an array of shape \(27, 4\)"),
    ("rotations of length 0", lambda: body().set_pose(np.zeros((27, 4))), ValueError, "rotations: that of joint 0"),
    ("coefficients without fields", lambda: body().set_pose(coefficients=[1.0]), ValueError, r"coefficients: expected an array of shape \(0,\)"),
    ("matrices of three joints", lambda: body().set_matrices(matrices(3)), ValueError, r"matrices: expected an array of shape \(27, 4, 4\)"),
    ("matrices with rows as columns", lambda: body().set_matrices(matrices() + np.eye(4, k=-3)), ValueError, "are rows and columns swapped"),
    ("matrices that are not finite", lambda: body().set_matrices(np.full((27, 3, 4), NAN)), ValueError, "matrices, .*joint 0"),
    ("vertices of another body", lambda: body().set_vertices(VERTICES), ValueError, r"vertices: expected an array of shape \(4400, 3\)"),
    ("another update", lambda: body().set_vertices(MAN.vertices, update="lazy"), ValueError, 'update: there is no "lazy"'),
    ("the same body twice", lambda: (lambda a: supple.collide(a, a))(body()), ValueError, "b: the same body as a; ask self_collide"),
    ("a model as a body", lambda: supple.collide(MAN, body()), TypeError, "a"),
    ("a ray without direction", lambda: supple.cast_ray(body(), (0, 0, 0), (0, 0, 0)), ValueError, "origin, direction: "),
    ("a ray of text", lambda: supple.cast_ray(body(), "x", (0, 0, 1)), TypeError, "origin: expected numbers"),
    ("a time below 0", lambda: supple.cast_ray(body(), (0, 0, 0), (0, 0, 1), max_time=-1), ValueError, "max_time: "),
    ("rays of different numbers", lambda: supple.cast_rays(body(), np.zeros((3, 3)), np.ones((2, 3))), ValueError, r"directions: expected an array of shape \(3, 3\), got \(2, 3\)"),
    ("a ray that is not finite", lambda: supple.cast_rays(body(), [[0, 0, 0], [NAN, 0, 0]], (0, 0, 1)), ValueError, "ray 1"),
    ("a point that is not finite", lambda: supple.closest_point(body(), (NAN, 0, 0)), ValueError, "point: "),
    ("a point among many", lambda: supple.closest_point_many(body(), [[0, 0, 0], [0, NAN, 0]]), ValueError, "points: number 1"),
    ("a distance below 0", lambda: supple.pairs_within(body(), body(), -1), ValueError, "max_distance: "),
    ("a radius below 0", lambda: supple.Probe.sphere((0, 0, 0), -1), ValueError, "center, radius: "),
    ("a pair of three", lambda: supple.contact_details(body(), body(), (1, 2, 3)), ValueError, "pair: expected two triangles"),
    ("a triangle that is not there", lambda: supple.contact_details(body(), body(), (1, 999999)), ValueError, r"pair\[1\]: there is no triangle 999999"),
    ("a filter of other joints", lambda: supple.self_collide_with(body(), joint_pairs=[(0, 99)]), ValueError, "joint_pairs: "),
    ("classes of two triangles", lambda: supple.TriangleClasses(MAN, [0, 1]), ValueError, "classes: "),
    ("a history of one tick", lambda: supple.PoseHistory(body(), 1), ValueError, "ticks: "),
    ("a time before the history", lambda: supple.PoseHistory(body(), 4).rewind(body(), 0), ValueError, "time: "),
    ("a motion of given vertices", lambda: supple.Motion(body().set_vertices(MAN.vertices), body()), ValueError, "start: expected a body that was posed"),
    ("sequences of other joints", lambda: supple.self_collide_many(MAN, np.zeros((5, 3, 4, 4))), ValueError, r"matrices: expected an array of shape \(n, 27, 4, 4\)"),
    ("a frame that is not finite", lambda: supple.self_collide_many(MAN, np.stack([matrices(), matrices() * NAN])), ValueError, "frame 1"),
    ("sequences of different lengths", lambda: supple.collide_many(MAN, matrices()[None], MAN, np.stack([matrices()] * 2)), ValueError, "matrices_b: expected 1 frames"),
    ("another animal", lambda: supple.zoo("mann"), ValueError, "name, detail: .*mann"),
    ("bytes that are no model", lambda: supple.load(b"nothing", name="x.glb"), ValueError, "x.glb"),
    ("bytes that are no shape", lambda: supple.Shape.from_bytes(b"nothing"), ValueError, "data: "),
    ("a path as a number", lambda: supple.load(7), TypeError, "source: expected a path or bytes, got int"),
]


@pytest.mark.parametrize(("ask", "error", "text"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_bad_input(ask: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        ask()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere.glb: cannot be read"):
        supple.load(tmp_path / "nowhere.glb")
    with pytest.raises(OSError, match=str(tmp_path.name)):
        supple.load(tmp_path)
    with pytest.raises(FileNotFoundError, match="nowhere.supple: cannot be read"):
        supple.load(tmp_path / "nowhere.supple")
    (tmp_path / "broken.supple").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="broken.supple"):
        supple.load(tmp_path / "broken.supple")


def test_a_body_stays_as_it_was() -> None:
    man = body().pose("walk", 0.3)
    before = man.vertices
    for wrong in (lambda: man.pose("nothing", 0), lambda: man.set_matrices(matrices() * NAN), lambda: man.set_vertices(VERTICES)):
        with pytest.raises(ValueError):
            wrong()
    assert np.array_equal(man.vertices, before)


def test_a_fault_inside_is_an_exception() -> None:
    with pytest.raises(supple.InternalError, match="a fault in supple, please report it: on purpose"):
        supple._native._panic()
    assert issubclass(supple.InternalError, RuntimeError)
