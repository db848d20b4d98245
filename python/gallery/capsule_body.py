"""A body in the layout of SMPL that anybody may have: 24 joints, and one closed skin around a capsule for each.

Real SMPL files are licensed by their authors. This one has their keys and their order of joints, so that a script for it is a script
for them. Left is +x, up is +y, and the body looks toward +z.
"""

import numpy as np

PARENTS = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19, 20, 21]

# For each joint in the middle or on the left: where it is, where its capsule ends, and the radii of both ends.
_CAPSULES = {
    0: ((0.00, 0.00, 0.00), (0.00, -0.03, 0.00), (0.120, 0.125)),  # pelvis
    1: ((0.10, -0.09, 0.00), (0.12, -0.48, 0.00), (0.078, 0.050)),  # hip
    3: ((0.00, 0.11, 0.00), (0.00, 0.22, 0.00), (0.112, 0.108)),  # spine, of three joints
    4: ((0.12, -0.50, 0.00), (0.12, -0.86, -0.02), (0.050, 0.034)),  # knee
    6: ((0.00, 0.24, 0.00), (0.00, 0.31, 0.00), (0.115, 0.125)),
    7: ((0.12, -0.88, -0.02), (0.125, -0.91, 0.05), (0.038, 0.034)),  # ankle
    9: ((0.00, 0.32, 0.00), (0.00, 0.38, 0.00), (0.130, 0.120)),
    10: ((0.125, -0.92, 0.10), (0.13, -0.925, 0.15), (0.032, 0.028)),  # foot
    12: ((0.00, 0.52, 0.00), (0.00, 0.57, 0.01), (0.052, 0.050)),  # neck
    13: ((0.08, 0.42, 0.00), (0.16, 0.43, 0.00), (0.072, 0.062)),  # collar
    15: ((0.00, 0.64, 0.02), (0.00, 0.75, 0.03), (0.075, 0.090)),  # head
    16: ((0.19, 0.43, 0.00), (0.44, 0.43, 0.00), (0.054, 0.040)),  # shoulder
    18: ((0.46, 0.43, 0.00), (0.68, 0.43, 0.00), (0.041, 0.028)),  # elbow
    20: ((0.70, 0.43, 0.00), (0.75, 0.43, 0.00), (0.029, 0.034)),  # wrist
    22: ((0.78, 0.43, 0.00), (0.85, 0.43, 0.01), (0.034, 0.026)),  # hand
}
_PAIRED = (1, 4, 7, 10, 13, 16, 18, 20, 22)
"""Left joints: the right one is next, and mirrors it."""


def arrays(cell=0.02):
    """What an SMPL file has: template, triangles, weights, tree, regressor of joints, shapes. `cell` is about the length of edges."""
    capsules = np.zeros((24, 8))  # start, end, two radii
    for joint, (start, end, radii) in _CAPSULES.items():
        capsules[joint] = [*start, *end, *radii]
        if joint in _PAIRED:
            capsules[joint + 1] = capsules[joint] * [-1, 1, 1, -1, 1, 1, 1, 1]
    joints = capsules[:, :3]
    vertices, triangles = _skin(capsules, cell)
    nearest, distances = _nearest(vertices, capsules)
    weights = np.exp((distances.min(axis=1, keepdims=True) - distances) / 0.012)
    weights[weights < 0.02] = 0.0
    weights /= weights.sum(axis=1, keepdims=True)
    # Two shapes, of one beta each: taller, and heavier, which is away from the bones.
    taller = vertices * [0.0, 0.03, 0.0]
    heavier = 0.1 * (vertices - np.einsum("vj,vjx->vx", weights, nearest))
    # The smallest regressor that gives just these joints. That of a real file is sparse, which makes no difference to questions.
    regressor = np.c_[joints, np.ones(24)] @ np.linalg.pinv(np.c_[vertices, np.ones(len(vertices))])
    return {
        "v_template": vertices,
        "f": triangles,
        "weights": weights,
        "kintree_table": np.array([PARENTS, range(24)]),
        "J_regressor": regressor,
        "shapedirs": np.stack([taller, heavier], axis=2),
    }


def _nearest(points, capsules):
    """For each point and capsule: the nearest point of its axis `(p, c, 3)`, and how far outside the point is `(p, c)`."""
    starts, axes = capsules[:, :3], capsules[:, 3:6] - capsules[:, :3]
    along = np.einsum("pcx,cx->pc", points[:, np.newaxis] - starts, axes) / (axes**2).sum(axis=1)
    along = np.clip(along, 0.0, 1.0)
    nearest = starts + along[:, :, np.newaxis] * axes
    radii = capsules[:, 6] + along * (capsules[:, 7] - capsules[:, 6])
    return nearest, np.linalg.norm(points[:, np.newaxis] - nearest, axis=2) - radii


def _skin(capsules, cell):
    """Surface nets: a vertex in each cell of a grid that the skin goes through, a square across each edge that it cuts."""
    ends = capsules[:, :6].reshape(-1, 3)
    room = capsules[:, 6:].max() + 2 * cell
    low, high = np.floor((ends.min(axis=0) - room) / cell), np.ceil((ends.max(axis=0) + room) / cell)
    nodes = np.stack(np.meshgrid(*[np.arange(a, b + 1) * cell for a, b in zip(low, high)], indexing="ij"), axis=-1)
    # Positive inside. A sum of exponentials rounds the corners between capsules.
    total = sum(np.exp(-_nearest(nodes.reshape(-1, 3), capsule[np.newaxis])[1] / 0.014) for capsule in capsules)
    values = np.log(total).reshape(nodes.shape[:3])

    sums, counts, squares = np.zeros((values.size, 3)), np.zeros(values.size), []
    for axis in range(3):
        along, side, other = np.roll(np.eye(3, dtype=int), -axis, axis=0)
        edges = np.argwhere(np.diff(values > 0.0, axis=axis))
        first, second = values[tuple(edges.T)], values[tuple((edges + along).T)]
        points = (low + edges + (first / (first - second))[:, np.newaxis] * along) * cell
        around = ((0, 0), (1, 0), (1, 1), (0, 1))
        square = np.stack([np.ravel_multi_index((edges - i * side - j * other).T, values.shape) for i, j in around], axis=1)
        for cells in square.T:
            np.add.at(sums, cells, points)
            np.add.at(counts, cells, 1.0)
        # Where the edge enters the body the square is turned round, so that all look outward.
        squares.append(np.where((first > 0.0)[:, np.newaxis], square, square[:, ::-1]))
    used, corners = np.unique(np.concatenate(squares), return_inverse=True)
    corners = corners.reshape(-1, 4)
    return sums[used] / counts[used, np.newaxis], np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]])
