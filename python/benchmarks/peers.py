"""How long others take for the same questions: python-fcl, trimesh with rtree and with Embree, embreex, Blender's BVHTree.

    python benchmarks/peers.py [--rounds N] [--frames N] [--quick]

    pip install python-fcl trimesh rtree scipy embreex bpy        (bpy: Blender as a module, for few versions of Python)

One process on one core. Every frame begins with a clip and a time, and ends with the answer in Python. Others need vertices: they get
them from supple, whose skinning is the fastest at hand (column "bake": that alone). None of them can be given new vertices through
Python, so each builds its tree anew. What stays the same over frames (triangles, in the form that each likes best) is prepared
before. Frames, rounds and sides take turns; the median of peer time / supple time of the same frame is printed: above 1 supple is faster.
CesiumMan needs SUPPLE_ASSETS.
"""

import argparse
import gc
import importlib
import importlib.metadata
import os
import pathlib
import platform
import statistics
import time

# Everybody gets one core: some use threads, others cannot. Threads are counted when libraries are loaded.
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
os.environ["RAYON_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

import supple  # noqa: E402

# A side that has had so many seconds for one question makes no further frames of it.
MOST_SECONDS = 6.0
# Second body: this many seconds ahead in the clip.
AHEAD = 0.37
# trimesh with rtree makes arrays of all candidates of all rays: more than 24 GB for 10,000 rays.
MOST_RAYS_OF_RTREE = 1000
# Pairs of triangles that still are a light contact.
LIGHT = range(1, 61)


def seconds_of(work):
    """What a call takes, and its answer. The smaller of both clocks: on a machine with others, this process may have to wait."""
    gc.collect()
    gc.disable()
    own, start = time.process_time(), time.perf_counter()
    answer = work()
    taken, own = time.perf_counter() - start, time.process_time() - own
    gc.enable()
    return min(taken, own), answer


def installed(name):
    """A module, or None, which is said."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        print(f"  missing: {name} ({error})")
        return None


class Character:
    """A model, and its triangles in the forms that others like best."""

    def __init__(self, name, model):
        self.name, self.model, self.shape = name, model, model.shape()
        self.triangles = model.triangles
        self.polygons = self.triangles.tolist()
        self.faces = self.triangles.astype(np.int64)
        self.faces32 = self.triangles.astype(np.int32)
        # The clip with the most self-collision, where there is one.
        names = [clip for clip, _ in model.clips]
        self.wild = "random" if "random" in names else 0
        self.duration = model.clips[0][1]
        self.wild_duration = dict(model.clips).get("random", self.duration)
        self.bodies = supple.Body(self.shape), supple.Body(self.shape)
        # Bodies of supple's own side: what baking does must not help or harm it.
        self.asked = supple.Body(self.shape), supple.Body(self.shape)

    def width(self):
        x = self.bodies[0].pose(0, 0.0).vertices[:, 0]
        return float(x.max() - x.min())


def characters():
    assets = os.environ.get("SUPPLE_ASSETS")
    if assets:
        yield Character("CesiumMan", supple.load(pathlib.Path(assets) / "khronos" / "CesiumMan.glb"))
    else:
        print("  missing: CesiumMan (SUPPLE_ASSETS is not set)")
    for detail in 0, 1:
        yield Character(f"creature {detail}", supple.zoo("creature", detail))


# Two bodies. A frame is two times of the clip, and how far along x the second one stands.


def posed(bodies, frame):
    first, second, x = frame
    bodies[0].pose(0, first, looped=True)
    bodies[1].pose(0, second, place=(x, 0, 0), looped=True)
    return bodies


def two_body_frames(character, count):
    """Frames by how much touches: far apart, a near miss, a light contact, deep in each other."""
    width = character.width()
    kinds = {"far apart": [], "near miss": [], "light": [], "deep": []}

    def pairs(first, second, x):
        return len(supple.collide(*posed(character.asked, (first, second, x))))

    for index in range(count):
        first = character.duration * index / count
        second = first + AHEAD
        kinds["far apart"].append((first, second, 1.2 * width))
        kinds["deep"].append((first, second, 0.3 * width))
        near, far = 0.3 * width, 1.2 * width
        while pairs(first, second, far):
            far *= 1.2
        light = None
        # Halved until there is a light contact, then until the second body is just out of reach.
        for _ in range(18):
            middle = (near + far) / 2
            found = pairs(first, second, middle)
            if found in LIGHT:
                light = middle
            near, far = (middle, far) if found else (near, middle)
        kinds["near miss"].append((first, second, far))
        if light is not None:
            kinds["light"].append((first, second, light))
    return kinds


def baked(character, frame):
    return [body.vertices for body in posed(character.bodies, frame)]


def supple_collide(character, frame):
    return supple.collide(*posed(character.asked, frame)).pairs


def fcl_collide(fcl):
    identity = fcl.Transform()
    every_pair = fcl.CollisionRequest(num_max_contacts=10_000_000)

    def built(vertices, character):
        model = fcl.BVHModel()
        model.beginModel(len(character.polygons), len(vertices))
        # Rows of vertices must be arrays; of triangles, lists are faster.
        model.addSubModel(vertices.astype(np.float64), character.polygons)
        model.endModel()
        return fcl.CollisionObject(model, identity)

    def collide(character, frame):
        a, b = (built(vertices, character) for vertices in baked(character, frame))
        found = fcl.CollisionResult()
        fcl.collide(a, b, every_pair, found)
        return [(contact.b1, contact.b2) for contact in found.contacts]

    return collide


def blender_tree(BVHTree, vertices, character):
    return BVHTree.FromPolygons(vertices.tolist(), character.polygons, all_triangles=True)


def blender_collide(BVHTree):
    def collide(character, frame):
        a, b = (blender_tree(BVHTree, vertices, character) for vertices in baked(character, frame))
        return a.overlap(b)

    return collide


# One body with itself. A frame is a time.


def supple_self(character, seconds):
    return supple.self_collide(character.asked[0].pose(character.wild, seconds)).pairs


def blender_self(BVHTree):
    def collide(character, seconds):
        tree = blender_tree(BVHTree, character.bodies[0].pose(character.wild, seconds).vertices, character)
        return tree.overlap(tree)

    return collide


def without_neighbours(character, pairs):
    """Pairs of one body as supple has them: each once, none that share a vertex."""
    pairs = np.sort(np.array(sorted(map(tuple, pairs)), dtype=np.int64).reshape(-1, 2), axis=1)
    a, b = character.faces[pairs[:, 0]], character.faces[pairs[:, 1]]
    share = (a[:, :, None] == b[:, None, :]).any(axis=(1, 2))
    return {tuple(pair) for pair in pairs[~share].tolist()}


# Rays. A frame is a time, origins and directions. Answers: the first triangle of each ray, or -1.


def ray_frames(character, count, rays):
    random = np.random.default_rng(1)
    vertices = character.bodies[0].pose(0, 0.0).vertices
    center, half = (vertices.max(0) + vertices.min(0)) / 2, (vertices.max(0) - vertices.min(0)) / 2
    outwards = random.normal(size=(rays, 3))
    outwards /= np.linalg.norm(outwards, axis=1, keepdims=True)
    origins = center + outwards * np.linalg.norm(half) * 2
    targets = center + half * random.uniform(-1, 1, size=(rays, 3))
    directions = targets - origins
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    origins, directions = origins.astype(np.float32), directions.astype(np.float32)
    return [(character.duration * index / count, origins, directions) for index in range(count)]


def baked_first(character, frame):
    return character.bodies[0].pose(0, frame[0]).vertices


def supple_rays(character, frame):
    seconds, origins, directions = frame
    body = character.asked[0].pose(0, seconds)
    return supple.cast_rays(body, origins, directions).triangles


def supple_ray(character, frame):
    seconds, (origin,), (direction,) = frame
    hit = supple.cast_ray(character.asked[0].pose(0, seconds), origin.tolist(), direction.tolist())
    return [hit.triangle if hit else -1]


def trimesh_rays(trimesh, intersector, **options):
    def cast(character, frame):
        mesh = trimesh.Trimesh(baked_first(character, frame), character.faces, process=False)
        return intersector(mesh, **options).intersects_first(frame[1], frame[2])

    return cast


def embreex_rays(rtcore_scene, mesh_construction):
    def cast(character, frame):
        scene = rtcore_scene.EmbreeScene()
        mesh_construction.TriangleMesh(scene, baked_first(character, frame), character.faces32)
        return scene.run(frame[1], frame[2])

    return cast


def blender_rays(BVHTree):
    def cast(character, frame):
        tree = blender_tree(BVHTree, baked_first(character, frame), character)
        ray_cast = tree.ray_cast
        hits = [ray_cast(origin, direction)[2] for origin, direction in zip(frame[1].tolist(), frame[2].tolist())]
        return [-1 if hit is None else hit for hit in hits]

    return cast


def measure(character, frames, sides, rounds):
    """Times of each side by (round, frame), and answers by frame. The first side is supple's."""
    times, answers = {name: {} for name in sides}, {name: {} for name in sides}
    spent = dict.fromkeys(sides, 0.0)
    for turn in range(rounds):
        for index, frame in enumerate(frames):
            for name, side in sides.items():
                if spent[name] > MOST_SECONDS and times[name]:
                    continue
                if not times[name]:
                    # Memory and code of the first call; of slow ones it is hidden by what they do.
                    spent[name] += seconds_of(lambda side=side: side(character, frames[-1]))[0]
                taken, answer = seconds_of(lambda side=side, frame=frame: side(character, frame))
                spent[name] += taken
                times[name][turn, index] = taken
                answers[name].setdefault(index, answer)
    return times, answers


def duration(seconds):
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} us"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def cells(times):
    """Supple's time, then time and ratio of all others."""
    (_, own), *others = times.items()
    yield duration(statistics.median(own.values()))
    for _, taken in others:
        if not taken:
            yield "none"
            continue
        ratio = statistics.median(taken[key] / own[key] for key in taken)
        yield f"{duration(statistics.median(taken.values()))}, {number(ratio)}"


def print_table(title, heads, rows):
    print(f"\n{title}\n")
    table = [heads, *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(heads))]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def pairs_agree(own, others):
    """Pairs of supple in all frames; of each other side, how many it has besides and how many it lacks."""
    said = [f"{sum(map(len, own.values())):,}"]
    for name, theirs in others.items():
        more = sum(len(theirs[frame] - own[frame]) for frame in theirs)
        fewer = sum(len(own[frame] - theirs[frame]) for frame in theirs)
        said.append(f"{name} the same" if more == fewer == 0 else f"{name} +{more:,} -{fewer:,}")
    return ", ".join(said)


def as_set(pairs):
    return set(map(tuple, np.asarray(pairs, dtype=np.int64).reshape(-1, 2).tolist()))


def collisions(cast, fcl, BVHTree, count, rounds):
    bake_only = {"bake": lambda character, frame: baked(character, frame)}
    peers = {}
    if fcl:
        peers["python-fcl"] = fcl_collide(fcl)
    if BVHTree:
        peers["Blender"] = blender_collide(BVHTree)
    sides = {"supple": supple_collide, **bake_only, **peers}
    rows = []
    for character in cast:
        for kind, frames in two_body_frames(character, count).items():
            if not frames:
                continue
            times, answers = measure(character, frames, sides, rounds)
            sets = {name: {index: as_set(found) for index, found in answers[name].items()} for name in ["supple", *peers]}
            agree = pairs_agree(sets.pop("supple"), sets)
            rows.append([character.name, f"{len(character.polygons):,}", kind, *cells(times), agree])
    heads = ["character", "triangles each", "bodies", *sides, f"pairs in {count} frames"]
    print_table("Two bodies, all pairs of triangles that touch: time per frame, and times as long as supple", heads, rows)


def self_collisions(cast, BVHTree, count, rounds):
    sides = {
        "supple": supple_self,
        "bake": lambda character, seconds: character.bodies[0].pose(character.wild, seconds).vertices,
    }
    if BVHTree:
        sides["Blender"] = blender_self(BVHTree)
    rows = []
    for character in cast:
        frames = [character.wild_duration * (index + 0.5) / count for index in range(count)]
        times, answers = measure(character, frames, sides, rounds)
        own = {index: as_set(found) for index, found in answers["supple"].items()}
        others = {}
        if BVHTree:
            others["Blender"] = {i: without_neighbours(character, found) for i, found in answers["Blender"].items()}
        rows.append([character.name, f"{len(character.polygons):,}", *cells(times), pairs_agree(own, others)])
    heads = ["character", "triangles", *sides, f"pairs in {count} frames"]
    print_table("One body with itself, all pairs: time per frame, and times as long as supple (FCL and trimesh have none)", heads, rows)


def rays(cast, trimesh, has_rtree, has_embree, BVHTree, count, rounds, numbers):
    peers = {}
    if trimesh and has_rtree:
        peers["trimesh, rtree"] = trimesh_rays(trimesh, importlib.import_module("trimesh.ray.ray_triangle").RayMeshIntersector)
    if has_embree:
        if trimesh:
            intersector = importlib.import_module("trimesh.ray.ray_pyembree").RayMeshIntersector
            peers["trimesh, Embree"] = trimesh_rays(trimesh, intersector, scale_to_box=False)
        modules = (importlib.import_module(f"embreex.{name}") for name in ("rtcore_scene", "mesh_construction"))
        peers["embreex"] = embreex_rays(*modules)
    if BVHTree:
        peers["Blender"] = blender_rays(BVHTree)
    rows = []
    for character in cast:
        for many in numbers:
            frames = ray_frames(character, count, many)
            sides = {"supple": supple_ray if many == 1 else supple_rays, "bake": baked_first, **peers}
            if many > MOST_RAYS_OF_RTREE:
                sides.pop("trimesh, rtree", None)
            times, answers = measure(character, frames, sides, rounds)
            times = {name: times.get(name, {}) for name in ["supple", "bake", *peers]}
            own = answers["supple"]
            said = []
            for name in peers:
                theirs = answers.get(name, {})
                same = sum(int((np.asarray(found) == np.asarray(own[i])).sum()) for i, found in theirs.items())
                differ = many * len(theirs) - same
                said.append(f"{differ}/{many * len(theirs):,}")
            rows.append([character.name, f"{len(character.polygons):,}", f"{many:,}", *cells(times), " ".join(said)])
    heads = ["character", "triangles", "rays", "supple", "bake", *peers, "rays with another triangle, by peer"]
    print_table("A new pose, then rays, first hits: time per frame, and times as long as supple", heads, rows)


def version(distribution):
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "missing"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="how often every frame is asked (3)")
    parser.add_argument("--frames", type=int, default=5, help="frames per question (5)")
    parser.add_argument("--quick", action="store_true", help="no 10,000 rays, which take others long")
    arguments = parser.parse_args()

    libraries = ["supple", "numpy", "python-fcl", "trimesh", "rtree", "embreex", "bpy"]
    print(f"Python {platform.python_version()}, {platform.machine()}, one core. " + ", ".join(f"{n} {version(n)}" for n in libraries))
    print(f"Medians of {arguments.frames} frames in {arguments.rounds} rounds; slow sides make fewer.")
    fcl, trimesh, rtree, embreex = map(installed, ["fcl", "trimesh", "rtree", "embreex"])
    # Its BVHTree is a part of mathutils, which comes with it.
    BVHTree = importlib.import_module("mathutils.bvhtree").BVHTree if installed("bpy") else None
    cast = list(characters())
    collisions(cast, fcl, BVHTree, arguments.frames, arguments.rounds)
    self_collisions(cast, BVHTree, arguments.frames, arguments.rounds)
    numbers = [1, 100] if arguments.quick else [1, 100, 10_000]
    rays(cast, trimesh, rtree, embreex, BVHTree, arguments.frames, arguments.rounds, numbers)


if __name__ == "__main__":
    main()
