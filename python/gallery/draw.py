"""Draws meshes with matplotlib, by rays of supple: one through each pixel, so that what is in front is exact."""

import matplotlib
import numpy as np

import supple

matplotlib.use("Agg")  # pictures are written, not shown

import matplotlib.pyplot as pyplot  # noqa: E402

SKIN = (0.84, 0.86, 0.90)
CLOTH = (0.36, 0.55, 0.78)
MARK = (0.88, 0.15, 0.12)
PIXELS = 1200  # along the longer side; matplotlib makes them fewer, which smooths the outlines


def colors_of(triangles, color, marked=(), mark=MARK):
    """A color for each triangle: `mark` for those whose numbers are in `marked`, `color` for the others."""
    colors = np.tile(np.array(color), (len(triangles), 1))
    colors[np.asarray(marked, dtype=int)] = mark
    return colors


def draw_meshes(axes, meshes, yaw=0.0, pitch=0.0, center=None, radius=(0.0, 0.0)):
    """Draws `(vertices, triangles, colors)` of each mesh, seen from the front (+z) turned by `yaw` and raised by `pitch` degrees.

    With a `center`, only what is around it is in the picture: `radius` is how far to the sides, and how far up and down.
    """
    camera = _camera(yaw, pitch)
    seen = [vertices @ camera.T for vertices, _, _ in meshes]
    low, high = np.min([mesh.min(axis=0) for mesh in seen], axis=0), np.max([mesh.max(axis=0) for mesh in seen], axis=0)
    start = high[2] + 1.0
    if center is not None:
        middle = (camera @ center)[:2]
        low, high = middle - radius, middle + radius
    pixel = np.max(high[:2] - low[:2]) / PIXELS
    x, y = np.arange(low[0], high[0], pixel), np.arange(low[1], high[1], pixel)
    origins = np.stack([*np.meshgrid(x, y), np.full((len(y), len(x)), start)], axis=-1).reshape(-1, 3)

    picture, times = np.ones((len(origins), 3)), np.full(len(origins), np.inf)
    for vertices, (_, triangles, colors) in zip(seen, meshes):
        hits = supple.cast_rays(supple.Body(supple.Model(vertices, triangles)), origins, (0.0, 0.0, -1.0))
        front = np.flatnonzero(hits.times < times)
        times[front] = hits.times[front]
        normals = smooth_normals(vertices, triangles, hits.triangles[front], hits.barycentrics[front])
        # Both sides of a triangle take light, as cloth is seen from both.
        normals[normals[:, 2] < 0.0] *= -1.0
        picture[front] = colors[hits.triangles[front]] * brightness(normals)
    axes.imshow(picture.reshape(len(y), len(x), 3), origin="lower", extent=(low[0], high[0], low[1], high[1]))
    axes.axis("off")


def smooth_normals(vertices, triangles, hit, barycentrics):
    """Normals in points of the triangles `hit`, blended of those of their vertices, so that no facets are seen."""
    corners = vertices[triangles].astype(np.float64)
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros(vertices.shape)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], faces)
    blended = np.einsum("nc,ncx->nx", barycentrics, normals[triangles[hit]])
    return blended / np.maximum(np.linalg.norm(blended, axis=1, keepdims=True), 1e-12)


def brightness(normals):
    """How bright what has these normals is, `(n, 1)`. Light comes over the viewer's left shoulder."""
    light = np.array([-0.35, 0.45, 0.82])
    return 0.35 + 0.65 * np.clip(normals @ light, 0.0, 1.0)[:, np.newaxis]


def _camera(yaw, pitch):
    """Rows: what is right, up, and toward the viewer."""
    y, p = np.radians([yaw, pitch])
    toward = np.array([np.sin(y) * np.cos(p), np.sin(p), np.cos(y) * np.cos(p)])
    right = np.array([np.cos(y), 0.0, -np.sin(y)])
    return np.array([right, np.cross(toward, right), toward])


def save(figure, folder, name):
    """Writes the picture, and says so."""
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / name, dpi=100, bbox_inches="tight")
    pyplot.close(figure)
    print(f"picture: {name}")
