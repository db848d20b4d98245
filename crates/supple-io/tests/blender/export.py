"""Writes FBX files by Blender's own exporter, and where Blender puts their vertices.

    python export.py MODELS OUT        # a Python with the module `bpy`

In: a folder of glTF models. Out: OUT/CASE.fbx and OUT/CASE.json for every case of the list below. The JSON holds the
vertices of all evaluated meshes in world space, Blender's axes and metres, at some frames: of the scene that was
exported ("original"), and of a new scene into which Blender's importer read the FBX ("imported").
"""

import json
import os
import sys

import bpy

# Of every clip, that many frames are written; the exporter writes a key at each of them.
FRAMES = 4

# Keys of every frame are kept, so that what lies between them does not matter.
EXACT = {"bake_anim_simplify_factor": 0.0}
# One clip, of what the scene shows.
SCENE = {"bake_anim_use_nla_strips": False, "bake_anim_use_all_actions": False}
# A clip for every action.
ACTIONS = {"bake_anim_use_nla_strips": False, "bake_anim_use_all_actions": True}

# These files do not hold what was exported, so only the imported scene counts. In one, keys are left out on purpose. In the
# other the file itself differs by 1.5e-4 of the size, and Blender reads the same out of it as we do; bones stand at 90 degrees, where
# Euler angles made of f32 matrices keep half the digits, which is probably why.
LOSSY = {"figure_fewer_keys", "man"}

# Name, model, settings of the exporter.
CASES = [
    ("simple", "khronos/RiggedSimple.glb", {**EXACT, **SCENE}),
    ("figure", "khronos/RiggedFigure.glb", {**EXACT, **SCENE}),
    ("figure_zx", "khronos/RiggedFigure.glb", {
        **EXACT, **SCENE, "primary_bone_axis": "Z", "secondary_bone_axis": "X", "add_leaf_bones": False,
        "armature_nodetype": "ROOT"}),
    ("figure_small", "khronos/RiggedFigure.glb", {**EXACT, **SCENE, "global_scale": 0.01}),
    ("figure_units", "khronos/RiggedFigure.glb", {
        **EXACT, **SCENE, "apply_scale_options": "FBX_SCALE_UNITS", "primary_bone_axis": "-Y",
        "secondary_bone_axis": "Z"}),
    ("figure_custom", "khronos/RiggedFigure.glb", {
        **EXACT, **SCENE, "apply_scale_options": "FBX_SCALE_CUSTOM", "global_scale": 0.01}),
    ("figure_all", "khronos/RiggedFigure.glb", {
        **EXACT, **SCENE, "apply_scale_options": "FBX_SCALE_ALL", "axis_forward": "Y", "axis_up": "Z"}),
    ("figure_x_up", "khronos/RiggedFigure.glb", {**EXACT, **SCENE, "axis_forward": "Y", "axis_up": "X"}),
    ("figure_fewer_keys", "khronos/RiggedFigure.glb", {**SCENE, "bake_anim_simplify_factor": 1.0}),
    ("figure_still", "khronos/RiggedFigure.glb", {"bake_anim": False}),
    ("man", "khronos/CesiumMan.glb", {
        **EXACT, **SCENE, "primary_bone_axis": "X", "secondary_bone_axis": "Y", "mesh_smooth_type": "FACE"}),
    ("fox", "khronos/Fox.glb", {**EXACT, **ACTIONS}),
    ("cube", "khronos/AnimatedMorphCube.glb", {**EXACT, **SCENE}),
    ("cube_small", "khronos/AnimatedMorphCube.glb", {
        **EXACT, **SCENE, "global_scale": 0.01, "apply_scale_options": "FBX_SCALE_ALL"}),
    ("robot", "quaternius/RobotExpressive.glb", {**EXACT, **SCENE, "use_triangles": True}),
    ("stress", "khronos/MorphStressTest.glb", {**EXACT, **SCENE, "use_tspace": True}),
    ("makehuman", "makehuman/makehuman_cmu_A.glb", {
        **EXACT, **SCENE, "primary_bone_axis": "-X", "secondary_bone_axis": "Z", "add_leaf_bones": False}),
]


def evaluated_meshes():
    """World positions of every mesh of the scene, by the name of its object."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    meshes = {}
    for thing in bpy.context.scene.objects:
        if thing.type != "MESH":
            continue
        evaluated = thing.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        mesh.transform(evaluated.matrix_world)
        flat = [0.0] * (3 * len(mesh.vertices))
        mesh.vertices.foreach_get("co", flat)
        meshes[thing.name] = flat
        evaluated.to_mesh_clear()
    return meshes


def frames_of_clip(first, last):
    """What the scene shows at some whole frames after the first, with their times in seconds after it."""
    scene = bpy.context.scene
    count = int(last - first)
    found = []
    for i in sorted({round(k * count / max(FRAMES - 1, 1)) for k in range(FRAMES)}):
        frame = first + i
        scene.frame_set(int(frame), subframe=frame - int(frame))
        seconds = i / (scene.render.fps / scene.render.fps_base)
        found.append({"time": seconds, "meshes": evaluated_meshes()})
    return found


def clip_of_scene():
    """The one clip that the exporter makes of what the scene shows."""
    scene = bpy.context.scene
    return {"frames": frames_of_clip(scene.frame_start, scene.frame_end)}


def clips_of_actions():
    """A clip per action of the armature, as the exporter does it."""
    armature = next(thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE")
    animation = armature.animation_data
    shown = animation.action
    clips = []
    for action in bpy.data.actions:
        animation.action = action
        animation.action_slot = action.slots[0]
        clips.append({"name": action.name, "frames": frames_of_clip(*action.frame_range)})
    animation.action = shown
    animation.action_slot = shown.slots[0]
    return clips


def span_of_actions():
    """First and last frame of everything that is animated."""
    ends = [end for action in bpy.data.actions for end in action.frame_range]
    return (min(ends), max(ends)) if ends else (0, 0)


def import_model(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path, disable_bone_shape=True)
    first, last = span_of_actions()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = int(first), int(last)


def write_case(name, model, settings, folder):
    import_model(model)
    still = not settings.get("bake_anim", True)
    actions = settings.get("bake_anim_use_all_actions", False)
    if still:
        # The file holds the pose of the frame that the scene is at.
        bpy.context.scene.frame_set(bpy.context.scene.frame_start)
        original = [{"frames": [{"time": 0.0, "meshes": evaluated_meshes()}]}]
    else:
        original = clips_of_actions() if actions else [clip_of_scene()]
    bpy.context.scene.frame_set(bpy.context.scene.frame_start)
    file = os.path.join(folder, name + ".fbx")
    bpy.ops.export_scene.fbx(filepath=file, **settings)
    imported = []
    if not actions:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.import_scene.fbx(filepath=file, anim_offset=0.0)
        first, last = span_of_actions()
        imported = [{"frames": frames_of_clip(first, last)}]
    case = {
        "scale": settings.get("global_scale", 1.0),
        "still": still,
        "original": [] if name in LOSSY else original,
        "imported": imported,
    }
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as out:
        json.dump(case, out)


def main():
    models, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    for name, model, settings in CASES:
        write_case(name, os.path.join(models, model), settings, folder)


main()
