"""Where does a character go through itself, in which clip and frame, and how deep?

    python clip_audit.py [FILE] [--out FOLDER]

FILE is a .glb, .gltf, .vrm, .fbx or .obj with its clips; without one a character that comes with supple is audited.
Writes clip_audit.html, the report with a picture of each fault, and if there are faults clip_audit.png, when they are and the worst.
"""

import argparse
from pathlib import Path

import numpy as np
from matplotlib.colors import ListedColormap

import supple
from draw import MARK, SKIN, colors_of, draw_meshes, pyplot, save

FPS = 30.0
SHOWN = 12  # faults in the picture, the most severe first


def main(source, folder):
    model = supple.load(source)
    audit = supple.audit(source, fps=FPS)
    print(audit)
    for fault in audit.faults:
        clip = audit.clips[fault.worst.clip]
        print(f"  {fault.name}: {100 * fault.depth / audit.size:.1f}% deep, worst in {name_of(clip)} at frame {fault.worst.frame}")
    folder.mkdir(parents=True, exist_ok=True)
    audit.to_html(folder / "clip_audit.html")
    print("report: clip_audit.html")
    if not audit.faults:
        return
    figure, (timeline, worst) = pyplot.subplots(1, 2, figsize=(11, 5.5), width_ratios=(1.7, 1), layout="constrained")
    draw_timeline(figure, timeline, audit)
    draw_worst(worst, model, audit)
    save(figure, folder, "clip_audit.png")


def draw_timeline(figure, axes, audit):
    """A row for each fault, a column for each frame of the clips that have faults; colors are depths."""
    faults = audit.faults[:SHOWN]
    clean = [clip.name for clip in audit.clips if not clip.frames_with["fault"]]
    frames = [clip.frames if clip.frames_with["fault"] else 0 for clip in audit.clips]
    starts = np.cumsum([0, *frames])
    depths = np.full((len(faults), starts[-1]), np.nan)
    for row, fault in enumerate(faults):
        for occurrence in fault.occurrences:
            for moment in occurrence.moments:
                depths[row, starts[occurrence.clip] + moment.frame] = 100 * moment.depth / audit.size
    # Without its palest colors, so that shallow faults are seen, too.
    colors = ListedColormap(pyplot.get_cmap("YlOrRd")(np.linspace(0.25, 1.0, 256)))
    picture = axes.imshow(depths, aspect="auto", interpolation="nearest", cmap=colors, vmin=0.0)
    figure.colorbar(picture, ax=axes, orientation="horizontal", shrink=0.6, aspect=40, label="depth, % of the character's size")
    for clip, start, count in zip(audit.clips, starts, frames):
        if count:
            axes.axvline(start - 0.5, color="black", linewidth=0.8)
            axes.text(start + count / 2, -0.6, clip.name or "rest", ha="center", va="bottom")
    axes.annotate("clip", (0.0, 1.0), (-7, 4), xycoords="axes fraction", textcoords="offset points", ha="right")
    # Frames are counted from the start of each clip.
    step = next((step for step in (5, 10, 25, 50, 100, 250) if starts[-1] <= 10 * step), 1000)
    spans = [(start, max(1, count - step // 2)) for start, count in zip(starts, frames) if count]
    ticks = [(start + frame, frame) for start, end in spans for frame in range(0, end, step)]
    axes.set_xticks([place for place, _ in ticks], [frame for _, frame in ticks])
    axes.set_yticks(range(len(faults)), [fault.name for fault in faults])
    axes.set_yticks(np.arange(1, len(faults)) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="both", left=False)
    axes.set_xlabel(f"frame, {FPS:.0f} per second" + (f"\nno faults in: {', '.join(clean)}" if clean else ""))
    axes.set_facecolor("#eef1f4")


def draw_worst(axes, model, audit):
    """The most severe fault in its deepest frame, with the triangles that intersect."""
    fault = audit.faults[0]
    clip = audit.clips[fault.worst.clip]
    body = supple.Body(model)
    if clip.number is not None:
        body.pose(clip.number, fault.worst.frame / FPS)
    colors = colors_of(model.triangles, SKIN, np.array(fault.worst.triangles).ravel(), MARK)
    radius = audit.size * np.array([0.22, 0.28])
    draw_meshes(axes, [(body.vertices, model.triangles, colors)], yaw=25, pitch=8, center=fault.worst.point, radius=radius)
    axes.set_title(f"{fault.name}\n{name_of(clip)}, frame {fault.worst.frame}", fontsize=10)


def name_of(clip):
    """What a clip is called in the picture."""
    return f'clip "{clip.name}"' if clip.name else "rest"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", nargs="?", default="zoo:man", help="a file, or zoo:NAME")
    parser.add_argument("--out", type=Path, default=Path("."), help="where pictures go")
    arguments = parser.parse_args()
    main(arguments.source, arguments.out)
