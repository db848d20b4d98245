"""Every argument of every function gets what nobody should give: an answer, or a ValueError or TypeError that names the argument."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import supple

# What numpy says of its own conversions.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Conversion of an array:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Warning. converting a masked element"),
]

MAN = supple.zoo("man")
FACE = supple.zoo("face")
MATRICES, _ = MAN.sample("walk", [0.1, 0.2])
VERTICES = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
TRIANGLES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
NAN, INFINITY = float("nan"), float("inf")


def body(**place: Any) -> supple.Body:
    return supple.Body(MAN).rest(**place)


def small_body() -> supple.Body:
    """All pairs of it are few."""
    return supple.Body(supple.Model(VERTICES, TRIANGLES))


def hit() -> supple.RayHit:
    found = supple.cast_ray(body(), (0, 1.2, 5), (0, 0, -1))
    assert found is not None
    return found


def history() -> supple.PoseHistory:
    past = supple.PoseHistory(body(), 4)
    past.record(0.0, body())
    past.record(1.0, body())
    return past


def scene() -> supple.Scene:
    inhabited = supple.Scene()
    inhabited.insert(body())
    return inhabited


BALL = supple.Probe.sphere((0, 1.2, 0), 0.3)
CLASSES = supple.TriangleClasses(MAN, MAN.owning_joints)

# What is called, and arguments that do.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "Model": (
        supple.Model,
        dict(
            vertices=VERTICES, triangles=TRIANGLES, weights=np.eye(4, 2) + 0.1, joints=[[0, 0, 0], [1, 0, 0]], parents=[-1, 0],
            names=["a", "b"], displacements=np.ones((1, 4, 3)), coefficient_names=["up"],
        ),
    ),
    "Model, references": (supple.Model, dict(vertices=VERTICES, triangles=TRIANGLES, references=np.ones((2, 4, 3)))),
    "Model, indices": (
        lambda joints, values: supple.Model(VERTICES, TRIANGLES, weights=(joints, values)),
        dict(joints=[[0, 1]] * 4, values=[[0.5, 0.5]] * 4),
    ),
    "Model.sample": (MAN.sample, dict(clip="walk", seconds=[0.1, 0.2])),
    "Body": (supple.Body, dict(shape=MAN, skinning="dual")),
    "pose": (lambda **a: body().pose(**a), dict(clip="walk", seconds=0.1, place=(0, 0, 1), turn=(0, 0, 0, 1), looped=True)),
    "rest": (lambda **a: body().rest(**a), dict(place=(0, 0, 1), turn=(0, 0, 0, 1))),
    "set_pose": (
        lambda **a: body().set_pose(**a),
        dict(
            rotations=np.tile([0, 0, 0, 1], (27, 1)), translations=np.zeros((27, 3)), scales=np.ones((27, 3)), coefficients=[],
            place=(0, 0, 1), turn=(0, 0, 0, 1),
        ),
    ),
    "set_matrices": (
        lambda **a: body().set_matrices(**a),
        dict(matrices=MATRICES[0], coefficients=[], world=False, place=(0, 0, 1), turn=(0, 0, 0, 1)),
    ),
    "set_vertices": (lambda **a: body().set_vertices(**a), dict(vertices=MAN.vertices, update="bottom_up")),
    "set_place": (lambda **a: body().set_place(**a), dict(place=(0, 0, 1), turn=(0, 0, 0, 1))),
    "collide": (lambda **a: supple.collide(**a), dict(a=body(), b=body())),
    "collide_with": (supple.collide_with, dict(a=body(), b=body(), max_visits=100, volume="sphere")),
    "collide_any": (supple.collide_any, dict(a=body(), b=body())),
    "collide_any_near": (supple.collide_any_near, dict(a=body(), b=body(), last=(1, 2))),
    "contact_details": (supple.contact_details, dict(a=body(), b=body(), pair=(1, 2))),
    "self_collide": (supple.self_collide, dict(body=body())),
    "self_collide_with": (
        supple.self_collide_with,
        dict(body=body(), creases=False, adjacent_rings=1, same_joint=True, parent_and_child=True, joint_pairs=[(0, 1)], certificates=True),
    ),
    "TriangleClasses": (supple.TriangleClasses, dict(shape=MAN, classes=MAN.owning_joints)),
    "self_collide_between": (supple.self_collide_between, dict(body=body(), classes=CLASSES, wanted=[(0, 1)])),
    "cast_ray": (supple.cast_ray, dict(body=body(), origin=(0, 1, 5), direction=(0, 0, -1), max_time=9.0, front_only=True)),
    "cast_ray_any": (supple.cast_ray_any, dict(body=body(), origin=(0, 1, 5), direction=(0, 0, -1), max_time=9.0, front_only=True)),
    "cast_ray_all": (supple.cast_ray_all, dict(body=body(), origin=(0, 1, 5), direction=(0, 0, -1), max_time=9.0, front_only=True)),
    "cast_rays": (supple.cast_rays, dict(body=body(), origins=[(0, 1, 5)], directions=[(0, 0, -1)], max_time=9.0, front_only=True)),
    "ray_hit_details": (supple.ray_hit_details, dict(body=body(), hit=hit())),
    "closest_points": (supple.closest_points, dict(a=body(), b=body(place=(2, 0, 0)), max_distance=9.0)),
    "pairs_within": (supple.pairs_within, dict(a=small_body(), b=small_body(), max_distance=0.1)),
    "closest_point": (supple.closest_point, dict(body=body(), point=(0, 1, 3), max_distance=9.0)),
    "closest_point_many": (supple.closest_point_many, dict(body=body(), points=[(0, 1, 3)], max_distance=9.0)),
    "locate_point": (supple.locate_point, dict(body=body(), point=(0, 1, 3))),
    "locate_point_many": (supple.locate_point_many, dict(body=body(), points=[(0, 1, 3)])),
    "Probe.sphere": (supple.Probe.sphere, dict(center=(0, 1, 0), radius=0.1)),
    "Probe.capsule": (supple.Probe.capsule, dict(start=(0, 1, 0), end=(0, 2, 0), radius=0.1)),
    "Probe.cuboid": (supple.Probe.cuboid, dict(half_extents=(1, 1, 1), place=(0, 1, 0), turn=(0, 0, 0, 1))),
    "Probe.hull": (supple.Probe.hull, dict(points=VERTICES)),
    "overlap": (supple.overlap, dict(body=body(), probe=BALL)),
    "overlap_any": (supple.overlap_any, dict(body=body(), probe=BALL)),
    "sphere_contacts": (supple.sphere_contacts, dict(a=body(), b=body(), level_a=2, level_b=2)),
    "sphere_triangle_contacts": (supple.sphere_triangle_contacts, dict(a=body(), b=body(), level=2)),
    "sphere_plane_contacts": (supple.sphere_plane_contacts, dict(body=body(), normal=(0, 1, 0), offset=0.2, level=2)),
    "Motion": (supple.Motion, dict(start=body(), end=body(place=(1, 0, 0)))),
    "time_of_contact": (
        supple.time_of_contact,
        dict(
            a=body(), b=body(), motion_a=supple.Motion(body(), body()), motion_b=supple.Motion(body(place=(3, 0, 0)), body()), tolerance=1e-3
        ),
    ),
    "PoseHistory": (supple.PoseHistory, dict(body=body(), ticks=4, of_matrices=True)),
    "record": (lambda **a: history().record(**a), dict(time=2.0, body=body())),
    "rewind": (lambda **a: history().rewind(**a), dict(spare=body(), time=0.5)),
    "bound_at": (lambda **a: history().bound_at(**a), dict(time=0.5)),
    "insert": (lambda **a: supple.Scene().insert(**a), dict(body=body(), member=1, meets=1)),
    "remove": (lambda **a: scene().remove(**a), dict(number=0)),
    "scene.cast_ray": (
        lambda **a: scene().cast_ray(**a),
        dict(origin=(0, 1, 5), direction=(0, 0, -1), max_time=9.0, front_only=True, member=1, meets=1),
    ),
    "scene.overlap": (lambda **a: scene().overlap(**a), dict(probe=BALL, member=1, meets=1)),
    "scene.closest_point": (lambda **a: scene().closest_point(**a), dict(point=(0, 1, 5), max_distance=9.0, member=1, meets=1)),
    "self_collide_many": (
        supple.self_collide_many,
        dict(
            shape=MAN, matrices=MATRICES, coefficients=np.zeros((2, 0)), world=False, skinning="dual", creases=False, adjacent_rings=1,
            same_joint=True, parent_and_child=True, joint_pairs=[(0, 1)],
        ),
    ),
    "collide_many": (
        supple.collide_many,
        dict(
            shape_a=MAN, matrices_a=MATRICES, shape_b=MAN, matrices_b=MATRICES, coefficients_a=np.zeros((2, 0)),
            coefficients_b=np.zeros((2, 0)), world=True, skinning="linear",
        ),
    ),
    "vertices_many": (
        supple.vertices_many,
        dict(shape=MAN, matrices=MATRICES, coefficients=np.zeros((2, 0)), world=True, skinning="linear"),
    ),
    "coefficients": (lambda **a: supple.Body(FACE).set_pose(**a), dict(coefficients=FACE.coefficients)),
    "zoo": (supple.zoo, dict(name="man", detail=0)),
    "Shape.from_bytes": (supple.Shape.from_bytes, dict(data=MAN.shape().to_bytes())),
}

HOSTILE: list[Any] = [
    None, True, -1, 7, 2**31, 2**63, 2**200, -(2**200), 0.5, NAN, INFINITY, -INFINITY, 1e39, 1e-46, 1j, "", "x", "\ud800", b"", b"\xff", object(), int, [], (), {}, set(),
    [NAN], [None], ["x"], [[]], [[1], [1, 2]], [-1], [2**31], [2**63], [2**70], range(3), (1, 2, 3), (NAN, 0, 0), (0, 0, 0, 0), (1e30, 1e30, 1e30), [(-1, 0)], [(0, 2**40)],
    [(1, 2, 3)], np.zeros(0), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros(()), np.zeros((2, 2, 2, 2, 2)), np.full((27, 4, 4), NAN), np.full((27, 4), INFINITY),
    np.full((4, 3), 1e38), np.full((27, 3), 1e38), np.full((4, 3), -1), np.array("text"), np.array([object()]), np.array(["2020-01-01"], "datetime64[D]"), np.array([True]),
    np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0]), np.zeros(3, ">f4"), np.zeros(3, "f2"), np.zeros(3, np.longdouble), np.zeros(3, "i1,f4"), MAN, MAN.shape(), body(),
    supple.Scene(), BALL, CLASSES, hit(), lambda: None,
]  # fmt: skip

CASES = [(name, argument) for name, (_, arguments) in CALLS.items() for argument in arguments]


# Of these pyo3 reads a text itself, and tells the argument in a note, which tracebacks show.
TEXTS = {"skinning", "update", "volume", "name"}


# Of arguments that do not fit each other, the later one is told.
PARTNERS = {"vertices": ["weights", "references"], "origins": ["directions"], "joints": ["weights[0]"], "values": ["weights[1]"]}


def names_it(error: Exception, argument: str) -> bool:
    """The argument's name, perhaps among those of arguments that only fail together: `origin, direction`."""
    notes = getattr(error, "__notes__", []) if argument in TEXTS else []
    text = " ".join([str(error), *notes])
    return any(name in text for name in (argument, *PARTNERS.get(argument, ()))) or (argument in TEXTS and sys.version_info < (3, 11))


@pytest.mark.parametrize(("name", "argument"), CASES, ids=[f"{name}: {argument}" for name, argument in CASES])
def test_hostile_arguments(name: str, argument: str) -> None:
    call, good = CALLS[name]
    call(**good)
    wrong = []
    for value in HOSTILE:
        try:
            call(**{**good, argument: value})
        except (ValueError, TypeError) as error:
            if not names_it(error, argument):
                wrong.append(f"{value!r:.60}: {type(error).__name__}: {error}")
        except BaseException as error:  # a panic is no Exception
            wrong.append(f"{value!r:.60}: {type(error).__name__}: {error}")
    assert not wrong, "\n" + "\n".join(wrong)


def test_every_function_is_called() -> None:
    functions = {name for name in supple.__all__ if inspect.isbuiltin(getattr(supple, name))}
    assert functions - {name.split(",")[0] for name in CALLS} == {"load", "zoo_names"}


def test_hostile_files(tmp_path: Path) -> None:
    for number, data in enumerate((b"", b"glTF", b"{}", b"[" * 100_000, bytes(1000), MAN.shape().to_bytes()[:5000])):
        for end in (".glb", ".gltf", ".vrm", ".fbx", ".obj", ".supple", ".txt", ""):
            path = tmp_path / f"{number}{end}"
            path.write_bytes(data)
            for source, options in ((path, {}), (data, {"name": path.name})):
                with pytest.raises((ValueError, TypeError)):
                    supple.load(source, **options)
