//! Real files, by their paths in the folder of assets.

/// Skins of every kind: plain, scaled, morphed, mirrored, many influences, many skins, duplicate triangles.
pub const SKINS_OF_EVERY_KIND: [&str; 16] = [
    "khronos/CesiumMan.glb",
    "khronos/Fox.glb",
    "khronos/RiggedFigure.glb",
    "khronos/SimpleSkin.gltf",
    "khronos/SimpleMorph.gltf",
    "khronos/MorphStressTest.glb",
    "khronos/AnimatedMorphCube-Quantized.glb",
    "godot/player.glb",
    "hands/aframe_leftHandHigh.glb",
    "quaternius/RobotExpressive.glb",
    "rocketbox/rocketbox_Male_Adult_01.glb",
    "vrm/100Avatars_013_Mint.vrm",
    "babylon/bars.glb",
    "momentum/test_24fps.glb",
    "momentum/blender_simple_armature.glb",
    "kaykit/Knight.glb",
];
