"""Models and bodies: shape and pose become what moves them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Callable, Optional

import numpy as np
import numpy.typing as npt

from .._native import Body, Model, Shape
from ._families import FAMILIES, HAND_KEYS, PARTS
from ._file_arrays import FileArrays, levels_of, normalized_weights, parents_of, shape_count
from ._pose_arguments import Array, Floats, Frames, joint_form, finite_numbers


class SmplModel:
    """A body model: `model` and `shape` are supple's, the methods turn shape and pose into what moves them.

    >>> import supple
    >>> smpl = supple.smpl.example()
    >>> smpl.joint_names, smpl.beta_count, smpl.expression_count
    (['joint 0', 'joint 1', 'joint 2'], 1, 0)
    """

    family: str
    """SMPL, SMPL-H, SMPL-X, MANO, or "" if the number of joints is that of none."""
    joint_names: list[str]
    parents: npt.NDArray[np.int64]
    """The joint above each joint, -1 for the first."""
    triangles: npt.NDArray[np.uint32]
    beta_count: int
    expression_count: int
    coefficient_names: list[str]
    """What coefficients of `model` stand for: betas, expression, then nine numbers of each rotation but the first."""

    def __init__(
        self,
        arrays: Mapping[str, Any],
        source: str,
        betas: int,
        expression: int,
        flat_hand_mean: bool,
        use_pose_correctives: bool,
    ) -> None:
        for option, count in (("betas", betas), ("expression", expression)):
            if not isinstance(count, (int, np.integer)):
                raise TypeError(f"{option}: expected how many to take, got {count!r}")
            if count < 0:
                raise ValueError(f"{option}: expected how many to take, got {count}")
        take = FileArrays(arrays, source)
        template = take.floats("v_template", None, 3)
        vertices = len(template)
        tree = take.integers("kintree_table", 2, None)
        joints = tree.shape[1]
        self.parents = parents_of(tree, source)
        self._levels = levels_of(self.parents)
        triangles = take.integers("f", None, 3)
        wrong = triangles[(triangles < 0) | (triangles >= vertices)]
        if len(wrong):
            raise ValueError(f"{source}: f names vertex {wrong[0]}, but v_template has {vertices} vertices")
        self.triangles = triangles.astype(np.uint32)
        self.family, names = FAMILIES.get(joints, ("", [f"joint {j}" for j in range(joints)]))
        self.joint_names = list(names)
        self._parts = {"global_orient": (0, 1), **PARTS.get(self.family, {"body_pose": (1, joints - 1)})}
        self._template = template
        self._weights = normalized_weights(take.floats("weights", vertices, joints), source)

        shape = take.directions("shapedirs", vertices, None)
        split = shape_count(len(shape), joints)
        face = shape[split:][:expression]
        shape = shape[:split][:betas]
        self.beta_count, self.expression_count = len(shape), len(face)
        pose = take.directions("posedirs", vertices, 9 * (joints - 1)) if use_pose_correctives else shape[:0]
        if not pose.any():
            pose = pose[:0]
        self._fields = np.concatenate([shape, face, pose]).reshape(-1, vertices, 3)
        self._has_pose_fields = len(pose) > 0
        self.coefficient_names = [f"beta {k}" for k in range(len(shape))] + [f"expression {k}" for k in range(len(face))]
        if self._has_pose_fields:
            cells = [(row, column) for row in range(3) for column in range(3)]
            self.coefficient_names += [f"{name} {r}{c}" for name in self.joint_names[1:] for r, c in cells]

        # J = J_regressor v_shaped, with the regressor applied to all that v_shaped is a sum of.
        regressor = take.floats("J_regressor", joints, vertices)
        self._rest_joints = regressor @ template
        shape_fields = self._fields[: len(shape) + len(face)]
        self._joint_fields = np.tensordot(shape_fields, regressor, axes=([1], [1])).transpose(0, 2, 1)

        self._hands: dict[str, tuple[Array, Optional[Array]]] = {}
        for part in self._parts.keys() & HAND_KEYS.keys():
            mean_key, components_key = HAND_KEYS[part]
            mean = take.floats(mean_key, 45) if mean_key in arrays and not flat_hand_mean else np.zeros(45)
            components = take.floats(components_key, None, 45) if components_key in arrays else None
            self._hands[part] = (mean, components)

    @property
    def vertex_count(self) -> int:
        return len(self._template)

    @property
    def joint_count(self) -> int:
        return len(self.parents)

    @cached_property
    def model(self) -> Model:
        """The mesh, its weights, and a displacement field for each coefficient. Made the first time, the same from then on.

        >>> import supple
        >>> supple.smpl.example().model.coefficient_names[:3]
        ['beta 0', 'joint 1 00', 'joint 1 01']
        """
        has_fields = len(self._fields) > 0
        return Model(
            self._template.astype(np.float32),
            self.triangles,
            weights=self._weights.astype(np.float32),
            joints=self._rest_joints,
            parents=self.parents,
            names=self.joint_names,
            displacements=self._fields.astype(np.float32) if has_fields else None,
            coefficient_names=self.coefficient_names if has_fields else None,
        )

    @property
    def shape(self) -> Shape:
        """`model` with its tree, for bodies and `self_collide_many`. Built the first time, the same from then on."""
        return self.model.shape()

    def body(self) -> SmplBody:
        """A body, posed as `set()` without arguments does it, to be asked like any other.

        >>> import supple
        >>> body = supple.smpl.example().body()
        >>> body.set(body_pose=[[0, 0, 0], [0, 0, 3]]) is body
        True
        """
        return SmplBody(self)

    def matrices(
        self,
        betas: Optional[Floats] = None,
        body_pose: Optional[Floats] = None,
        global_orient: Optional[Floats] = None,
        transl: Optional[Floats] = None,
        *,
        expression: Optional[Floats] = None,
        left_hand_pose: Optional[Floats] = None,
        right_hand_pose: Optional[Floats] = None,
        jaw_pose: Optional[Floats] = None,
        leye_pose: Optional[Floats] = None,
        reye_pose: Optional[Floats] = None,
        hand_pose: Optional[Floats] = None,
    ) -> tuple[Array, Array]:
        """What moves `model`: joint matrices `(j, 4, 4)` and coefficients `(k,)`. What is None is zero.

        A pose of n joints is `(3 n,)` or `(n, 3)`, axes times angles, or `(n, 3, 3)`, rotation matrices. `body_pose` may also have
        all joints but the first: they are then taken as they are, without the mean of hands, and no other part is given.
        A hand is 15 joints, or as many coefficients of its principal components as you have (not 45). Its mean pose is added unless
        it is given as rotation matrices.

        Each of them may have one axis more in front, for frames; what has none is the same in all frames. The results are then
        `(t, j, 4, 4)` and `(t, k)`, for `supple.self_collide_many`. A `global_orient` of shape (3, 3) is one rotation matrix if it is a rotation,
        otherwise three frames.

        >>> import numpy as np, supple
        >>> matrices, coefficients = supple.smpl.example().matrices(betas=[2], body_pose=np.zeros((100, 6)))
        >>> matrices.shape, coefficients.shape
        ((100, 3, 4, 4), (100, 19))
        """
        frames = Frames()
        numbers = frames.numbers("betas", betas, self.beta_count, "load(..., betas=n) takes another number of them")
        face = frames.numbers("expression", expression, self.expression_count, "load(..., expression=n) takes another number of them")
        offset = frames.numbers("transl", transl, 3)
        given = {
            "global_orient": global_orient,
            "body_pose": body_pose,
            "jaw_pose": jaw_pose,
            "leye_pose": leye_pose,
            "reye_pose": reye_pose,
            "left_hand_pose": left_hand_pose,
            "right_hand_pose": right_hand_pose,
            "hand_pose": hand_pose,
        }
        rotations = self._rotations(given, frames)
        count = len(rotations)
        shape = np.concatenate([np.broadcast_to(part, (count, part.shape[1])) for part in (numbers, face)], axis=1)
        feature = (rotations[:, 1:] - np.eye(3)).reshape(count, 9 * (self.joint_count - 1))
        coefficients = np.concatenate([shape, feature], axis=1) if self._has_pose_fields else shape

        rest = self._rest_joints_of(shape)
        matrices = np.zeros((count, self.joint_count, 4, 4))
        matrices[:, :, :3, :3] = rotations
        matrices[:, :, :3, 3] = rest
        matrices[:, 1:, :3, 3] -= rest[:, self.parents[1:]]
        matrices[:, :, 3, 3] = 1.0
        for joints in self._levels:
            matrices[:, joints] = matrices[:, self.parents[joints]] @ matrices[:, joints]
        matrices[:, :, :3, 3] += offset[:, np.newaxis] - np.einsum("tjab,tjb->tja", matrices[:, :, :3, :3], rest)
        return (matrices, coefficients) if frames.has_axis else (matrices[0], coefficients[0])

    def joints(
        self,
        betas: Optional[Floats] = None,
        body_pose: Optional[Floats] = None,
        global_orient: Optional[Floats] = None,
        transl: Optional[Floats] = None,
        **others: Optional[Floats],
    ) -> Array:
        """Where joints are: `(j, 3)`, or `(t, j, 3)` for frames. Arguments are those of `matrices`.

        >>> import supple
        >>> supple.smpl.example().joints(betas=[3]).tolist()
        [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [4.0, 0.0, 0.0]]
        """
        matrices, coefficients = self.matrices(betas, body_pose, global_orient, transl, **others)
        rest = self._rest_joints_of(coefficients[..., : len(self._joint_fields)])
        moved: Array = np.einsum("...ab,...b->...a", matrices[..., :3, :3], rest) + matrices[..., :3, 3]
        return moved

    def vertices(
        self,
        betas: Optional[Floats] = None,
        body_pose: Optional[Floats] = None,
        global_orient: Optional[Floats] = None,
        transl: Optional[Floats] = None,
        **others: Optional[Floats],
    ) -> Array:
        """All vertices, by numpy in double precision: `(v, 3)`, or `(t, v, 3)` for frames. Arguments are those of `matrices`.

        To check with, or to draw. Questions to a body do not need it.

        >>> import supple
        >>> supple.smpl.example().vertices(betas=[3])[:, 0].max().item()
        6.0
        """
        matrices, coefficients = self.matrices(betas, body_pose, global_orient, transl, **others)
        frames = zip(np.atleast_2d(coefficients), matrices.reshape(-1, self.joint_count, 4, 4))
        posed = np.array([self._skinned(*frame) for frame in frames]).reshape(-1, self.vertex_count, 3)
        return posed if coefficients.ndim == 2 else posed[0]

    def __repr__(self) -> str:
        family = f" {self.family}," if self.family else ""
        return (
            f"<supple.smpl.SmplModel:{family} {self.vertex_count} vertices, {len(self.triangles)} triangles, "
            f"{self.joint_count} joints, {len(self._fields)} coefficients>"
        )

    def _skinned(self, coefficients: Array, matrices: Array) -> Array:
        posed = self._template + np.tensordot(coefficients, self._fields, axes=1)
        blended = np.tensordot(self._weights, matrices[:, :3], axes=1)
        skinned: Array = np.einsum("vab,vb->va", blended[:, :, :3], posed) + blended[:, :, 3]
        return skinned

    def _rest_joints_of(self, shape: Array) -> Array:
        joints: Array = self._rest_joints + np.tensordot(shape, self._joint_fields, axes=1)
        return joints

    def _rotations(self, given: Mapping[str, Optional[Floats]], frames: Frames) -> Array:
        """Rotation matrices of all joints in all frames: `(t, j, 3, 3)`."""
        parts = dict(self._parts)
        others = self.joint_count - 1
        body = given["body_pose"]
        if body is not None and parts.get("body_pose", (1, 0))[1] != others and joint_form(finite_numbers("body_pose", body), others):
            parts = {"global_orient": (0, 1), "body_pose": (1, others)}
        for name, value in given.items():
            if value is not None and name not in parts:
                whole = "body_pose already has all joints" if name in self._parts else f"{self.family or 'this model'} has no such part"
                raise ValueError(f"{name}: {whole}; expected only {', '.join(parts)}")
        turns = {}
        for name, (_, count) in parts.items():
            if name in self._hands:
                mean, components = self._hands[name]
                turns[name] = frames.hand(name, given[name], mean, components)
            else:
                turns[name] = frames.rotations(name, given[name], count)
        rotations = np.empty((frames.count(), self.joint_count, 3, 3))
        for name, (first, count) in parts.items():
            rotations[:, first : first + count] = turns[name]
        return rotations


class SmplBody(Body):
    """A `supple.Body` that is posed by shape and pose. Every question takes it.

    >>> import supple
    >>> body = supple.smpl.example().body()
    >>> len(supple.self_collide(body)), len(supple.self_collide(body.set(body_pose=[0, 0, 0, 0, 0, 3]))) > 0
    (0, True)
    """

    smpl: SmplModel
    """What it is a body of."""

    def __new__(cls, smpl: SmplModel) -> SmplBody:
        # The compiled class takes its arguments here.
        new: Callable[..., SmplBody] = super().__new__
        return new(cls, smpl.shape, "linear")

    def __init__(self, smpl: SmplModel) -> None:
        self.smpl = smpl
        self.set()

    def set(
        self,
        betas: Optional[Floats] = None,
        body_pose: Optional[Floats] = None,
        global_orient: Optional[Floats] = None,
        transl: Optional[Floats] = None,
        *,
        expression: Optional[Floats] = None,
        left_hand_pose: Optional[Floats] = None,
        right_hand_pose: Optional[Floats] = None,
        jaw_pose: Optional[Floats] = None,
        leye_pose: Optional[Floats] = None,
        reye_pose: Optional[Floats] = None,
        hand_pose: Optional[Floats] = None,
    ) -> SmplBody:
        """Takes shape and pose, as `SmplModel.matrices` has them, of one frame. What is None is zero.

        >>> import supple
        >>> supple.smpl.example().body().set(betas=[3], transl=[1, 0, 0]).vertices[:, 0].max().item()
        7.0
        """
        matrices, coefficients = self.smpl.matrices(
            betas,
            body_pose,
            global_orient,
            transl,
            expression=expression,
            left_hand_pose=left_hand_pose,
            right_hand_pose=right_hand_pose,
            jaw_pose=jaw_pose,
            leye_pose=leye_pose,
            reye_pose=reye_pose,
            hand_pose=hand_pose,
        )
        if matrices.ndim == 4:
            if len(matrices) != 1:
                raise ValueError(f"betas, body_pose, ...: expected one frame, got {len(matrices)} frames; supple.self_collide_many takes many")
            matrices, coefficients = matrices[0], coefficients[0]
        self.set_matrices(matrices, coefficients=coefficients)
        return self

    def copy(self) -> SmplBody:
        """A body of its own in the same pose.

        >>> import supple
        >>> supple.smpl.example().body().set(betas=[3]).copy().vertices[:, 0].max().item()
        6.0
        """
        twin = SmplBody(self.smpl)
        twin._become(self)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> SmplBody:
        return self.copy()

    def __repr__(self) -> str:
        return f"<supple.smpl.SmplBody of {self.smpl!r}>"
