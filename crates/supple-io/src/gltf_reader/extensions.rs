//! What is known about extensions: read, harmless, or a danger to the geometry.
//!
//! In: the extensions that a file uses and requires. Out: notes about what is not shown, or an error that names one.
//! Must hold: an extension that changes where triangles are, and is not read, is an error even if it is only used.

use super::{draco, instances};
use crate::Problem;

/// They are read.
const READ: [&str; 5] = [
    "KHR_mesh_quantization",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    draco::NAME,
    instances::NAME,
];

/// They change which triangles there are, or where.
const CHANGE_GEOMETRY: [&str; 7] = [
    "EXT_mesh_primitive_restart",
    "CESIUM_RTC",
    "KHR_gaussian_splatting",
    "KHR_gaussian_splatting_compression_spz",
    "KHR_gaussian_splatting_compression_spz_2",
    "MPEG_accessor_timed",
    "MPEG_mesh_linking",
];

/// The rest pose is right without them, but something that they say is not done.
const NOT_FOLLOWED: [(&str, &str); 5] = [
    ("MSFT_lod", "only the finest level of detail is read"),
    ("KHR_animation_pointer", "what it animates does not move"),
    ("KHR_node_visibility", "hidden nodes are read like others"),
    ("AGI_articulations", "articulations do not move"),
    ("KHR_physics_rigid_bodies", "physics does not move anything"),
];

/// They change how surfaces look, or add what is no surface.
const HARMLESS: [&str; 24] = [
    "KHR_texture_transform",
    "KHR_texture_basisu",
    "EXT_texture_webp",
    "EXT_texture_avif",
    "MSFT_texture_dds",
    "MSFT_packing_normalRoughnessMetallic",
    "MSFT_packing_occlusionRoughnessMetallic",
    "KHR_lights_punctual",
    "EXT_lights_image_based",
    "EXT_lights_ies",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "KHR_audio_emitter",
    "KHR_implicit_shapes",
    "KHR_interactivity",
    "KHR_node_selectability",
    "KHR_node_hoverability",
    "EXT_mesh_features",
    "EXT_mesh_manifold",
    "EXT_mesh_primitive_edge_visibility",
    "EXT_structural_metadata",
    "CESIUM_primitive_outline",
    "FB_geometry_metadata",
    "GODOT_single_root",
];

/// Families of extensions that do not change geometry: materials, and what VRM says about its avatars.
const HARMLESS_PREFIXES: [&str; 6] =
    ["KHR_materials_", "EXT_materials_", "ADOBE_materials_", "NV_materials_", "VRMC_", "VRM"];

/// Refuses what cannot be read right; the notes say what is not done.
pub(super) fn check(used: &[String], required: &[String], notes: &mut Vec<String>) -> Result<(), Problem> {
    let unsupported = |name: &String| Problem::UnsupportedExtension { extension: name.clone() };
    if let Some(name) = used.iter().chain(required).find(|name| CHANGE_GEOMETRY.contains(&name.as_str())) {
        return Err(unsupported(name));
    }
    let not_followed = |name: &str| NOT_FOLLOWED.iter().find(|(known, _)| *known == name);
    let is_known = |name: &str| {
        READ.contains(&name)
            || HARMLESS.contains(&name)
            || HARMLESS_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
            || not_followed(name).is_some()
    };
    if let Some(name) = required.iter().find(|name| !is_known(name)) {
        return Err(unsupported(name));
    }
    for name in used {
        let short: String = name.chars().take(60).collect();
        match not_followed(name) {
            Some((_, what)) => notes.push(format!("extension {short}: {what}")),
            None if !is_known(name) => {
                notes.push(format!("extension {short}: not known here, and not followed"));
            }
            None => {}
        }
    }
    Ok(())
}
