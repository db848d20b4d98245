"""Which poses of an SMPL body go through themselves? A whole grid of poses in one call.

    python smpl_self_intersection.py [SMPL_FILE] [--out FOLDER]

SMPL_FILE is a .npz or .pkl as its authors give it out. Without one a body is made up that has the same layout and needs no license.
The left arm is swung across the chest, and its elbow bent. Writes smpl_self_intersection.png: pairs of intersecting triangles in
each pose, for two shapes, and the worst pose of all.
"""

import argparse
from pathlib import Path

import numpy as np

import capsule_body
import supple
from draw import MARK, SKIN, colors_of, draw_meshes, pyplot, save

SWINGS = np.arange(0, 121, 5)  # degrees forward, from straight out to the side
BENDS = np.arange(0, 141, 5)  # degrees of the elbow


def main(file, folder):
    smpl = supple.smpl.load(file) if file else supple.smpl.from_arrays(capsule_body.arrays())
    print(smpl)
    poses = arm_poses(smpl)
    shapes = {"mean shape": np.zeros(smpl.beta_count), "beta 1 = 2": 2.0 * np.eye(smpl.beta_count)[1]}
    results = {}
    for name, betas in shapes.items():
        matrices, coefficients = smpl.matrices(betas, poses)
        # Skin that folds at a bent joint is not what we look for: `creases=False` leaves out a joint with itself and with its parent.
        pairs = supple.self_collide_many(smpl.model, matrices, coefficients=coefficients, creases=False)
        results[name] = pairs
        worst = np.argmax(pairs.counts)
        print(f"{name}: {np.sum(pairs.counts > 0)} of {len(pairs)} poses intersect, at most {pairs.counts[worst]} pairs, at {angles(worst)}")

    figure, panels = pyplot.subplots(1, 3, figsize=(11, 4.8), width_ratios=(1, 1, 1.1), layout="constrained")
    most = max(pairs.counts.max() for pairs in results.values())
    for panel, (name, pairs) in zip(panels, results.items()):
        picture = draw_counts(panel, pairs.counts, most)
        panel.set_title(f"{name}: {np.sum(pairs.counts > 0)} of {len(pairs)} poses intersect", fontsize=10)
    panels[0].set_ylabel("elbow bent, degrees")
    figure.colorbar(picture, ax=panels[:2], orientation="horizontal", shrink=0.6, aspect=40, label="intersecting pairs of triangles")
    name = max(results, key=lambda name: results[name].counts.max())
    worst = np.argmax(results[name].counts)
    body = smpl.body().set(shapes[name], poses[worst])
    colors = colors_of(smpl.triangles, SKIN, results[name][worst].ravel(), MARK)
    chest = smpl.joints(shapes[name])[smpl.joint_names.index("spine3")]
    draw_meshes(panels[2], [(body.vertices, smpl.triangles, colors)], yaw=-10, pitch=40, center=chest, radius=(0.42, 0.48))
    panels[2].set_title(f"{name}, {angles(worst)}", fontsize=10)
    save(figure, folder, "smpl_self_intersection.png")


def arm_poses(smpl):
    """Every bend with every swing: axes times angles, of all joints but the first, `(poses, joints - 1, 3)`."""
    poses = np.zeros((len(BENDS) * len(SWINGS), smpl.joint_count - 1, 3))
    poses[:, smpl.joint_names.index("left_elbow") - 1, 1] = -np.radians(np.repeat(BENDS, len(SWINGS)))
    poses[:, smpl.joint_names.index("left_shoulder") - 1, 1] = -np.radians(np.tile(SWINGS, len(BENDS)))
    return poses


def angles(pose):
    """The angles of a pose in words, by its number."""
    return f"swing {SWINGS[pose % len(SWINGS)]}, elbow {BENDS[pose // len(SWINGS)]} degrees"


def draw_counts(axes, counts, most):
    """A square for each pose; those without a pair stay empty."""
    grid = np.where(counts > 0, counts, np.nan).reshape(len(BENDS), len(SWINGS))
    edges = (SWINGS[0] - 2.5, SWINGS[-1] + 2.5, BENDS[0] - 2.5, BENDS[-1] + 2.5)
    picture = axes.imshow(grid, origin="lower", extent=edges, cmap="viridis_r", vmin=0, vmax=most)
    axes.set_facecolor("#eef1f4")
    axes.set_xlabel("arm swung forward, degrees")
    return picture


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", help="an SMPL file")
    parser.add_argument("--out", type=Path, default=Path("."), help="where pictures go")
    arguments = parser.parse_args()
    main(arguments.file, arguments.out)
