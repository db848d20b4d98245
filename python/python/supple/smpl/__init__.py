"""SMPL, SMPL-H, SMPL-X and MANO: bodies and hands of a few numbers, from the files that people have.

In: a file (.npz or .pkl) or its arrays. Out: a `supple.Model`, and for shape and pose what moves it: coefficients and joint matrices.

    v_shaped = v_template + sum_k betas_k shapedirs_k + sum_k expression_k exprdirs_k
    J        = J_regressor v_shaped
    v_posed  = v_shaped + sum_i feature_i posedirs_i,   feature = (R_1 - I, ..., R_n - I), row after row
    G_j      = G_parent [R_j | J_j - J_parent],         R_j = Rodrigues(pose_j)
    vertex   = sum_j w_j G_j [I | -J_j] v_posed + transl

The first and the third line are displacement fields, the last one is linear skinning: just what supple deforms by, so that
nothing is approximated. `J` is linear in betas, and no vertex is computed to pose a body.

Based on: M. Loper et al., SMPL: A Skinned Multi-Person Linear Model, 2015; J. Romero et al., Embodied Hands, 2017 (SMPL-H,
MANO); G. Pavlakos et al., Expressive Body Capture, 2019 (SMPL-X).

Files are licensed by their authors and do not come with supple. Pickles are read without running anything: see `load`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Union

import numpy as np

from ._model import SmplBody, SmplModel
from ._npz import Npz
from ._pickles import read_pickle

__all__ = ["SmplBody", "SmplModel", "example", "from_arrays", "load"]


def load(
    path: Union[str, os.PathLike[str]],
    *,
    betas: int = 10,
    expression: int = 10,
    flat_hand_mean: bool = False,
    use_pose_correctives: bool = True,
) -> SmplModel:
    """Reads SMPL, SMPL-H, SMPL-X or MANO: .npz or .pkl, also the old ones of Python 2 with chumpy and scipy inside, which need neither.

    - `betas`, `expression`: how many coefficients of shape and face to take, if the file has as many.
    - `flat_hand_mean`: hands are flat where their pose is zero. Otherwise the file's mean pose is added to them, as the package smplx does.
    - `use_pose_correctives`: False leaves posedirs away. Questions are faster then, and joints look less like flesh.

    A pickle can run any code when it is read. Here it cannot: it gets plain containers of numbers, and a file that asks for
    anything else is refused with a ValueError. The same holds for objects in a .npz.

    >>> import supple
    >>> smpl = supple.smpl.load("SMPL_NEUTRAL.npz")  # doctest: +SKIP
    >>> body = smpl.body().set(betas=[1.5] + [0] * 9)  # doctest: +SKIP
    """
    name = os.fspath(path)
    with open(name, "rb") as file:
        is_zip = file.read(4) == b"PK\x03\x04"
    arrays: Mapping[str, Any] = Npz(name) if is_zip else read_pickle(name)
    return SmplModel(arrays, name, betas, expression, flat_hand_mean, use_pose_correctives)


def from_arrays(
    arrays: Mapping[str, Any],
    *,
    betas: int = 10,
    expression: int = 10,
    flat_hand_mean: bool = False,
    use_pose_correctives: bool = True,
) -> SmplModel:
    """Makes a model from arrays with the keys of the files; shapedirs, posedirs and hands may be missing. Options are those of `load`.

    >>> import numpy as np, supple
    >>> smpl = supple.smpl.from_arrays({
    ...     "v_template": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
    ...     "f": [[0, 1, 2]],
    ...     "weights": [[1, 0], [0, 1], [1, 0]],
    ...     "J_regressor": [[1, 0, 0], [0.5, 0.5, 0]],
    ...     "kintree_table": [[-1, 0], [0, 1]],
    ... })
    >>> smpl.joints(transl=[0, 0, 2]).tolist()
    [[0.0, 0.0, 2.0], [0.5, 0.0, 2.0]]
    """
    return SmplModel(arrays, "arrays", betas, expression, flat_hand_mean, use_pose_correctives)


def example() -> SmplModel:
    """A bar of three joints and one beta, which makes it longer: to try things without a licensed file.

    >>> import supple
    >>> supple.smpl.example()
    <supple.smpl.SmplModel: 52 vertices, 100 triangles, 3 joints, 19 coefficients>
    """
    along = np.linspace(0.0, 3.0, 13)
    square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * 0.2
    vertices = np.array([[x, y, z] for x in along for y, z in square])
    sides = [(4 * ring + i, 4 * ring + (i + 1) % 4) for ring in range(12) for i in range(4)]
    triangles = [t for a, b in sides for t in ((a, a + 4, b), (b, a + 4, b + 4))]
    triangles += [(0, 1, 2), (0, 2, 3), (48, 50, 49), (48, 51, 50)]
    joints = np.arange(3.0)
    weights = np.maximum(0.0, 1.0 - np.abs(vertices[:, :1] - 0.5 - joints))
    near = (np.abs(vertices[:, :1] - joints) < 0.01).astype(np.float64)
    shape = np.zeros((52, 3, 1))
    shape[:, 0, 0] = vertices[:, 0] / 3.0
    bulge = np.zeros((52, 3, 18))
    bulge[:, 1, 0::9] = -0.02 * vertices[:, 1:2]
    return from_arrays(
        {
            "v_template": vertices,
            "f": triangles,
            "weights": weights / weights.sum(axis=1, keepdims=True),
            "J_regressor": (near / near.sum(axis=0)).T,
            "kintree_table": [[-1, 0, 1], [0, 1, 2]],
            "shapedirs": shape,
            "posedirs": bulge,
        }
    )
