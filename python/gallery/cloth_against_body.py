"""How far must cloth keep from the skin so that nothing crosses? A poncho falls on a character that waves, once with each gap.

    python cloth_against_body.py [--gaps METERS ...] [--out FOLDER]

The simulation moves points that springs hold together. In each step the character is posed by its clip, and supple says which points are
inside or too near, and where the skin is: they are put as far outside as the gap. Triangles between the points may still cross. Prints how
many lie on the skin, how many cross, and how far away the points are; writes cloth_against_body.png.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.patches import Patch

import supple
from draw import CLOTH, MARK, SKIN, colors_of, draw_meshes, pyplot, save

RESTING = (0.95, 0.72, 0.30)
FPS, FRAMES, STEPS = 30, 90, 15  # steps of the simulation in each frame
START = 0.6  # seconds: the character waves when the cloth has fallen
MOMENTS = (3, 17, 35, 85)  # frames in the picture
SIDE, HOLE, CELL, HEIGHT = 1.1, 0.12, 0.03, 1.62  # meters: a square with a round hole for the head
GRAVITY = np.array([0.0, -9.81, 0.0])
DRAG = 1.5  # of the air, per second
FRICTION = 0.6
BENDING = 1e-4  # how far springs across an edge give way; all others are stiff
TOLERANCE = 0.002  # what is at most this much further away than the gap lies on the skin


class Frame(NamedTuple):
    """What is known of a frame."""

    cloth: np.ndarray  # vertices
    skin: np.ndarray  # vertices
    resting: np.ndarray  # triangles of the cloth
    pairs: np.ndarray  # triangles of the cloth and of the body that cross
    own: int  # pairs of triangles of the cloth that cross each other
    distances: np.ndarray  # from points of the cloth to the skin, in millimeters; negative inside


def main(gaps, folder):
    man, poncho = supple.zoo("man"), make_poncho()
    print(f"cloth of {poncho.triangle_count} triangles, body of {man.triangle_count}")
    runs = {}
    for gap in sorted(gaps):
        print(f"gap of {1000 * gap:g} mm")
        runs[gap] = []
        for body, cloth in simulate(man, poncho, gap):
            runs[gap].append(look(body, cloth, gap))
            if len(runs[gap]) % 15 == 0:
                tell(len(runs[gap]), runs[gap][-1])
        sum_up(runs[gap])
    draw(man, poncho, runs, folder)


def make_poncho():
    """A square of squares, each of two triangles, without those in the circle in the middle."""
    count = round(SIDE / CELL) + 1
    line = np.linspace(-SIDE / 2, SIDE / 2, count)
    points = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)
    numbers = np.arange(count**2).reshape(count, count)
    squares = np.stack([numbers[:-1, :-1], numbers[:-1, 1:], numbers[1:, 1:], numbers[1:, :-1]], axis=-1)
    # Diagonals take turns, so that the cloth gives way to all sides alike.
    odd = np.indices(squares.shape[:2]).sum(axis=0) % 2 == 1
    halves = [squares[odd][:, [0, 1, 2]], squares[odd][:, [0, 2, 3]], squares[~odd][:, [0, 1, 3]], squares[~odd][:, [1, 2, 3]]]
    triangles = np.concatenate(halves)
    triangles = triangles[np.linalg.norm(points[triangles].mean(axis=1), axis=1) > HOLE]
    used, triangles = np.unique(triangles, return_inverse=True)
    points = points[used]
    points *= np.maximum(1.0, HOLE / np.linalg.norm(points, axis=1, keepdims=True))  # onto the circle
    x, z = (points @ np.array([[1.0, 1.0], [-1.0, 1.0]])).T * np.sqrt(0.5)  # with a corner in front
    return supple.Model(np.stack([x, np.full(len(x), HEIGHT), z], axis=1), triangles.reshape(-1, 3))


def springs(model):
    """Groups `(starts, ends, lengths, compliance)` of springs that share no point: along edges, and across them against bending."""
    points, triangles = model.vertices, model.triangles.astype(int)
    edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    opposite = triangles[:, [2, 0, 1]].T.ravel()
    order = np.lexsort(edges.T)
    edges, opposite = edges[order], opposite[order]
    inner = np.flatnonzero((edges[1:] == edges[:-1]).all(axis=1))
    groups = []
    for pairs, compliance in ((np.unique(edges, axis=0), 0.0), (np.stack([opposite[inner], opposite[inner + 1]], axis=1), BENDING)):
        taken, members = [0] * len(points), {}
        for start, end in pairs.tolist():
            free = ~(taken[start] | taken[end])
            group = free & -free  # the lowest bit
            taken[start] |= group
            taken[end] |= group
            members.setdefault(group, []).append((start, end))
        for starts, ends in (np.array(pairs).T for pairs in members.values()):
            groups.append((starts, ends, np.linalg.norm(points[starts] - points[ends], axis=1), compliance))
    return groups


def simulate(man, poncho, gap):
    """Gives the body and the cloth in each frame. In the manner of XPBD (Macklin, Mueller, Chentanez 2016)."""
    body, cloth = supple.Body(man).pose("wave", 0.0), supple.Body(poncho)
    groups, step = springs(poncho), 1.0 / (FPS * STEPS)
    points = poncho.vertices.astype(np.float64)
    velocities, skin = np.zeros_like(points), body.vertices
    for number in range(1, FRAMES * STEPS + 1):
        body.pose("wave", max(0.0, number * step - START))
        skin_before, skin = skin, body.vertices
        before = points
        velocities = np.exp(-DRAG * step) * (velocities + step * GRAVITY)
        points = points + step * velocities
        for starts, ends, lengths, compliance in 2 * groups:
            along = points[starts] - points[ends]
            now = np.linalg.norm(along, axis=1)
            change = ((now - lengths) / (now * (2.0 + compliance / step**2)))[:, np.newaxis] * along
            points[starts] -= change
            points[ends] += change
        push_out(body, points, gap, before, skin - skin_before)
        velocities = (points - before) / step
        if number % STEPS == 0:
            yield body, cloth.set_vertices(points)


def push_out(body, points, gap, before, skin_motion):
    """Puts points that are inside of the body or too near outside, as far as the gap. Friction lets them go with the skin."""
    inside = supple.locate_point_many(body, points).winding != 0
    near = supple.closest_point_many(body, points, max_distance=gap).triangles >= 0
    held = np.flatnonzero(inside | near)
    skin = supple.closest_point_many(body, points[held])
    outward = np.where(inside[held], -1.0, 1.0)[:, np.newaxis] * (points[held] - skin.points)
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-9)
    target = skin.points + gap * outward
    pushed = np.linalg.norm(target - points[held], axis=1)
    corners = body.shape.model.triangles[skin.triangles]
    slip = target - before[held] - np.einsum("nc,ncx->nx", skin.barycentrics, skin_motion[corners])
    slip -= np.sum(slip * outward, axis=1, keepdims=True) * outward
    grip = np.minimum(1.0, FRICTION * pushed / np.maximum(np.linalg.norm(slip, axis=1), 1e-12))
    points[held] = target - grip[:, np.newaxis] * slip


def look(body, cloth, gap):
    """What lies on the skin, what crosses, and how far away points are."""
    signs = np.where(supple.locate_point_many(body, cloth.vertices).winding, -1000.0, 1000.0)
    return Frame(
        cloth=cloth.vertices,
        skin=body.vertices,
        resting=np.unique(supple.pairs_within(cloth, body, gap + TOLERANCE).triangles[:, 0]),
        pairs=supple.collide(cloth, body).pairs,
        own=len(supple.self_collide(cloth)),
        distances=signs * supple.closest_point_many(body, cloth.vertices).distances,
    )


def tell(number, frame):
    """One line for a frame."""
    distances = f"nearest point {frame.distances.min():.1f} mm away, half of them within {np.median(frame.distances):.0f} mm"
    print(f"  {number / FPS:.1f} s: {len(frame.resting)} triangles of the cloth lie on the skin, {len(frame.pairs)} pairs cross; {distances}")


def sum_up(frames):
    """What happened in all frames."""
    counts, own = [len(frame.pairs) for frame in frames], [frame.own for frame in frames]
    print(f"  cloth and body cross in {np.count_nonzero(counts)} of {len(frames)} frames, at most {max(counts)} pairs")
    # Nothing in this simulation keeps the cloth away from itself.
    print(f"  the cloth crosses itself in {np.count_nonzero(own)} frames, at most {max(own)} pairs")


def draw(man, poncho, runs, folder):
    """Moments with the largest gap; crossing pairs over time; where most cross."""
    figure = pyplot.figure(figsize=(11, 7.2), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(1.35, 1))
    largest = max(runs)
    for panel, number in zip(above.subplots(1, len(MOMENTS)), MOMENTS):
        draw_frame(panel, man, poncho, runs[largest][number], center=(-0.05, 0.98, 0.0), radius=(0.75, 1.02))
        panel.set_title(f"gap of {1000 * largest:g} mm, {(number + 1) / FPS:.1f} s", fontsize=10)
    legend = [Patch(color=CLOTH, label="cloth"), Patch(color=RESTING, label="lies on the skin"), Patch(color=MARK, label="crosses")]
    above.legend(handles=legend, loc="outside lower center", ncols=3, frameon=False)

    over_time, worst = below.subplots(1, 2, width_ratios=(1.6, 1))
    shades = pyplot.get_cmap("viridis")(np.linspace(0.0, 0.7, len(runs)))
    for (gap, frames), shade in zip(runs.items(), shades):
        seconds = np.arange(1, len(frames) + 1) / FPS
        over_time.plot(seconds, [len(frame.pairs) for frame in frames], color=shade, linewidth=2, label=f"{1000 * gap:g} mm")
    over_time.set(xlabel="seconds", ylabel="pairs of triangles that cross", ylim=(-1, None))
    over_time.legend(title="gap", frameon=False)
    over_time.spines[["top", "right"]].set_visible(False)
    gap, number = max(((gap, number) for gap in runs for number in range(FRAMES)), key=lambda at: len(runs[at[0]][at[1]].pairs))
    frame = runs[gap][number]
    if len(frame.pairs):
        places = frame.cloth[poncho.triangles[frame.pairs[:, 0]]].mean(axis=1)
        near = np.linalg.norm(places[:, np.newaxis] - places, axis=2) < 0.15
        draw_frame(worst, man, poncho, frame, center=places[near.sum(axis=1).argmax()], radius=(0.21, 0.15))
        worst.set_title(f"gap of {1000 * gap:g} mm, {(number + 1) / FPS:.1f} s: {len(frame.pairs)} pairs cross", fontsize=10)
    else:
        worst.axis("off")
    save(figure, folder, "cloth_against_body.png")


def draw_frame(axes, man, poncho, frame, center, radius):
    """Cloth and body; the triangles of the cloth that lie on the skin and those that cross in colors of their own."""
    colors = colors_of(poncho.triangles, CLOTH, frame.resting, RESTING)
    colors[frame.pairs[:, 0]] = MARK
    skin = (frame.skin, man.triangles, colors_of(man.triangles, SKIN))
    draw_meshes(axes, [skin, (frame.cloth, poncho.triangles, colors)], yaw=20, pitch=8, center=center, radius=radius)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gaps", type=float, nargs="+", default=(0.005, 0.010), metavar="METERS")
    parser.add_argument("--out", type=Path, default=Path("."), help="where pictures go")
    arguments = parser.parse_args()
    main(arguments.gaps, arguments.out)
