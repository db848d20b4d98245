"""Arrays in and out: kinds of numbers, memory, models from arrays, sequences."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse

import supple

MAN = supple.zoo("man")


def test_any_kind_of_numbers_gives_the_same_model() -> None:
    vertices, triangles = MAN.vertices, MAN.triangles
    same = supple.Body(supple.Model(vertices, triangles)).vertices
    for kind in (np.float64, np.float16, np.int32):
        rounded = vertices.astype(kind)
        assert np.array_equal(supple.Body(supple.Model(rounded, triangles)).vertices, rounded.astype(np.float32))
    for other in (np.int16, np.int64, np.uint64):
        assert np.array_equal(supple.Model(vertices, triangles.astype(other)).triangles, triangles)
    for order in (np.asfortranarray(vertices), np.repeat(vertices, 2, axis=0)[::2], vertices.tolist()):
        assert np.array_equal(supple.Body(supple.Model(order, triangles)).vertices, same)


def unaligned(array: np.ndarray) -> np.ndarray:
    """The same numbers in memory as packed records have them."""
    packed = np.frombuffer(b"x" + array.tobytes(), array.dtype, offset=1).reshape(array.shape)
    assert not packed.flags.aligned and packed.flags.c_contiguous
    return packed


def test_arrays_in_packed_records_are_read() -> None:
    body = supple.Body(MAN)
    points = np.array([[0, 1.2, 0], [0, 1.2, 5]], np.float32)
    for kind in (np.float32, np.float64):
        given = unaligned(points.astype(kind))
        assert supple.locate_point_many(body, given).is_inside.tolist() == [True, False]
        assert supple.closest_point(body, given[1]).distance == supple.closest_point(body, points[1]).distance  # type: ignore[union-attr]
        assert supple.cast_rays(body, given, (0, 0, -1)).triangles.tolist() == supple.cast_rays(body, points, (0, 0, -1)).triangles.tolist()
        assert np.array_equal(supple.Model(unaligned(MAN.vertices.astype(kind)), unaligned(MAN.triangles)).triangles, MAN.triangles)
    matrices, _ = MAN.sample("walk", [0.1, 0.4])
    assert np.array_equal(supple.vertices_many(MAN, unaligned(matrices)), supple.vertices_many(MAN, matrices))


def test_answers_are_arrays_of_their_own() -> None:
    body = supple.Body(MAN)
    vertices = body.vertices
    vertices[:] = 0
    assert body.vertices.any()
    assert vertices.flags.c_contiguous and vertices.flags.writeable and vertices.dtype == np.float32


def test_weights_in_every_form() -> None:
    dense = MAN.weights
    order = np.argsort(-dense, axis=1)[:, :8].copy()
    forms = [
        dense,
        scipy.sparse.csr_matrix(dense),
        scipy.sparse.csc_matrix(dense),
        scipy.sparse.coo_array(dense),
        (order, np.take_along_axis(dense, order, axis=1)),
    ]
    matrices, _ = MAN.sample("walk", 0.4)
    expected = supple.Body(MAN).set_matrices(matrices[0]).vertices
    models = [supple.Model(MAN.vertices, MAN.triangles, weights=form) for form in forms]
    for model in models:
        # Sums are made 1 once more.
        assert np.allclose(model.weights, dense, atol=1e-6) and np.array_equal(model.weights > 0, dense > 0)
        assert np.allclose(supple.Body(model).set_matrices(matrices[0]).vertices, expected, atol=1e-5)
    for model in models[1:4]:
        assert np.array_equal(model.weights, models[0].weights)


def test_joints_in_every_form() -> None:
    """A chain of three joints, posed by quaternions, by matrices of joints, and by what moves vertices."""
    points = np.array([[0, 0, 0], [0, 1, 0], [0, 2, 0]], float)
    rest = np.tile(np.eye(4), (3, 1, 1))
    rest[:, :3, 3] = points
    vertices = np.array([[0.1, 0.5, 0], [0.1, 1.5, 0], [0.1, 2.5, 0]])
    half = np.sqrt(0.5)
    for joints in (points, rest):
        model = supple.Model(vertices, [[0, 1, 2]], weights=np.eye(3), joints=joints, parents=[-1, 0, 1], names=["a", "b", "c"])
        assert model.joints == ["a", "b", "c"] and model.parents.tolist() == [-1, 0, 1]
        by_turns = supple.Body(model).set_pose([[0, 0, 0, 1], [0, 0, half, half], [0, 0, 0, 1]])
        turn = np.array([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
        worlds = [rest[0], rest[1] @ turn, rest[1] @ turn @ np.linalg.inv(rest[1]) @ rest[2]]
        by_worlds = supple.Body(model).set_matrices(worlds, world=True)
        moving = [world @ np.linalg.inv(at) for world, at in zip(worlds, rest)]
        by_moving = supple.Body(model).set_matrices(moving)
        expected = [[0.1, 0.5, 0], [-0.5, 1.1, 0], [-1.5, 1.1, 0]]
        for body in (by_turns, by_worlds, by_moving):
            assert np.allclose(body.vertices, expected, atol=1e-6)
        assert np.allclose(by_turns.matrices, moving, atol=1e-6)
        short = np.array(moving)[:, :3]
        assert np.array_equal(supple.Body(model).set_matrices(short).vertices, by_moving.vertices)


def test_fields_and_references() -> None:
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    up = np.array([[[0, 0, 1]] * 3, [[0, 2, 0]] * 3], float)
    fields = supple.Model(vertices, [[0, 1, 2]], displacements=up, coefficient_names=["up", "back"])
    assert fields.coefficient_names == ["up", "back"]
    body = supple.Body(fields).set_pose(coefficients=[0.5, 1])
    assert np.allclose(body.vertices, vertices + [0, 2, 0.5]) and body.coefficients.tolist() == [0.5, 1]
    blend = supple.Model(vertices, [[0, 1, 2]], references=np.stack([vertices, vertices + 1]))
    assert np.allclose(supple.Body(blend).set_pose(coefficients=[0.25, 0.75]).vertices, vertices + 0.75)


def test_sequences_equal_single_frames() -> None:
    for name, skinning in (("man", "linear"), ("dwarf", "dual"), ("face", "linear")):
        model = supple.zoo(name)
        clip = model.clips[0][0]
        matrices, coefficients = model.sample(clip, np.arange(700) / 100)
        many = supple.self_collide_many(model, matrices, coefficients=coefficients, skinning=skinning, creases=False)  # type: ignore[arg-type]
        vertices = supple.vertices_many(model, matrices[:20], coefficients=coefficients[:20], skinning=skinning)  # type: ignore[arg-type]
        assert len(many) == 700 and many.offsets[-1] == len(many.values)
        body, other = supple.Body(model, skinning), supple.Body(model, skinning)  # type: ignore[arg-type]
        for frame in (0, 1, 7, 19):
            body.set_matrices(matrices[frame], coefficients=coefficients[frame])
            assert np.array_equal(vertices[frame], body.vertices)
        for frame in range(0, 700, 23):
            body.set_matrices(matrices[frame], coefficients=coefficients[frame])
            assert np.array_equal(many[frame], supple.self_collide_with(body, creases=False).pairs)
            assert many.counts[frame] == len(many[frame])
        assert np.array_equal(many[-1], many[699])
        with pytest.raises(IndexError, match="there is no frame 700"):
            many[700]
        pairs = supple.collide_many(
            model, matrices[:9], model, matrices[9:18], coefficients_a=coefficients[:9], coefficients_b=coefficients[9:18], skinning=skinning  # type: ignore[arg-type]
        )
        for frame in range(9):
            body.set_matrices(matrices[frame], coefficients=coefficients[frame])
            other.set_matrices(matrices[9 + frame], coefficients=coefficients[9 + frame])
            assert np.array_equal(pairs[frame], supple.collide(body, other).pairs)


def test_no_frames_and_no_rays() -> None:
    none = supple.self_collide_many(MAN, np.zeros((0, 27, 4, 4)))
    assert len(none) == 0 and none.offsets.tolist() == [0] and none.values.shape == (0, 2)
    assert len(supple.cast_rays(supple.Body(MAN), np.zeros((0, 3)), np.zeros((0, 3)))) == 0


def test_models_and_shapes_travel() -> None:
    shape = pickle.loads(pickle.dumps(MAN.shape()))
    model = pickle.loads(pickle.dumps(MAN))
    again = supple.load(MAN.shape().to_bytes(), name="man.supple")
    for other in (shape.model, model, again):
        assert other.clips == MAN.clips
        assert np.array_equal(supple.Body(other).pose("walk", 0.3).vertices, supple.Body(MAN).pose("walk", 0.3).vertices)
    assert copy.copy(shape) is not shape


def test_a_copy_is_a_body_of_its_own() -> None:
    body = supple.Body(MAN).pose("walk", 0.2, place=(1, 2, 3))
    twin = body.copy()
    body.rest()
    expected = supple.Body(MAN).pose("walk", 0.2, place=(1, 2, 3)).vertices
    for one in (twin, twin.copy(), copy.copy(twin), copy.deepcopy(twin)):
        assert np.array_equal(one.vertices, expected)
    smpl = supple.smpl.example().body().set(betas=[2])
    other = copy.copy(smpl)
    smpl.set()
    assert isinstance(other, supple.smpl.SmplBody) and other.vertices[:, 0].max() == 5.0


def man_body() -> supple.Body:
    return supple.Body(MAN)


def test_hits_of_many_rays_are_hits() -> None:
    body = man_body()
    hits = supple.cast_rays(body, [[0, 1.2, 5], [9, 1.2, 5]], (0, 0, -1))
    first, nothing = hits
    assert nothing is None and hits[-1] is None and first is not None
    assert (first.triangle, first.time, first.joint) == (hits.triangles[0], hits.times[0], hits.joints[0])
    assert np.allclose(supple.ray_hit_details(body, first).point, [0, 1.2, 5 - first.time], atol=1e-6)
    with pytest.raises(IndexError, match="there is no row 2, there are 2"):
        hits[2]


def test_the_pair_of_the_frame_before_may_be_none() -> None:
    a, b, last = man_body(), man_body(), None
    for x in (9.0, 0.3, 0.2, 9.0):
        last = supple.collide_any_near(a, b.rest(place=(x, 0, 0)), last)
        assert (last is None) == (x == 9.0)


def test_sequences_of_models_with_coefficients_need_them() -> None:
    face = supple.zoo("face")
    matrices, coefficients = face.sample(0, np.arange(3) / 10)
    for ask in (supple.self_collide_many, supple.vertices_many):
        with pytest.raises(ValueError, match="^coefficients: the model has"):
            ask(face, matrices)  # type: ignore[operator]
    assert supple.vertices_many(face, matrices, coefficients=coefficients).shape[0] == 3
    assert MAN.sample(0, [])[0].shape == (0, 27, 4, 4)


def test_a_body_keeps_its_place_if_vertices_are_refused() -> None:
    body = supple.Body(MAN).rest(place=(1, 2, 3))
    before = body.vertices
    with pytest.raises(ValueError, match="^vertices: "):
        body.set_vertices(np.full((4400, 3), np.nan))
    assert np.array_equal(body.vertices, before) and body.place[0] == [1, 2, 3]


def test_scenes_follow_their_bodies() -> None:
    scene = supple.Scene()
    a, b = supple.Body(MAN), supple.Body(MAN).rest(place=(9, 0, 0))
    assert (scene.insert(a), scene.insert(b)) == (0, 1)
    assert scene.collide() == []
    b.rest(place=(0.4, 0, 0))
    [(first, second, pairs)] = scene.collide()
    assert (first, second) == (0, 1) and np.array_equal(pairs, supple.collide(a, b).pairs)
    number, hit = scene.cast_ray((0.4, 1.2, 5), (0, 0, -1)) or (None, None)
    assert hit is not None and number in (0, 1) and scene[1] is b
    with pytest.raises(ValueError, match="body: it is in the scene already, as number 0"):
        scene.insert(a)
    assert list(scene) == [a, b] and scene.numbers == [0, 1] and a in scene and man_body() not in scene
    assert scene.remove(0) is a and len(scene) == 1 and list(scene) == [b] and scene.numbers == [1]
    with pytest.raises(ValueError, match="number: there is no body 0"):
        scene.remove(0)
    assert scene.closest_point((9, 1, 0)) is not None and scene.cast_ray((9, 1.2, 5), (0, 0, -1)) is None


def test_subclasses_are_bodies() -> None:
    class Walker(supple.Body):
        def step(self, seconds: float) -> "Walker":
            return self.pose("walk", seconds)

    walker = Walker(MAN)
    assert walker.step(0.2) is walker
    assert len(supple.collide(walker, supple.Body(MAN))) > 0


@pytest.mark.parametrize("tolerance", [1e-3, 1e-30])
def test_what_is_told_of_bodies_is_what_questions_see_after_a_motion(tolerance: float) -> None:
    """With a contact, without one, and where the question is refused: then both are as they were."""
    for place in ((3, 0, 0), (30, 0, 0)):
        a, b = supple.Body(MAN).rest(place=(0, 9, 0)), supple.Body(MAN).set_vertices(MAN.vertices + 7)
        before = a.vertices, b.vertices
        still = supple.Motion(supple.Body(MAN).pose("walk", 0.1), supple.Body(MAN).pose("random", 1.7))
        come = supple.Motion(supple.Body(MAN).rest(place=place), supple.Body(MAN).rest(place=(place[0] - 3, 0, 0)))
        try:
            supple.time_of_contact(a, b, still, come, tolerance)
            assert tolerance > 1e-6 or place[0] > 3
        except ValueError:
            assert tolerance < 1e-6 and np.array_equal(a.vertices, before[0]) and np.array_equal(b.vertices, before[1])
        for body in (a, b):
            given = supple.Body(MAN).set_vertices(body.vertices)
            far = supple.Body(MAN).rest(place=(40, 0, 0))
            assert supple.closest_points(body, far).distance == supple.closest_points(given, far).distance  # type: ignore[union-attr]
        given_a, given_b = (supple.Body(MAN).set_vertices(body.vertices) for body in (a, b))
        assert supple.closest_points(a, b).distance == supple.closest_points(given_a, given_b).distance  # type: ignore[union-attr]
