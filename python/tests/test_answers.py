"""Every answer equals that of the Rust library, bit by bit: the table of hashes that its own tests are held against.

The questions are those of crates/supple/tests/answers/questions.rs, asked through Python.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Callable, Optional

import numpy as np
import pytest

import supple
from digest import Digest
from optional import asset

TABLES = Path(__file__).parents[2] / "crates/supple/tests/answers"
SKINNINGS = ("linear", "spherical", "dual")
NOTHING = 0xFFFFFFFF
F = np.float32


def table(name: str) -> dict[str, dict[str, str]]:
    """By model, then by question."""
    answers: dict[str, dict[str, str]] = {}
    for line in (TABLES / name).read_text().splitlines():
        model, question, digest = line.split(" ")
        answers.setdefault(model, {})[question] = digest
    return answers


class Couple:
    """Two bodies of one shape, and how large they are."""

    def __init__(self, shape: supple.Shape, skinning: Any, clip: int) -> None:
        self.shape, self.skinning, self.model = shape, skinning, shape.model
        self.clip_count = len(self.model.clips)
        self.clips = (clip, 0)
        self.a, self.b = supple.Body(shape, skinning), supple.Body(shape, skinning)
        self.pose(self.a, 0)
        vertices = self.a.vertices
        self.low, self.high = vertices.min(axis=0), vertices.max(axis=0)
        self.size = (self.high - self.low).max()
        # As a box computes them: in f32.
        self.center = F(0.5) * (self.low + self.high)
        self.half = F(0.5) * (self.high - self.low)
        self.aside(0.4)

    def pose(self, body: supple.Body, number: int, **place: Any) -> supple.Body:
        """The first pose or the second one: of a clip, or of made-up coefficients where a model has no clips."""
        clip, time = self.clips[number], (0.2, 0.5)[number]
        if self.clip_count:
            return body.pose(clip % self.clip_count, time, looped=True, **place)
        coefficients = [i % 7 * 0.13 + time * 0.5 for i in range(len(self.model.coefficients))]
        return body.set_pose(coefficients=coefficients, **place) if coefficients else body.rest(**place)

    def placement(self, share: float) -> dict[str, Any]:
        along = np.array([1.0, 0.05, 0.1], F) * (self.high - self.low)[0] * F(share)
        return {"place": along, "turn": (0.0, math.sin(0.15), 0.0, math.cos(0.15))}

    def aside(self, share: float) -> None:
        self.pose(self.b, 1, **self.placement(share))

    def points(self) -> np.ndarray:
        half = self.half + self.size * F(1e-3)
        steps = np.array([-0.9, -0.21, 0.27, 1.3], F)
        grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), -1).reshape(-1, 3)
        return self.center + half * grid

    def rays(self) -> tuple[np.ndarray, np.ndarray]:
        steps = (np.arange(11, dtype=F) - F(5)) / F(5.3)
        x, y = (side.ravel() for side in np.meshgrid(steps, steps, indexing="ij"))
        aims = self.center + self.half * np.stack([x, y, F(0.1) * x], -1)
        origins = aims + np.array([0, 0, 1], F) * self.size * F(1.5)
        return origins, np.tile(np.array([0.02, -0.03, -1.0], F), (len(origins), 1))


def positions(c: Couple, digest: Digest) -> None:
    digest.floats(c.a.vertices)
    digest.floats(c.b.vertices)


def collide(c: Couple, digest: Digest) -> None:
    for share in (0.4, 0.9):
        c.aside(share)
        digest.pairs(supple.collide(c.a, c.b).pairs)


def collide_any(c: Couple, digest: Digest) -> None:
    for share in (0.4, 0.9, 3.0):
        c.aside(share)
        digest.bool(supple.collide_any(c.a, c.b) is not None)


def contact_details(c: Couple, digest: Digest) -> None:
    pairs = supple.collide(c.a, c.b).pairs
    for pair in pairs[:: len(pairs) // 20 + 1]:
        details = supple.contact_details(c.a, c.b, pair)
        assert details is not None
        digest.floats(details.segment)
        for side in (details.a, details.b):
            digest.u32(side.triangle)
            digest.floats(side.barycentrics)
            digest.floats(side.rest_points)
            digest.joints(side.joints)


def take_near(digest: Digest, near: Any) -> None:
    digest.pairs([near.triangles])
    digest.floats(near.distance)
    digest.floats(near.points)


def closest_points(c: Couple, digest: Digest) -> None:
    for share in (0.4, 2.5):
        c.aside(share)
        take_near(digest, supple.closest_points(c.a, c.b))


def pairs_within(c: Couple, digest: Digest) -> None:
    c.aside(0.9)
    near = supple.pairs_within(c.a, c.b, float(c.size * F(2e-3)))
    digest.count(len(near))
    numbers = np.concatenate([near.distances[:, None], near.points.reshape(-1, 6)], axis=1) + F(0)
    ones = np.ones((len(near), 1), np.uint32)
    digest.integers(np.concatenate([ones, near.triangles, numbers.view(np.uint32)], axis=1))


def time_of_contact(c: Couple, digest: Digest) -> None:
    start = c.pose(supple.Body(c.shape, c.skinning), 1, **c.placement(3.0))
    end = c.pose(supple.Body(c.shape, c.skinning), 0, **c.placement(-0.2))
    still, motion = supple.Motion(c.a, c.a.copy()), supple.Motion(start, end)
    try:
        contact = supple.time_of_contact(c.a, c.b, still, motion, float(c.size * F(1e-3)))
    except ValueError:
        digest.u32(NOTHING)
        return
    digest.bool(contact is not None)
    if contact is not None:
        digest.floats(contact.time)
        digest.pairs([contact.closest.triangles])
        digest.floats(contact.closest.distance)


def self_collide(c: Couple, digest: Digest) -> None:
    digest.pairs(supple.self_collide(c.a).pairs)
    digest.pairs(supple.self_collide_with(c.a, creases=False).pairs)
    digest.pairs(supple.self_collide_with(c.a, adjacent_rings=2).pairs)


def take_hits(digest: Digest, hits: supple.RayHits, is_told: bool) -> None:
    for time, triangle, shares, back in zip(hits.times, hits.triangles, hits.barycentrics, hits.backs):
        if is_told:
            digest.bool(triangle >= 0)
        if triangle >= 0:
            digest.u32(triangle)
            digest.floats(time)
            digest.floats(shares)
            digest.bool(back)


def cast_rays(c: Couple, digest: Digest) -> None:
    take_hits(digest, supple.cast_rays(c.a, *c.rays()), is_told=True)


def cast_ray_any(c: Couple, digest: Digest) -> None:
    for origin, direction in zip(*c.rays()):
        hit = supple.cast_ray_any(c.a, origin, direction, max_time=float(c.size * F(1.5)))
        digest.bool(hit is not None)


def cast_ray_all(c: Couple, digest: Digest) -> None:
    origins, directions = c.rays()
    for origin, direction in zip(origins[::3], directions[::3]):
        hits = supple.cast_ray_all(c.a, origin, direction)
        digest.count(len(hits))
        take_hits(digest, hits, is_told=False)


def ray_hit_details(c: Couple, digest: Digest) -> None:
    for origin, direction in zip(*c.rays()):
        hit = supple.cast_ray(c.a, origin, direction)
        if hit is not None:
            details = supple.ray_hit_details(c.a, hit)
            digest.floats([details.point, details.normal, details.rest_point])
            digest.floats(details.uv or [])
            digest.joints(details.joints)


def closest_point(c: Couple, digest: Digest) -> None:
    for point in c.points():
        for limit in (None, float(c.size * F(0.1))):
            closest = supple.closest_point(c.a, point, max_distance=limit)
            digest.bool(closest is not None)
            if closest is not None:
                digest.u32(closest.triangle)
                digest.floats(closest.point)
                digest.floats(closest.barycentrics)
                digest.floats(closest.distance)


def locate_point(c: Couple, digest: Digest) -> None:
    for point in c.points():
        try:
            location = supple.locate_point(c.a, point)
        except ValueError:
            digest.u32(NOTHING)
            continue
        digest.bool(location.on_surface)
        digest.u32(location.crossings)
        digest.u32(location.winding)


def overlap(c: Couple, digest: Digest) -> None:
    turn = (0.0, 0.0, math.sin(0.2), math.cos(0.2))
    corners = c.center + (np.eye(4, 3, k=-1, dtype=F) - F(0.3)) * c.size * F(0.4)
    probes = (
        supple.Probe.sphere(c.center, float(c.size * F(0.15))),
        supple.Probe.capsule(c.low, c.high, float(c.size * F(0.03))),
        supple.Probe.cuboid(np.array([0.2, 0.1, 0.3], F) * c.size, place=c.center, turn=turn),
        supple.Probe.hull(corners),
    )
    for probe in probes:
        triangles = supple.overlap(c.a, probe)
        digest.count(len(triangles))
        digest.integers(triangles)
        digest.bool(supple.overlap_any(c.a, probe) is not None)


def set_vertices(c: Couple, digest: Digest) -> None:
    vertices = c.a.vertices
    for update in ("hybrid", "bottom_up"):
        c.a.set_vertices(vertices, update=update)  # type: ignore[arg-type]
        digest.pairs(supple.collide(c.a, c.b).pairs)


def scene(c: Couple, digest: Digest) -> None:
    scene = supple.Scene()
    for share in (0.0, 0.5, 0.9):
        c.aside(share)
        scene.insert(c.b.copy())
    for _, _, pairs in scene.collide():
        digest.pairs(pairs)


def history_of(c: Couple) -> supple.PoseHistory:
    history = supple.PoseHistory(c.a, 4)
    for tick in range(4):
        body = supple.Body(c.shape, c.skinning)
        history.record(float(tick), c.pose(body, tick % 2, **c.placement(F(0.3) * F(tick))))
    return history


def history(c: Couple, digest: Digest) -> None:
    past, spare = history_of(c), supple.Body(c.shape, c.skinning)
    for time in (0.0, 1.25, 2.5):
        try:
            past.rewind(spare, time)
            digest.bool(True)
        except ValueError:
            digest.bool(False)
        digest.floats(spare.vertices)


def history_bound(c: Couple, digest: Digest) -> None:
    past = history_of(c)
    for time in (0.0, 1.25, 2.5):
        digest.floats(past.bound_at(time))


def budget(c: Couple, digest: Digest) -> None:
    partial = supple.collide_with(c.a, c.b, max_visits=300)
    digest.pairs(partial.pairs)
    for nodes, bounds in zip(partial.open_nodes, partial.open_bounds):
        digest.integers(nodes)
        digest.floats(bounds)


def spheres(c: Couple, digest: Digest) -> None:
    contacts = supple.sphere_contacts(c.a, c.b, 2, 3)
    for nodes, around in zip(contacts.nodes, contacts.spheres):
        digest.pairs([nodes])
        digest.floats(around)
    contacts = supple.sphere_triangle_contacts(c.a, c.b, 2)
    assert contacts.triangles is not None
    for node, triangle in zip(contacts.nodes[:, 0], contacts.triangles):
        digest.pairs([(node, triangle)])
    contacts = supple.sphere_plane_contacts(c.a, (0, 1, 0), float(c.center[1]), 3)
    for node, around in zip(contacts.nodes[:, 0], contacts.spheres):
        digest.u32(node)
        digest.floats(around)


QUESTIONS: dict[str, Callable[[Couple, Digest], None]] = {
    "positions": positions,
    "collide": collide,
    "collide_any": collide_any,
    "contact_details": contact_details,
    "closest_points": closest_points,
    "pairs_within": pairs_within,
    "bounds:time_of_contact": time_of_contact,
    "self_collide": self_collide,
    "cast_rays": cast_rays,
    "cast_ray_any": cast_ray_any,
    "cast_ray_all": cast_ray_all,
    "ray_hit_details": ray_hit_details,
    "closest_point": closest_point,
    "locate_point": locate_point,
    "overlap": overlap,
    "set_vertices": set_vertices,
    "scene": scene,
    "history": history,
    "bounds:history": history_bound,
    "bounds:budget": budget,
    "bounds:spheres": spheres,
}


def compare(model: supple.Model, expected: dict[str, str]) -> None:
    assert set(expected) == set(QUESTIONS)
    different = []
    for name, ask in QUESTIONS.items():
        digest = Digest()
        for clip, skinning in enumerate(SKINNINGS):
            couple: Optional[Couple]
            try:
                couple = Couple(model.shape(), skinning, clip)
            except ValueError:
                couple = None
            if couple is None:
                digest.u32(NOTHING)
            else:
                ask(couple, digest)
        if digest.text() != expected[name]:
            different.append(name)
    assert not different, f"other answers than Rust's: {different}"


# The bridge has 134,000 vertices, and hashing them in Python takes a minute.
@pytest.mark.parametrize("name", [name for name in supple.zoo_names() if name != "bridge"])
def test_zoo(name: str) -> None:
    compare(supple.zoo(name), table("zoo.txt")[name])


FILES = [
    "khronos/CesiumMan.glb",
    "khronos/Fox.glb",
    "khronos/RecursiveSkeletons.glb",
    "khronos/MorphStressTest.glb",
    "khronos/SimpleSkin.gltf",
    "kaykit/Knight.glb",
    "quaternius/RobotExpressive.glb",
    "vrm/100Avatars_013_Mint.vrm",
]


def test_files() -> None:
    expected = table("files.txt")
    chosen = [name for name in expected if name in FILES]
    assert chosen == sorted(FILES)
    for name in chosen:
        compare(supple.load(asset(name)), expected[name])
