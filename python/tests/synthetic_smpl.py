"""Bodies with the arrays and files of SMPL, SMPL-H, SMPL-X and MANO, but made up: nothing in them is licensed.

A figure of closed tubes, one along each bone, which do not touch at rest. Weights are smooth, at most four per vertex. Directions of
shape and pose are random and smooth.
"""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Arrays = dict[str, Any]

FAMILIES = {"smpl": 24, "smplh": 52, "smplx": 55, "mano": 16}
"""Numbers of joints."""

# Pelvis to wrists, and the two hands of SMPL. Left is +x, up is +y.
_BODY_PARENTS = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19]
_HALF = {
    1: (0.10, -0.09, 0.0),
    4: (0.11, -0.48, 0.0),
    7: (0.11, -0.88, -0.02),
    10: (0.12, -0.93, 0.11),
    13: (0.09, 0.42, 0.0),
    16: (0.19, 0.43, 0.0),
    18: (0.45, 0.43, 0.0),
    20: (0.70, 0.43, 0.0),
}
_MIDDLE = {0: (0.0, 0.0, 0.0), 3: (0.0, 0.11, 0.0), 6: (0.0, 0.24, 0.0), 9: (0.0, 0.32, 0.0), 12: (0.0, 0.52, 0.0), 15: (0.0, 0.62, 0.03)}


def skeleton(family: str) -> tuple[list[int], Array]:
    """Parents, and where joints are."""
    if family == "mano":
        fingers, points = _hand(0, 1, np.zeros(3), 1.0)
        return [-1, *fingers], np.array([np.zeros(3), *points])
    points = [np.zeros(3)] * 22
    for joint, point in _MIDDLE.items():
        points[joint] = np.array(point)
    for joint, point in _HALF.items():
        points[joint] = np.array(point)
        points[joint + 1] = np.array(point) * [-1, 1, 1]
    parents = list(_BODY_PARENTS)
    if family == "smpl":
        return [*parents, 20, 21], np.array([*points, points[20] + [0.08, 0, 0], points[21] - [0.08, 0, 0]])
    if family == "smplx":
        parents += [15, 15, 15]
        points += [points[15] + offset for offset in ([0, -0.02, 0.05], [0.03, 0.06, 0.08], [-0.03, 0.06, 0.08])]
    for wrist, side in ((20, 1.0), (21, -1.0)):
        more_parents, more_points = _hand(wrist, len(parents), points[wrist], side)
        parents, points = parents + more_parents, points + more_points
    return parents, np.array(points)


def _hand(wrist: int, first: int, place: Array, side: float) -> tuple[list[int], list[Array]]:
    """Index, middle, pinky, ring, thumb, with three joints each."""
    parents, points = [], []
    for finger, spread in enumerate((0.03, 0.01, -0.03, -0.01, 0.06)):
        for bone in range(3):
            parents.append(wrist if bone == 0 else first + 3 * finger + bone - 1)
            along = 0.08 + 0.03 * bone if finger < 4 else 0.03 + 0.025 * bone
            points.append(place + np.array([side * along, -0.002 * bone, spread]))
    return parents, points


def arrays(family: str, *, seed: int = 0, shapes: Optional[int] = None, rings: int = 8, corners: int = 8) -> Arrays:
    """What a file of the family has: 74 vertices for each joint, or as many as rings and corners make."""
    random = np.random.default_rng(seed)
    parents, joints = skeleton(family)
    count = len(parents)
    bones = _bones(parents, joints)
    vertices, triangles = _tubes(bones, rings, corners)
    if shapes is None:
        shapes = {"smpl": 10, "smplh": 16, "smplx": 20, "mano": 10}[family]
    reach = 0.25 * float(np.linalg.norm(vertices.max(axis=0) - vertices.min(axis=0)))
    near = np.exp(-(_distances(vertices, joints[1:]) ** 2) / (2.0 * (0.2 * reach) ** 2))
    pose = 0.01 * reach * random.standard_normal((3, count - 1, 9))
    tree = np.array([[2**32 - 1, *parents[1:]], range(count)], dtype=np.uint32)
    found: Arrays = {
        "v_template": vertices,
        "f": triangles.astype(np.uint32),
        "weights": _weights(vertices, bones, 0.04 * reach),
        "kintree_table": tree,
        "J_regressor": _regressor(vertices, joints),
        "shapedirs": _smooth(random, vertices / reach, shapes) * 0.03 * reach,
        "posedirs": np.einsum("vj,xji->vxji", near, pose).reshape(len(vertices), 3, -1),
    }
    for side in {"smplh": "lr", "smplx": "lr"}.get(family, ""):
        found[f"hands_mean{side}"] = 0.2 * random.standard_normal(45)
        found[f"hands_components{side}"] = np.linalg.qr(random.standard_normal((45, 45)))[0]
    if family == "mano":
        found["hands_mean"] = 0.2 * random.standard_normal(45)
        found["hands_components"] = np.linalg.qr(random.standard_normal((45, 45)))[0]
    return found


def _bones(parents: list[int], joints: Array) -> Array:
    """Both ends of what each joint moves: to its first child, or as far on as it came."""
    ends = []
    for joint, parent in enumerate(parents):
        child = next((c for c, p in enumerate(parents) if p == joint), None)
        ahead = joints[child] if child is not None else joints[joint] + 0.8 * (joints[joint] - joints[parent])
        ends.append((joints[joint], ahead))
    return np.array(ends)


def _tubes(bones: Array, rings: int, corners: int) -> tuple[Array, npt.NDArray[np.int64]]:
    """Closed tubes with round ends along the middle of the bones."""
    vertices: list[Array] = []
    triangles: list[tuple[int, int, int]] = []
    turn = np.linspace(0.0, 2.0 * np.pi, corners, endpoint=False)
    for start, end in bones:
        axis = end - start
        length = np.linalg.norm(axis)
        side = np.cross(axis / length, np.eye(3)[np.argmin(np.abs(axis))])
        side /= np.linalg.norm(side)
        other = np.cross(axis / length, side)
        first = sum(len(tube) for tube in vertices)
        along = 0.5 - 0.38 * np.cos(np.linspace(0.0, np.pi, rings + 2))
        width = 0.16 * length * np.sqrt(np.sin(np.linspace(0.0, np.pi, rings + 2))[1:-1])
        circle = np.cos(turn)[:, None] * side + np.sin(turn)[:, None] * other
        body = [start + s * axis + w * circle for s, w in zip(along[1:-1], width)]
        vertices.append(np.concatenate([[start + along[0] * axis], *body, [start + along[-1] * axis]]))
        last = first + rings * corners + 1
        for i in range(corners):
            j = (i + 1) % corners
            triangles.append((first, first + 1 + j, first + 1 + i))
            triangles.append((last, last - corners + i, last - corners + j))
            for ring in range(rings - 1):
                a, b = first + 1 + ring * corners + i, first + 1 + ring * corners + j
                triangles += [(a, b, a + corners), (b, b + corners, a + corners)]
    return np.concatenate(vertices), np.array(triangles)


def _weights(vertices: Array, bones: Array, reach: float) -> Array:
    """They fall with the distance from bones, and the four largest are kept."""
    axes = bones[:, 1] - bones[:, 0]
    along = np.einsum("vbx,bx->vb", vertices[:, None] - bones[:, 0], axes) / (axes**2).sum(axis=1)
    nearest = bones[:, 0] + np.clip(along, 0.0, 1.0)[:, :, None] * axes
    distance = np.linalg.norm(vertices[:, None] - nearest, axis=2)
    weights = np.exp(-(distance - distance.min(axis=1, keepdims=True)) / reach)
    np.put_along_axis(weights, np.argsort(weights, axis=1)[:, :-4], 0.0, axis=1)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _regressor(vertices: Array, joints: Array) -> Array:
    """Joints as means of the vertices around them."""
    distance = _distances(vertices, joints).T
    near = np.where(distance <= np.sort(distance, axis=1)[:, 15:16], 1.0 / (0.01 + distance), 0.0)
    return np.asarray(near / near.sum(axis=1, keepdims=True))


def _distances(points: Array, others: Array) -> Array:
    return np.asarray(np.linalg.norm(points[:, None] - others, axis=2))


def _smooth(random: np.random.Generator, points: Array, count: int) -> Array:
    """Random sums of waves: (v, 3, count)."""
    waves = random.standard_normal((3, 6))
    phases = np.sin(points @ waves + random.uniform(0.0, 6.0, 6))
    return np.asarray(np.einsum("vw,wxk->vxk", phases, random.standard_normal((6, 3, count)) / 6.0))


# Files


def write_npz(path: Path, found: Arrays, *, sparse: bool = False) -> Path:
    """As np.savez writes it. `sparse` has the regressor as an object: a matrix of scipy in an array."""
    found = dict(found)
    if sparse:
        from scipy.sparse import csc_matrix  # type: ignore[import-untyped]

        found["J_regressor"] = np.array(csc_matrix(found["J_regressor"]), dtype=object)
    np.savez(path, **found)
    return path


def write_pkl(path: Path, found: Arrays, *, sparse: str = "", protocol: int = 2) -> Path:
    """As a program of today writes it. `sparse` names a matrix of scipy for the regressor: csc, csr or coo."""
    found = dict(found)
    if sparse:
        import scipy.sparse  # type: ignore[import-untyped]

        found["J_regressor"] = getattr(scipy.sparse, f"{sparse}_matrix")(found["J_regressor"])
    path.write_bytes(pickle.dumps(found, protocol=protocol))
    return path


def write_original_pkl(path: Path, found: Arrays) -> Path:
    """As the first files are: by Python 2, with arrays of chumpy and a sparse matrix of scipy under their old names."""
    from scipy.sparse import csc_matrix

    shapes = found["shapedirs"]
    twice = np.concatenate([shapes, shapes], axis=2)
    picked = np.arange(twice.size).reshape(twice.shape)[:, :, : shapes.shape[2]].ravel()
    original = {
        **found,
        "J_regressor": csc_matrix(found["J_regressor"]),
        "v_template": _made("chumpy.ch", "Ch", x=found["v_template"], _parents=None, _dirty_vars={"x"}),
        "shapedirs": _made("chumpy.reordering", "Select", a=_made("chumpy.ch", "Ch", x=twice), idxs=picked, preferred_shape=shapes.shape),
        "J": _made("chumpy.reordering", "transpose", a=_made("chumpy.ch_ops", "add")),
        "bs_style": "lbs",
        "bs_type": "lrotmin",
    }
    file = io.BytesIO()
    _Python2Pickler(file, protocol=2).dump(original)
    path.write_bytes(file.getvalue())
    return path


def _made(module: str, name: str, **state: Any) -> Any:
    """An object of a class that is nowhere installed."""
    made = type(name, (), {"__module__": module})()
    made.__dict__.update(state)
    return made


class _Python2Pickler(pickle._Pickler):
    """Texts and bytes are strings, and modules have their old names."""

    dispatch = dict(pickle._Pickler.dispatch)

    def save_string(self: Any, text: Any) -> None:
        data = text.encode("latin1") if isinstance(text, str) else text
        self.write(pickle.BINSTRING + len(data).to_bytes(4, "little") + data)
        self.memoize(text)

    def save_class(self: Any, found: Any, name: Optional[str] = None) -> None:
        module = found.__module__.replace("numpy._core", "numpy.core").replace("scipy.sparse._", "scipy.sparse.")
        module = {"builtins": "__builtin__"}.get(module, module)
        self.write(pickle.GLOBAL + f"{module}\n{name or found.__qualname__}\n".encode())
        self.memoize(found)

    save_global = save_class
    dispatch[str] = dispatch[bytes] = save_string
    dispatch[type] = save_class
