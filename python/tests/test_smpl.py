"""SMPL, SMPL-H, SMPL-X and MANO: files, formulas, poses, and pickles that mean harm."""

from __future__ import annotations

import copyreg
import doctest
import io
import os
import pickle
import struct
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Optional

import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial.transform import Rotation  # type: ignore[import-untyped]

import supple
import supple.smpl
import synthetic_smpl
from synthetic_smpl import FAMILIES, Arrays

Array = npt.NDArray[np.float64]

LAYOUTS: dict[str, Callable[[Path, Arrays], Path]] = {
    "npz": lambda path, found: synthetic_smpl.write_npz(path.with_suffix(".npz"), found),
    "npz with objects": lambda path, found: synthetic_smpl.write_npz(path.with_suffix(".npz"), found, sparse=True),
    "pkl": lambda path, found: synthetic_smpl.write_pkl(path.with_suffix(".pkl"), found),
    "original pkl": lambda path, found: synthetic_smpl.write_original_pkl(path.with_suffix(".pkl"), found),
}


@pytest.fixture(scope="module")
def bodies() -> dict[str, Arrays]:
    return {family: synthetic_smpl.arrays(family) for family in FAMILIES}


@pytest.fixture(scope="module")
def small() -> Arrays:
    """SMPL with tubes of few corners."""
    return synthetic_smpl.arrays("smpl", rings=2, corners=3)


def by_the_paper(found: Arrays, betas: Array, pose: Array, transl: Array, expression: Optional[Array] = None) -> Array:
    """Vertices, as the papers write it: homogeneous matrices, one joint and one vertex after the other."""
    count = len(found["weights"][0])
    shape = found["v_template"] + found["shapedirs"][:, :, : len(betas)] @ betas
    if expression is not None:
        shape = shape + found["shapedirs"][:, :, 10 : 10 + len(expression)] @ expression
    joints = found["J_regressor"] @ shape
    turns = Rotation.from_rotvec(pose.reshape(-1, 3)).as_matrix()
    posed = shape + found["posedirs"] @ np.concatenate([(turn - np.eye(3)).ravel() for turn in turns[1:]])
    world: list[Array] = []
    for joint in range(count):
        local = np.eye(4)
        local[:3, :3] = turns[joint]
        local[:3, 3] = joints[joint]
        if joint:
            parent = int(found["kintree_table"][0, joint])
            local[:3, 3] -= joints[parent]
            local = world[parent] @ local
        world.append(local)
    skinned = []
    for vertex, weights in zip(posed, found["weights"]):
        sum_of = np.zeros(4)
        for moving in np.flatnonzero(weights):
            sum_of += weights[moving] * (world[moving] @ np.append(vertex - joints[moving], 1.0))
        skinned.append(sum_of[:3] + transl)
    return np.array(skinned)


def a_pose(smpl: supple.smpl.SmplModel, random: np.random.Generator) -> tuple[dict[str, Any], Array]:
    """Arguments for every part of the model, and the pose of all joints that they are; hands are flat where they are zero."""
    sizes = {
        "SMPL": {"body_pose": 69},
        "SMPL-H": {"body_pose": 63, "left_hand_pose": 45, "right_hand_pose": 45},
        "SMPL-X": {"body_pose": 63, "jaw_pose": 3, "leye_pose": 3, "reye_pose": 3, "left_hand_pose": 45, "right_hand_pose": 45},
        "MANO": {"hand_pose": 45},
    }[smpl.family]
    parts = {name: 0.5 * random.standard_normal(size) for name, size in {"global_orient": 3, **sizes}.items()}
    return dict(parts), np.concatenate(list(parts.values()))


# Formulas


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("family", FAMILIES)
def test_vertices_are_those_of_the_papers(family: str, layout: str, bodies: dict[str, Arrays], tmp_path: Path) -> None:
    found = bodies[family]
    smpl = supple.smpl.load(LAYOUTS[layout](tmp_path / family, found), flat_hand_mean=True)
    assert smpl.joint_count == FAMILIES[family] == len(smpl.joint_names) == len(set(smpl.joint_names))
    body = smpl.body()
    random = np.random.default_rng(7)
    for _ in range(3):
        betas, transl = 2.0 * random.standard_normal(smpl.beta_count), random.standard_normal(3)
        parts, pose = a_pose(smpl, random)
        face = random.standard_normal(10) if family == "smplx" else None
        expected = by_the_paper(found, betas, pose, transl, face)
        found_by_numpy = smpl.vertices(betas, transl=transl, expression=face, **parts)
        body.set(betas, transl=transl, expression=face, **parts)
        assert np.abs(found_by_numpy - expected).max() < 1e-12
        assert np.abs(body.vertices - expected).max() < 1e-5


@pytest.mark.parametrize("family", FAMILIES)
def test_hands_have_a_mean_and_components(family: str, bodies: dict[str, Arrays]) -> None:
    found = bodies[family]
    curved, flat = (supple.smpl.from_arrays(found, flat_hand_mean=is_flat) for is_flat in (False, True))
    hands = {"smplh": "lr", "smplx": "lr", "mano": " "}.get(family, "")
    names = {"l": "left_hand_pose", "r": "right_hand_pose", " ": "hand_pose"}
    random = np.random.default_rng(3)
    means = {names[side]: found[f"hands_mean{side.strip()}"] for side in hands}
    assert np.allclose(curved.vertices(), flat.vertices(**means), atol=1e-12)
    for side in hands:
        some, full = random.standard_normal(6), random.standard_normal(45)
        components = found[f"hands_components{side.strip()}"]
        other = {name: mean for name, mean in means.items() if name != names[side]}
        expected = flat.vertices(**{names[side]: some @ components[:6] + means[names[side]]}, **other)
        assert np.allclose(curved.vertices(**{names[side]: some}), expected, atol=1e-12)
        expected = flat.vertices(**{names[side]: full + means[names[side]]}, **other)
        assert np.allclose(curved.vertices(**{names[side]: full}), expected, atol=1e-12)
        matrices = Rotation.from_rotvec(full.reshape(15, 3)).as_matrix()
        expected = flat.vertices(**{names[side]: full}, **other)
        assert np.allclose(curved.vertices(**{names[side]: matrices}), expected, atol=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
def test_all_joints_at_once_are_taken_as_they_are(family: str, bodies: dict[str, Arrays]) -> None:
    smpl = supple.smpl.from_arrays(bodies[family], flat_hand_mean=family == "smpl")
    flat = supple.smpl.from_arrays(bodies[family], flat_hand_mean=True)
    parts, pose = a_pose(smpl, np.random.default_rng(5))
    whole = smpl.vertices(body_pose=pose[3:], global_orient=pose[:3])
    assert np.allclose(whole, flat.vertices(**parts), atol=1e-12)


def test_poses_are_axes_or_matrices_with_or_without_frames(small: Arrays) -> None:
    smpl = supple.smpl.from_arrays(small)
    random = np.random.default_rng(1)
    turns = random.standard_normal((4, 24, 3))
    matrices = Rotation.from_rotvec(turns.reshape(-1, 3)).as_matrix().reshape(4, 24, 3, 3)
    expected = np.array([smpl.vertices(None, turn[1:].ravel(), turn[0]) for turn in turns])
    assert expected.shape == (4, smpl.vertex_count, 3)
    for body_pose in (turns[:, 1:].reshape(4, 69), turns[:, 1:], matrices[:, 1:]):
        for orient in (turns[:, 0], turns[:, :1], matrices[:, 0], matrices[:, :1]):
            assert np.allclose(smpl.vertices(None, body_pose, orient), expected, atol=1e-12)
            assert np.allclose(smpl.vertices(None, body_pose[0], orient[0]), expected[0], atol=1e-12)
            # Three frames of axes have the shape of a matrix.
            assert np.allclose(smpl.vertices(None, body_pose[:3], orient[:3]), expected[:3], atol=1e-12)
            assert smpl.vertices(None, body_pose[:1], orient[:1]).shape == (1, smpl.vertex_count, 3)
            assert np.allclose(smpl.vertices(None, body_pose[:1], orient), smpl.vertices(None, body_pose[0], orient), atol=1e-12)
    assert smpl.vertices(None, turns[:0, 1:]).shape == (0, smpl.vertex_count, 3)
    assert smpl.joints(None, turns[:0, 1:]).shape == (0, 24, 3)
    full_turn = smpl.vertices(global_orient=[0.0, 2.0 * np.pi, 0.0])
    assert np.allclose(full_turn, smpl.vertices(), atol=1e-12)


def test_joints_move_with_shape_and_pose(small: Arrays) -> None:
    smpl = supple.smpl.from_arrays(small)
    betas = np.arange(10.0) / 5.0
    rest = small["J_regressor"] @ smpl.vertices(betas)
    assert np.allclose(smpl.joints(betas), rest, atol=1e-12)
    pose = np.zeros((23, 3))
    pose[17] = [0.0, 0.0, 1.0]
    moved = smpl.joints(betas, pose, transl=[1, 2, 3]) - [1, 2, 3]
    elbow = smpl.joint_names.index("left_elbow")
    below = [smpl.joint_names.index(name) for name in ("left_wrist", "left_hand")]
    others = [joint for joint in range(24) if joint not in below]
    assert np.allclose(moved[others], rest[others], atol=1e-12)
    expected = Rotation.from_rotvec([0.0, 0.0, 1.0]).apply(rest[below] - rest[elbow]) + rest[elbow]
    assert np.allclose(moved[below], expected, atol=1e-12)


def test_correctives_can_be_left_away(small: Arrays) -> None:
    pose = np.random.default_rng(2).standard_normal(69)
    all_fields, few = (supple.smpl.from_arrays(small, use_pose_correctives=use) for use in (True, False))
    zero = supple.smpl.from_arrays({**small, "posedirs": 0.0 * small["posedirs"]})
    absent = supple.smpl.from_arrays({key: value for key, value in small.items() if key != "posedirs"})
    assert len(all_fields.coefficient_names) == 217 == len(all_fields.model.coefficient_names)
    for smpl in (few, zero, absent):
        assert len(smpl.coefficient_names) == 10
        assert np.array_equal(smpl.vertices(body_pose=pose), few.vertices(body_pose=pose))
        assert np.abs(smpl.body().set(body_pose=pose).vertices - few.vertices(body_pose=pose)).max() < 1e-5
    assert np.abs(all_fields.vertices(body_pose=pose) - few.vertices(body_pose=pose)).max() > 1e-4
    bare = supple.smpl.from_arrays({key: value for key, value in small.items() if key not in ("posedirs", "shapedirs")})
    assert bare.coefficient_names == [] and bare.matrices(body_pose=pose)[1].shape == (0,)
    assert np.abs(bare.body().set(body_pose=pose).vertices - bare.vertices(body_pose=pose)).max() < 1e-5


@pytest.mark.parametrize("shapes, betas, expression", [(400, 300, 100), (20, 10, 10), (300, 300, 0)])
def test_shape_and_expression_share_their_directions(shapes: int, betas: int, expression: int) -> None:
    found = synthetic_smpl.arrays("smplx", shapes=shapes, rings=2, corners=3)
    smpl = supple.smpl.from_arrays(found, betas=1000, expression=1000)
    assert (smpl.beta_count, smpl.expression_count) == (betas, expression)
    numbers = np.random.default_rng(4).standard_normal(shapes)
    expected = found["v_template"] + found["shapedirs"] @ numbers
    flat = {"left_hand_pose": np.tile(np.eye(3), (15, 1, 1)), "right_hand_pose": np.tile(np.eye(3), (15, 1, 1))}
    given = smpl.vertices(numbers[:betas], expression=numbers[betas:] if expression else None, **flat)
    assert np.allclose(given, expected, atol=1e-12)


def test_directions_have_three_layouts(small: Arrays) -> None:
    pose = np.random.default_rng(6).standard_normal(69)
    expected = supple.smpl.from_arrays(small).vertices(np.ones(10), pose)
    flat = {key: small[key].reshape(-1, small[key].shape[2]) for key in ("shapedirs", "posedirs")}
    for layout in (flat, {**flat, "posedirs": flat["posedirs"].T}):
        assert np.allclose(supple.smpl.from_arrays({**small, **layout}).vertices(np.ones(10), pose), expected, atol=1e-12)
    tree = small["kintree_table"].astype(np.int64)
    tree[0, 0] = -1
    assert np.array_equal(supple.smpl.from_arrays({**small, "kintree_table": tree}).vertices(np.ones(10), pose), expected)


@pytest.mark.parametrize("sparse", ["", "csc", "csr", "coo"])
@pytest.mark.parametrize("protocol", range(6))
def test_pickles_of_all_protocols(sparse: str, protocol: int, small: Arrays, tmp_path: Path) -> None:
    big_endian = np.asfortranarray(small["v_template"].astype(">f4"))
    found = {**small, "v_template": big_endian, "gender": "neutral", "none": b"", "one": np.float64(1)}
    path = synthetic_smpl.write_pkl(tmp_path / "smpl.pkl", found, sparse=sparse, protocol=protocol)
    expected = supple.smpl.from_arrays(found).vertices(np.ones(10))
    assert np.array_equal(supple.smpl.load(path).vertices(np.ones(10)), expected)


def test_neither_scipy_nor_chumpy_is_needed(small: Arrays, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [write(tmp_path / str(place), small) for place, write in enumerate(LAYOUTS.values())]
    for module in [name for name in sys.modules if name.split(".")[0] == "scipy"] + ["scipy", "chumpy"]:
        monkeypatch.setitem(sys.modules, module, None)
    for path in paths:
        assert np.array_equal(supple.smpl.load(path).vertices(), supple.smpl.from_arrays(small).vertices())


# Questions


def test_a_body_touches_itself_where_its_vertices_do(bodies: dict[str, Arrays]) -> None:
    smpl = supple.smpl.from_arrays(bodies["smpl"])
    body = smpl.body()
    random = np.random.default_rng(11)
    touching = 0
    for _ in range(8):
        betas, pose = random.standard_normal(10), 0.7 * random.standard_normal(69)
        pairs = supple.self_collide(body.set(betas, pose)).pairs
        touching += len(pairs)
        same = supple.Body(supple.Model(body.vertices, smpl.triangles))
        assert np.array_equal(pairs, supple.self_collide(same).pairs)
        by_numpy = supple.Body(supple.Model(smpl.vertices(betas, pose), smpl.triangles))
        difference = set(map(tuple, pairs.tolist())) ^ set(map(tuple, supple.self_collide(by_numpy).pairs.tolist()))
        assert len(difference) <= 1 + len(pairs) // 100, "only what grazes may differ, by rounding"
    assert touching > 100


@pytest.mark.parametrize("family", FAMILIES)
def test_frames_are_poses_one_after_the_other(family: str, bodies: dict[str, Arrays]) -> None:
    smpl = supple.smpl.from_arrays(bodies[family])
    random = np.random.default_rng(13)
    poses = 0.6 * random.standard_normal((5, smpl.joint_count - 1, 3))
    betas = random.standard_normal(smpl.beta_count)
    matrices, coefficients = smpl.matrices(betas, poses, transl=random.standard_normal((5, 3)))
    assert coefficients.shape == (5, len(smpl.coefficient_names)) and matrices.shape == (5, smpl.joint_count, 4, 4)
    frames = supple.self_collide_many(smpl.model, matrices, coefficients=coefficients)
    body = smpl.body()
    for frame in range(5):
        body.set_matrices(matrices[frame], coefficients=coefficients[frame])
        assert np.array_equal(frames[frame], supple.self_collide(body).pairs)
    assert np.array_equal(smpl.matrices(betas, poses[2])[0][:, :3, :3], matrices[2, :, :3, :3])


def test_a_body_is_a_body_of_supple(small: Arrays) -> None:
    smpl = supple.smpl.from_arrays(small)
    body, other = smpl.body(), smpl.body()
    assert isinstance(body, supple.Body) and body.smpl is smpl
    assert body.set(transl=[0, 5, 0]) is body
    assert len(supple.collide(body, other)) == 0
    assert len(supple.collide(body.set(), other)) > 0
    assert np.array_equal(body.vertices, other.vertices)
    assert body.set(np.zeros((1, 10)), np.zeros((1, 69)), np.zeros((1, 3))) is body
    with pytest.raises(ValueError, match="one frame, got 7 frames"):
        body.set(body_pose=np.zeros((7, 69)))


def test_models_can_be_pickled(small: Arrays) -> None:
    smpl = supple.smpl.from_arrays(small)
    vertices = smpl.body().set(np.ones(10)).vertices
    again = pickle.loads(pickle.dumps(smpl))
    assert np.array_equal(again.body().set(np.ones(10)).vertices, vertices)


# Errors


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        ({"betas": np.zeros(16)}, ValueError, r"betas: expected 10 numbers, .* got shape \(16,\); load\(..., betas=n\)"),
        ({"betas": [np.nan] * 10}, ValueError, r"betas: expected finite numbers, got nan at \[0\]"),
        ({"betas": "ten"}, TypeError, "betas: expected numbers, got an array of <U3"),
        ({"betas": [[1, 2], [3]]}, TypeError, "betas: expected numbers"),
        ({"betas": 1j * np.ones(10)}, TypeError, "betas: expected numbers, got an array of complex128"),
        ({"body_pose": np.zeros(63)}, ValueError, r"body_pose: expected shape \(69,\), \(23, 3\) or \(23, 3, 3\).* got \(63,\)"),
        ({"body_pose": np.full((2, 69), np.inf)}, ValueError, r"body_pose: expected finite numbers, got inf at \[0, 0\]"),
        ({"body_pose": np.zeros((23, 3, 3))}, ValueError, "body_pose: expected rotation matrices"),
        ({"body_pose": -np.tile(np.eye(3), (23, 1, 1))}, ValueError, "body_pose: expected rotation matrices, .* mirrors"),
        ({"global_orient": [0, 0, 0, 1]}, ValueError, r"global_orient: expected shape \(3,\), \(1, 3\) or \(1, 3, 3\)"),
        ({"transl": 5}, ValueError, r"transl: expected 3 numbers, .* got shape \(\)"),
        ({"jaw_pose": np.zeros(3)}, ValueError, "jaw_pose: SMPL has no such part; expected only global_orient, body_pose"),
        ({"expression": np.zeros(10)}, ValueError, r"expression: expected 0 numbers"),
        ({"betas": np.zeros((2, 10)), "transl": np.zeros((3, 3))}, ValueError, "^betas, transl: expected as many frames in all, got 2, 3"),
        ({"wings": 1}, TypeError, "wings"),
    ],
)
def test_wrong_poses(arguments: dict[str, Any], error: type[Exception], text: str, small: Arrays) -> None:
    smpl = supple.smpl.from_arrays(small)
    with pytest.raises(error, match=text):
        smpl.vertices(**arguments)
    with pytest.raises(error, match=text):
        smpl.body().set(**arguments)


def test_wrong_poses_of_hands(bodies: dict[str, Arrays]) -> None:
    smpl = supple.smpl.from_arrays(bodies["smplx"])
    with pytest.raises(ValueError, match=r"left_hand_pose: expected .* 1 to 45 coefficients .* got \(46,\)"):
        smpl.vertices(left_hand_pose=np.zeros(46))
    with pytest.raises(ValueError, match="jaw_pose: body_pose already has all joints; expected only global_orient, body_pose"):
        smpl.vertices(body_pose=np.zeros(162), jaw_pose=np.zeros(3))
    without = {key: value for key, value in bodies["smplh"].items() if not key.startswith("hands")}
    with pytest.raises(ValueError, match="the file has none"):
        supple.smpl.from_arrays(without).vertices(right_hand_pose=np.zeros(6))
    with pytest.raises(ValueError, match="body_pose: MANO has no such part; expected only global_orient, hand_pose"):
        supple.smpl.from_arrays(bodies["mano"]).vertices(body_pose=np.zeros(63))


@pytest.mark.parametrize(
    "change, text",
    [
        ({"weights": None}, "arrays: expected an array weights, found only v_template, f, kintree_table, J_regressor, shapedirs, posedirs"),
        ({"weights": np.ones((5, 24))}, r"weights has shape \(5, 24\), expected \(192, 24\)"),
        ({"weights": np.ones((192, 24))}, "weights of vertex 0 sum to 24, expected 1"),
        ({"v_template": np.zeros((192, 2))}, r"v_template has shape \(192, 2\), expected \(n, 3\)"),
        ({"v_template": np.full((192, 3), np.nan)}, "v_template has a number that is not finite"),
        ({"v_template": "abc"}, "v_template is an array of <U3, expected numbers"),
        ({"f": np.full((4, 3), 192)}, "f names vertex 192, but v_template has 192 vertices"),
        ({"f": np.full((4, 3), -1)}, "f names vertex -1, but"),
        ({"f": np.full((4, 3), 2**32)}, "f names vertex 4294967296, but"),
        ({"f": np.zeros((4, 3))}, "f is an array of float64, expected integers"),
        ({"J_regressor": np.zeros((24, 5))}, r"J_regressor has shape \(24, 5\), expected \(24, 192\)"),
        ({"shapedirs": np.zeros((5, 3, 10))}, r"shapedirs has shape \(5, 3, 10\), expected \(192, 3, k\)"),
        ({"posedirs": np.zeros((192, 3, 10))}, r"posedirs has shape \(192, 3, 10\), expected \(192, 3, 207\), \(576, 207\)"),
        ({"kintree_table": np.zeros((2, 0), int)}, "kintree_table has no joints"),
        ({"kintree_table": np.array([[-1, 7], [0, 1]])}, "kintree_table has parent 7 for joint 1, expected a joint before it"),
    ],
)
def test_wrong_arrays(change: Arrays, text: str, small: Arrays) -> None:
    found = {key: value for key, value in {**small, **change}.items() if value is not None}
    with pytest.raises(ValueError, match=text):
        supple.smpl.from_arrays(found)


def test_wrong_options_and_files(small: Arrays, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="betas: expected how many to take, got -1"):
        supple.smpl.from_arrays(small, betas=-1)
    with pytest.raises(TypeError, match="betas: expected how many to take"):
        supple.smpl.from_arrays(small, betas="10")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        supple.smpl.load(tmp_path / "nowhere.npz")
    for content in (b"", b"v 0 0 0\n", b"PK\x03\x04", pickle.dumps([1, 2])):
        (tmp_path / "bad.npz").write_bytes(content)
        with pytest.raises(ValueError, match="bad.npz"):
            supple.smpl.load(tmp_path / "bad.npz")


# Pickles that mean harm


class Asks:
    """An object that a pickle makes by calling a function."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.called = (function, arguments)

    def __reduce__(self) -> Any:
        return self.called


def call(module: str, name: str, *arguments: Any) -> bytes:
    """Protocol 4 with STACK_GLOBAL, which takes names with dots: module.name(*arguments)."""
    inner = pickle.dumps(arguments, protocol=4)[2:-1]
    inner = inner[9:] if inner[:1] == pickle.FRAME else inner
    texts = b"".join(pickle.SHORT_BINUNICODE + bytes([len(text)]) + text.encode() for text in (module, name))
    return b"\x80\x04" + texts + pickle.STACK_GLOBAL + inner + pickle.REDUCE


def harmful(canary: Path) -> dict[str, bytes]:
    """Pickles that make a file, if anything in them is run."""
    touch = f"touch {canary}"
    python = f"open({str(canary)!r}, 'w').close()"
    end = pickle.STOP
    return {
        "os.system": pickle.dumps({"v_template": Asks(os.system, touch)}),
        "os.system, protocol 0": pickle.dumps(Asks(os.system, touch), protocol=0),
        "eval": pickle.dumps(Asks(eval, python)),
        "exec of Python 2": b"c__builtin__\nexec\n(S'" + python.replace("'", '"').encode() + b"'\ntR.",
        "INST": b"(S'" + touch.encode() + b"'\nios\nsystem\n.",
        "OBJ": b"(cos\nsystem\nS'" + touch.encode() + b"'\no.",
        "getattr": call("builtins", "getattr", 1, "real") + end,
        "a name with dots": call("builtins", "object.__subclasses__") + end,
        "a method of ndarray": call("numpy", "ndarray.tofile", str(canary)) + end,
        "a module of a module": call("numpy", "os.system", touch) + end,
        "numpy.testing": call("numpy.testing._private.utils", "runstring", python, {}) + end,
        "numpy.f2py": call("numpy.f2py.crackfortran", "myeval", python) + end,
        "numpy.load": call("numpy", "load", str(canary)) + end,
        "fromfile": call("numpy.core.multiarray", "fromfile", str(canary)) + end,
        "memmap": call("numpy", "memmap", str(canary), "u1", "w+", 0, (1,)) + end,
        "scipy": call("scipy.sparse._matrix_io", "save_npz", str(canary), 1) + end,
        "copyreg": call("copyreg", "add_extension", "os", "system", 1) + end,
        "importlib": call("importlib", "import_module", "os") + end,
        "operator": call("operator", "attrgetter", "system") + end,
        "functools": call("functools", "partial", 1) + end,
        "open": call("builtins", "open", str(canary), "w") + end,
        "subprocess": call("subprocess", "Popen", ["touch", str(canary)]) + end,
        "a persistent id": b"Pos.system\n.",
        "an extension": b"\x80\x02\x82\x01.",
    }


HARMFUL = sorted(harmful(Path("canary")))


@pytest.mark.parametrize("name", HARMFUL)
def test_pickles_that_would_run_code_are_refused(name: str, small: Arrays, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    path = tmp_path / "smpl.pkl"
    path.write_bytes(harmful(canary)[name])
    with pytest.raises(ValueError, match="smpl.pkl: (asks for .*refused, and nothing was run|not a pickle)"):
        supple.smpl.load(path)
    npz = synthetic_smpl.write_npz(tmp_path / "smpl.npz", small, sparse=True)
    with_member(npz, "J_regressor.npy", npy("|O", "()") + harmful(canary)[name])
    with pytest.raises(ValueError, match="smpl.npz: (asks for .*refused, and nothing was run|J_regressor is no array: .*not a pickle)"):
        supple.smpl.load(npz)
    assert not canary.exists()


def test_a_canary_would_sing(tmp_path: Path) -> None:
    """With the usual unpickler these pickles do make the file."""
    for name in ("os.system", "eval", "INST", "OBJ", "open"):
        canary = tmp_path / name
        pickle.loads(harmful(canary)[name])
        assert canary.exists()


def test_extensions_of_the_program_are_refused(tmp_path: Path) -> None:
    """Python remembers their classes and functions, whoever found them."""
    canary, path = tmp_path / "canary", tmp_path / "smpl.pkl"
    copyreg.add_extension(os.system.__module__, "system", 0x7F)  # type: ignore[no-untyped-call, unused-ignore]
    try:
        assert pickle.loads(b"\x80\x02\x82\x7f.") is os.system
        path.write_bytes(b"\x80\x02\x82\x7f(S'touch " + str(canary).encode() + b"'\ntR.")
        with pytest.raises(ValueError, match="smpl.pkl: asks for extension 127, .* refused"):
            supple.smpl.load(path)
    finally:
        copyreg.remove_extension(os.system.__module__, "system", 0x7F)  # type: ignore[no-untyped-call, unused-ignore]
    assert not canary.exists()


def test_an_object_of_an_array_in_a_npz_runs_nothing(small: Arrays, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    for objects in ([Asks(os.system, f"touch {canary}")], [[Asks(eval, "1")], {"x": Asks(eval, "1")}]):
        array = np.empty(len(objects), dtype=object)
        array[:] = objects
        np.savez(tmp_path / "smpl.npz", **{**small, "J_regressor": array})
        with pytest.raises(ValueError, match="asks for (posix.system|nt.system|builtins.eval), which could run code; refused"):
            supple.smpl.load(tmp_path / "smpl.npz")
    assert not canary.exists()


def allowed_with_bad_arguments() -> dict[str, bytes]:
    """Pickles of allowed names only, with arguments and states that numpy's own functions trust, or that are absurd."""
    end = pickle.STOP
    core = "numpy.core.multiarray"

    def array(dtype: bytes, state: bytes) -> bytes:
        """An array with the state (1, shape, dtype, False, data): `state` pushes shape, gets the dtype, and the rest."""
        return b"c" + core.encode() + b"\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n" + state.replace(b"DTYPE", dtype) + b"tb"

    f8 = b"cnumpy\ndtype\n(S'f8'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntb"
    record = b"cnumpy\ndtype\n(S'V8'\nI0\nI1\ntR(I3\nS'|'\nN(S'a'\nt(S'a'\n(cnumpy\ndtype\n(S'O8'\nI0\nI1\ntRI0\ntdI8\nI1\nI0\ntb"
    sparse = b"ccopy_reg\n_reconstructor\n(cscipy.sparse.csc\ncsc_matrix\nc__builtin__\nobject\nNtR"

    def matrix(*entries: bytes) -> bytes:
        return sparse + b"(d" + b"".join(entries) + b"b"

    found = {
        "a shape without data": array(f8, b"(L1000000000000000L\ntDTYPEI00\nS'12345678'\n"),
        "a negative shape": array(f8, b"(I-1\ntDTYPEI00\nS'12345678'\n"),
        "a shape that is no shape": array(f8, b"S'abc'\nDTYPEI00\nS'12345678'\n"),
        "objects as bytes": array(f8.replace(b"f8", b"O8"), b"(I1\ntDTYPEI00\nS'12345678'\n"),
        "a record of pointers": array(record, b"(I1\ntDTYPEI00\nS'12345678'\n"),
        "a huge item": array(f8.replace(b"f8", b"S999999999999"), b"(I1\ntDTYPEI00\nS'1'\n"),
        "no dtype": array(b"N", b"(I1\ntDTYPEI00\nS'12345678'\n"),
        "a bad order": array(f8.replace(b"'<'", b"'?'"), b"(I1\ntDTYPEI00\nS'12345678'\n"),
        "a state of nothing": b"c" + core.encode() + b"\n_reconstruct\n(tRNb",
        "a state for a class": b"cnumpy\ndtype\nN(dS'dtype'\nI1\ns\x86b",
        "a state for a stand-in": b"c__builtin__\nset\nN(S'__init__'\nI1\nd\x86b",
        "an array of itself": b"c" + core.encode() + b"\n_reconstruct\n(tRp1\n(I1\n(t" + f8.replace(b"f8", b"O8") + b"I00\n(lp2\ng1\natb",
        "chumpy of itself": b"\x80\x02cchumpy.ch\nCh\n)\x81p1\n(dS'x'\ng1\nsb",
        "chumpy that runs": b"\x80\x02cchumpy.ch\nos.system\n(S'touch canary'\ntR",
        "a formula of chumpy": b"\x80\x02cchumpy.ch_ops\nadd\n)\x81(db",
        "a zip by encode": call("_codecs", "encode", "abc", "zip"),
        "bytes by a number": call("builtins", "bytes", 1 << 40),
        "a sparse matrix without end": matrix(b"S'_shape'\n(I1000000000\nI1000000000\nts"),
        "a sparse matrix of nothing": matrix(b"S'_shape'\n(I2\nI2\nts"),
        "a class that is none": b"ccopy_reg\n_reconstructor\n(I1\nc__builtin__\nobject\nNtR",
        "an absurd memo": b"\x80\x02Nr" + struct.pack("<I", 0xFFFFFFFF),
        "absurd bytes": b"\x80\x04\x8e" + struct.pack("<Q", 1 << 62) + b"abc",
        "an absurd bytearray": b"\x80\x05\x96" + struct.pack("<Q", 1 << 40) + b"abc",
        "an absurd frame": b"\x80\x04\x95" + struct.pack("<Q", 1 << 60) + b"N",
        "an absurd integer": b"\x80\x02\x8b" + struct.pack("<i", 0x7FFFFFFF) + b"abc",
        "deep lists": b"(l" * 100_000 + b"a" * 99_999,
    }
    return {name: data + end for name, data in found.items()}


@pytest.mark.parametrize("name", sorted(allowed_with_bad_arguments()))
def test_allowed_names_with_bad_arguments_cost_nothing(name: str, small: Arrays, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    npz = synthetic_smpl.write_npz(tmp_path / "smpl.npz", small, sparse=True)
    with_member(npz, "J_regressor.npy", npy("|O", "()") + allowed_with_bad_arguments()[name])
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="smpl.npz: J_regressor is "):
            supple.smpl.load(npz)
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()
    # Nothing of it stays in the process.
    LAYOUTS["original pkl"](tmp_path / "good", small)
    assert np.array_equal(supple.smpl.load(tmp_path / "good.pkl").vertices(), supple.smpl.from_arrays(small).vertices())
    assert not (tmp_path / "canary").exists()


def test_headers_that_lie(small: Arrays, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npz = synthetic_smpl.write_npz(tmp_path / "smpl.npz", small)
    with_member(npz, "v_template.npy", npy("<f8", "(1000000000000, 3)") + bytes(24))
    with pytest.raises(ValueError, match=r"smpl.npz: v_template is no array: its header says \(1000000000000, 3\)"):
        supple.smpl.load(npz)
    with_member(npz, "v_template.npy", b"\x93NUMPY\x09\x00")
    with pytest.raises(ValueError, match="smpl.npz: v_template is no array"):
        supple.smpl.load(npz)
    with_member(npz, "v_template.npy", bytes(1 << 20))
    monkeypatch.setattr(supple.smpl._npz, "LARGEST", 1 << 19)
    with pytest.raises(ValueError, match="v_template is no array: it has 1048576 bytes, expected at most 524288"):
        supple.smpl.load(npz)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_files_that_end_early_or_have_wrong_bytes(layout: str, tmp_path: Path) -> None:
    found = synthetic_smpl.arrays("mano", rings=1, corners=3, shapes=1)
    found["posedirs"] = found["posedirs"].astype(np.float32)
    path = LAYOUTS[layout](tmp_path / "mano", found)
    whole = path.read_bytes()
    random = np.random.default_rng(17)
    for cut in [*range(0, 200, 7), *random.integers(0, len(whole) - 1, 40).tolist()]:
        path.write_bytes(whole[:cut])
        with pytest.raises(ValueError, match="mano"):
            supple.smpl.load(path)
    # Bytes of numbers are most of a file: a part of the places is near its opcodes.
    near = [place for place in range(len(whole) - 1) if whole[place : place + 1] in b"cRbtq(\x85\x86\x87\x81}" and whole[place + 1] < 128]
    for _ in range(400):
        broken = bytearray(whole)
        for place in (*random.choice(near, 2).tolist(), int(random.integers(len(whole)))):
            broken[place] = random.integers(256)
        path.write_bytes(broken)
        try:
            supple.smpl.load(path)
        except ValueError as error:
            assert str(path) in str(error)


def npy(dtype: str, shape: str) -> bytes:
    """The header of a .npy."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}}}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header


def with_member(path: Path, name: str, data: bytes) -> None:
    """Puts another member into a .npz."""
    with zipfile.ZipFile(path) as file:
        members = {member: file.read(member) for member in file.namelist()}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for member, old in {**members, name: data}.items():
            file.writestr(member, data if member == name else old)
    path.write_bytes(content.getvalue())


def test_examples_run() -> None:
    for module, least in ((supple.smpl, 5), (supple.smpl._model, 10)):
        results = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
        assert results.attempted >= least and results.failed == 0


def doubled(thing: Any, times: int) -> Any:
    """Of few bytes in a pickle, without end once it is unfolded."""
    for _ in range(times):
        thing = type(thing)((thing, thing))
    return thing


def as_pickle(before: bytes, thing: Any, after: bytes) -> bytes:
    """Written by hand: Python itself would hash it for ever."""
    return b"\x80\x02" + before + pickle.dumps(thing, protocol=2)[2:-1] + after + b"."


BOMBS = {
    "a key": as_pickle(b"}", doubled((1.0,), 60), b"K\x01s"),
    "keys": as_pickle(b"}(", doubled((1.0,), 60), b"K\x01u"),
    "a dictionary": as_pickle(b"(", doubled((1.0,), 60), b"K\x01d"),
    "a key below": as_pickle(b"}X\n\0\0\0v_template}", doubled((1.0,), 60), b"K\x01ss"),
    "a list": as_pickle(b"}X\n\0\0\0v_template", doubled([1.0], 60), b"s"),
    "a tuple": as_pickle(b"}X\n\0\0\0v_template", doubled((1.0,), 60), b"s"),
    "a set": pickle.dumps({"f": {1, 2}}, protocol=4),
    "a shape": pickle.dumps({"v_template": np.zeros((1, 3))}, protocol=2).replace(
        b"K\x01K\x03\x86", pickle.dumps(doubled((1,), 60), protocol=2)[2:-1]
    ),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_pickles_that_would_take_for_ever(bomb: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.pkl"
    path.write_bytes(BOMBS[bomb])
    assert path.stat().st_size < 1000
    with pytest.raises(ValueError, match="bomb.pkl") as caught:
        supple.smpl.load(path)
    assert len(str(caught.value)) < 500
