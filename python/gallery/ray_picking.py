"""Which bone is under the pointer? A picture made of rays alone, one through each pixel, of a character that moves.

    python ray_picking.py [--pixel COLUMN ROW] [--out FOLDER]

Every pixel says which joint it hits, how far away and with which normal. Prints what the pixel picks in each moment, and writes
ray_picking.png: colors are joints, light and shadow are normals.
"""

import argparse
from pathlib import Path

import numpy as np

import supple
from draw import pyplot, save, smooth_normals

WIDTH, HEIGHT = 260, 420
MOMENTS = (0.0, 0.15, 0.3, 0.45)  # seconds in the clip "run"
EYE = np.array([1.6, 1.5, 3.2])
TARGET = np.array([0.0, 0.9, 0.0])
LIGHT = np.array([0.2, 0.6, 0.77])


def main(pixel, folder):
    model = supple.zoo("man")
    body = supple.Body(model)
    directions = rays_through_pixels()
    # Hues go round in large steps, so that joints next to each other differ.
    palette = pyplot.get_cmap("hsv")(np.arange(model.joint_count) * 0.296 % 1.0)[:, :3] * 0.45 + 0.5

    figure, panels = pyplot.subplots(1, len(MOMENTS), figsize=(11, 5), layout="constrained")
    for panel, seconds in zip(panels, MOMENTS):
        body.pose("run", seconds)
        hits = supple.cast_rays(body, EYE, directions)
        picture = shade(body, hits, palette)
        panel.imshow(picture.reshape(HEIGHT, WIDTH, 3))
        panel.plot(*pixel, marker="+", color="black", markersize=14, markeredgewidth=1.5)
        panel.axis("off")

        column, row = pixel
        ray = row * WIDTH + column
        if hits.triangles[ray] < 0:
            picked = "nothing"
        else:
            picked = f"{model.joints[hits.joints[ray]]}, triangle {hits.triangles[ray]}, {hits.times[ray]:.3f} m away"
        panel.set_title(f"{seconds:.2f} s: + hits {picked.split(',')[0]}", fontsize=11)
        print(f"run at {seconds:.2f} s: pixel ({column}, {row}) picks {picked}; {np.sum(hits.triangles >= 0)} of {len(hits)} rays hit")
    save(figure, folder, "ray_picking.png")


def rays_through_pixels():
    """Directions of length 1 from the eye, `(HEIGHT * WIDTH, 3)`, row after row from the top left."""
    forward = (TARGET - EYE) / np.linalg.norm(TARGET - EYE)
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    zoom = 0.28 / (HEIGHT / 2)  # tangent of half the angle of view, for one pixel
    x = (np.arange(WIDTH) - (WIDTH - 1) / 2) * zoom
    y = ((HEIGHT - 1) / 2 - np.arange(HEIGHT)) * zoom
    directions = forward + x[np.newaxis, :, np.newaxis] * right + y[:, np.newaxis, np.newaxis] * up
    return (directions / np.linalg.norm(directions, axis=2, keepdims=True)).reshape(-1, 3)


def shade(body, hits, palette):
    """A color for each ray: that of the joint, darker where the surface turns away from the light."""
    hit = hits.triangles >= 0
    normals = smooth_normals(body.vertices, body.shape.model.triangles, hits.triangles[hit], hits.barycentrics[hit])
    brightness = 0.35 + 0.65 * np.clip(normals @ LIGHT, 0.0, 1.0)
    colors = np.full((len(hits), 3), 0.96)
    colors[hit] = palette[hits.joints[hit]] * brightness[:, np.newaxis]
    return colors


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pixel", type=int, nargs=2, default=(120, 146), metavar=("COLUMN", "ROW"))
    parser.add_argument("--out", type=Path, default=Path("."), help="where pictures go")
    arguments = parser.parse_args()
    if not (0 <= arguments.pixel[0] < WIDTH and 0 <= arguments.pixel[1] < HEIGHT):
        parser.error(f"--pixel: expected a column below {WIDTH} and a row below {HEIGHT}")
    main(tuple(arguments.pixel), arguments.out)
