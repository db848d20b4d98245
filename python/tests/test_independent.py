"""Answers beside those of other people's libraries, on the same frames: pairs beside FCL, rays beside trimesh.

Those compute with rounded numbers. Where they differ from supple, whole numbers decide here, which do not round: each f32 number times
a power of two. supple must be right every time. `pytest -s` prints how often the others differ, and why: FCL did not in any pair so far,
trimesh names another triangle where a ray meets several at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Optional

import numpy as np
import numpy.typing as npt
import pytest

import supple
from optional import asset, needed

FRAMES = 20
FILES = {"CesiumMan": "khronos/CesiumMan.glb", "Fox": "khronos/Fox.glb"}
CHARACTERS = [*FILES, "man", "dwarf", "creature"]

Vector = tuple[int, int, int]
Triangle = tuple[Vector, Vector, Vector]
Pair = tuple[int, int]
Floats = npt.NDArray[np.float32]


def model_of(name: str) -> supple.Model:
    if name not in FILES:
        return supple.zoo(name)
    return supple.load(asset(FILES[name]))


def couples(model: supple.Model, frames: int) -> Iterator[tuple[supple.Body, supple.Body]]:
    """Two bodies in other moments of their clips, which come nearer from frame to frame: from apart to deep in each other."""
    a, b = supple.Body(model), supple.Body(model)
    width = float(np.ptp(a.vertices[:, 0]))
    for frame in range(frames):
        clip = frame % len(model.clips)
        b.pose(clip, 0.07 * frame + 0.37, looped=True, place=(1.1 * width * (1 - frame / frames), 0.01 * width, 0))
        yield a.pose(clip, 0.07 * frame, looped=True), b


# Whole numbers


def whole(point: npt.ArrayLike) -> Vector:
    """A point of f32 numbers, times 2 to the power of 149: all of them are whole then."""
    x, y, z = (int(Fraction(float(number)) * 2**149) for number in np.asarray(point, np.float32))
    return x, y, z


class WholeMesh:
    """A posed mesh whose triangles can be had in whole numbers."""

    def __init__(self, body: supple.Body) -> None:
        self.triangles, self.vertices = body.shape.model.triangles, body.vertices

    def __getitem__(self, triangle: int) -> Triangle:
        a, b, c = (whole(self.vertices[corner]) for corner in self.triangles[triangle])
        return a, b, c


def minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def dot(a: Vector, b: Vector) -> int:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def share_a_point(a: Triangle, b: Triangle) -> bool:
    """Whether no plane has one triangle on each side of it. Touching counts; triangles may be flat to a segment or a point.

    A plane that separates them can be turned until it is normal to one of these axes.
    """
    sides = [minus(t[i], t[i - 1]) for t in (a, b) for i in range(3)]
    directions = [*sides, minus(a[0], b[0])]
    axes = [cross(u, v) for u, v in combinations(directions, 2)]
    if any(separates(axis, a, b) for axis in axes):
        return False
    if any(dot(axis, direction) for axis in axes for direction in directions):
        return True
    # All in one plane, or on one line, or in one point.
    axes = [*directions, *(cross(axis, direction) for axis in axes for direction in directions)]
    return not any(separates(axis, a, b) for axis in axes)


def separates(axis: Vector, a: Triangle, b: Triangle) -> bool:
    on_a, on_b = [dot(axis, point) for point in a], [dot(axis, point) for point in b]
    return max(on_a) < min(on_b) or max(on_b) < min(on_a)


def crossing_time(origin: Vector, direction: Vector, triangle: Triangle) -> Optional[Fraction]:
    """When a ray meets a triangle; edges and corners count. A ray in the plane of a triangle does not meet it."""
    a, b, c = (minus(corner, origin) for corner in triangle)
    edges = [dot(direction, cross(p, q)) for p, q in ((a, b), (b, c), (c, a))]
    if not any(edges) or min(edges) < 0 < max(edges):
        return None
    normal = cross(minus(b, a), minus(c, a))
    time = Fraction(dot(normal, a), dot(normal, direction))
    return time if time >= 0 else None


def test_whole_numbers_know_simple_cases() -> None:
    flat = ((0, 0, 0), (4, 0, 0), (0, 4, 0))
    assert share_a_point(flat, ((1, 1, -1), (1, 1, 1), (9, 9, 0)))
    assert share_a_point(flat, ((4, 0, 0), (9, 0, 0), (9, 0, 9))), "corner to corner"
    assert share_a_point(flat, ((2, 2, 0), (9, 2, 0), (2, 9, 0))), "in one plane, an edge at an edge"
    assert not share_a_point(flat, ((3, 2, 0), (9, 2, 0), (3, 9, 0))), "in one plane"
    assert not share_a_point(flat, ((1, 1, 1), (4, 4, 1), (1, 4, 2)))
    assert share_a_point(flat, ((1, 1, 0), (1, 1, 0), (1, 1, 0))), "a point"
    assert not share_a_point(flat, ((5, 0, 0), (6, 0, 0), (7, 0, 0))), "a segment on the line of an edge"
    assert crossing_time((1, 1, 6), (0, 0, -2), flat) == 3
    assert crossing_time((0, 0, 6), (0, 0, -2), flat) == 3, "at a corner"
    assert crossing_time((1, 1, 6), (0, 0, 2), flat) is None
    assert crossing_time((9, 0, 0), (-1, 0, 0), flat) is None, "in its plane"


# Pairs


def pairs_of_fcl(a: supple.Body, b: supple.Body) -> set[Pair]:
    fcl = needed("fcl")
    objects = []
    for body in (a, b):
        triangles = body.shape.model.triangles.astype(np.int64)
        tree = fcl.BVHModel()
        tree.beginModel(len(triangles), 3 * len(triangles))
        tree.addSubModel(body.vertices.astype(np.float64), triangles)
        tree.endModel()
        objects.append(fcl.CollisionObject(tree))
    result = fcl.CollisionResult()
    fcl.collide(*objects, fcl.CollisionRequest(num_max_contacts=10_000_000, enable_contact=True), result)
    return {(contact.b1, contact.b2) for contact in result.contacts}


def truth_of_differences(a: supple.Body, b: supple.Body, ours: set[Pair], theirs: set[Pair], counts: Counter[str]) -> None:
    mesh_a, mesh_b = WholeMesh(a), WholeMesh(b)
    for i, j in ours ^ theirs:
        touch = share_a_point(mesh_a[i], mesh_b[j])
        assert touch == ((i, j) in ours), f"supple is wrong about triangles {i} and {j}"
        counts["FCL misses a pair that touches" if touch else "FCL has a pair that does not touch"] += 1


@pytest.mark.parametrize("name", CHARACTERS)
def test_pairs_are_those_of_fcl(name: str) -> None:
    counts: Counter[str] = Counter()
    touching_frames = 0
    for a, b in couples(model_of(name), FRAMES):
        ours = {(i, j) for i, j in supple.collide(a, b).pairs.tolist()}
        theirs = pairs_of_fcl(a, b)
        truth_of_differences(a, b, ours, theirs, counts)
        counts["pairs"] += len(ours)
        touching_frames += bool(ours)
    print(f"\n{name}, {FRAMES} frames, {touching_frames} with contact: {dict(counts)}")
    assert FRAMES // 4 <= touching_frames < FRAMES


@pytest.mark.parametrize("name", ["Fox", "dwarf"])
def test_pairs_of_a_body_in_its_own_place(name: str) -> None:
    """The hardest case: every triangle lies on another one, and touches those around it in edges and corners."""
    model = model_of(name)
    a, b = supple.Body(model), supple.Body(model)
    ours = {(i, j) for i, j in supple.collide(a, b).pairs.tolist()}
    counts = Counter(pairs=len(ours))
    truth_of_differences(a, b, ours, pairs_of_fcl(a, b), counts)
    print(f"\n{name} in itself: {dict(counts)}")
    triangles = model.triangles.tolist()
    share_a_vertex = {(i, j) for i, j in ours if set(triangles[i]) & set(triangles[j])}
    assert {(i, i) for i in range(len(triangles))} <= share_a_vertex


@pytest.mark.parametrize("name", CHARACTERS)
def test_pairs_by_whole_numbers(name: str) -> None:
    """Also where FCL agrees: pairs that touch, and pairs of triangles next to them."""
    random = np.random.default_rng(1)
    for a, b in couples(model_of(name), FRAMES):
        found = supple.collide(a, b).pairs
        if len(found) == 0:
            continue
        mesh_a, mesh_b = WholeMesh(a), WholeMesh(b)
        ours = {(i, j) for i, j in found.tolist()}
        near = random.permuted(found[:40], axis=0)
        for i, j in [*random.choice(found, 8).tolist(), *near[:8].tolist()]:
            touch = share_a_point(mesh_a[i], mesh_b[j])
            assert touch == ((i, j) in ours), f"triangles {i} and {j}"


# Rays


def rays_at(vertices: Floats, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Random ones, and ones along an axis that go exactly through a vertex: in f32, as supple takes them."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    size = float(np.max(high - low))
    targets = random.uniform(low, high, (20, 3))
    directions = random.standard_normal((20, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    origins = targets - 2 * size * directions
    through = random.choice(vertices, 20)
    along = np.eye(3)[random.integers(0, 3, 20)] * random.choice([-1.0, 1.0], (20, 1))
    starts = np.where(along != 0, through - np.float32(2 * size) * along, through)
    return np.concatenate([origins, starts]).astype(np.float32), np.concatenate([directions, along]).astype(np.float32)


def crossings(mesh: WholeMesh, origin: Floats, direction: Floats) -> dict[int, Fraction]:
    """All triangles that a ray meets, and when, in whole numbers. f64 leaves out what is far from the ray."""
    points = mesh.vertices.astype(np.float64)[mesh.triangles] - origin
    a, b, c = points.transpose(1, 0, 2)
    edges = np.array([np.cross(p, q) @ direction.astype(np.float64) for p, q in ((a, b), (b, c), (c, a))])
    doubt = 1e-12 * np.abs(points).max() ** 2
    near = np.flatnonzero((edges.min(axis=0) >= -doubt) | (edges.max(axis=0) <= doubt))
    start, along = whole(origin), whole(direction)
    times = {i: crossing_time(start, along, mesh[i]) for i in near.tolist()}
    return {triangle: time for triangle, time in times.items() if time is not None}


def first_hits_of_trimesh(body: supple.Body, origins: Floats, directions: Floats) -> dict[int, tuple[int, float]]:
    trimesh, rays = needed("trimesh"), needed("trimesh.ray.ray_triangle")
    needed("rtree")
    mesh = trimesh.Trimesh(body.vertices, body.shape.model.triangles, process=False)
    hit = rays.RayMeshIntersector(mesh).intersects_id(origins, directions, return_locations=True, multiple_hits=False)
    lengths = np.linalg.norm(directions, axis=1)
    return {
        int(ray): (int(triangle), float(np.linalg.norm(point - origins[ray]) / lengths[ray]))
        for triangle, ray, point in zip(*hit)
    }


@pytest.mark.parametrize("name", CHARACTERS)
def test_rays_are_those_of_trimesh(name: str) -> None:
    random = np.random.default_rng(2)
    counts: Counter[str] = Counter()
    for frame, (body, _) in enumerate(couples(model_of(name), FRAMES)):
        mesh = WholeMesh(body)
        origins, directions = rays_at(mesh.vertices, random)
        ours = supple.cast_rays(body, origins, directions)
        theirs = first_hits_of_trimesh(body, origins, directions)
        for ray, (triangle, time) in enumerate(zip(ours.triangles.tolist(), ours.times.tolist())):
            other, other_time = theirs.get(ray, (-1, np.nan))
            counts["rays"] += 1
            counts["hits"] += triangle >= 0
            if triangle == other and ray % 8 != frame % 8:
                assert other < 0 or abs(time - other_time) <= 1e-5 * time
                continue
            times = crossings(mesh, origins[ray], directions[ray])
            assert (triangle in times) == bool(times), f"supple is wrong about ray {ray} of frame {frame}"
            if times:
                # Times are compared as they are reported, in f32.
                step = float(np.spacing(np.float32(time)))
                assert abs(time - times[triangle]) < 0.6 * step and times[triangle] - min(times.values()) <= step
            if triangle != other:
                counts[why(triangle, other, times)] += 1
    print(f"\n{name}, {FRAMES} frames: {dict(counts)}")


def why(first: int, other: int, times: dict[int, Fraction]) -> str:
    if other < 0:
        return "trimesh misses a hit"
    if other not in times:
        return "trimesh hits what is beside the ray"
    return "another triangle at the same time" if times[other] == times[first] else "trimesh has a later hit"


# Brute force


@pytest.mark.parametrize("name", CHARACTERS)
def test_answers_are_those_of_brute_force(name: str) -> None:
    random = np.random.default_rng(3)
    for a, b in list(couples(model_of(name), 8))[2::3]:
        assert np.array_equal(supple.collide(a, b).pairs, supple.oracle.collide(a, b))
        assert np.array_equal(supple.self_collide(a).pairs, supple.oracle.self_collide(a))
        without_creases = supple.self_collide_with(a, creases=False).pairs
        assert np.array_equal(without_creases, supple.oracle.self_collide(a, creases=False))
        for origin, direction in zip(*rays_at(a.vertices, random)):
            hits, checked = supple.cast_ray_all(a, origin, direction), supple.oracle.cast_ray_all(a, origin, direction)
            assert hits.triangles.tolist() == [hit.triangle for hit in checked]
            assert hits.times.tolist() == [hit.time for hit in checked]
