//! Which required extensions can be read, or ignored because they do not change geometry.

use super::draco;
use crate::Problem;

const READ: [&str; 4] =
    ["KHR_mesh_quantization", "EXT_meshopt_compression", "KHR_meshopt_compression", draco::NAME];

/// They change how surfaces look, not where they are.
const HARMLESS: [&str; 10] = [
    "KHR_texture_transform",
    "KHR_texture_basisu",
    "EXT_texture_webp",
    "EXT_texture_avif",
    "MSFT_texture_dds",
    "KHR_lights_punctual",
    "EXT_lights_image_based",
    "EXT_lights_ies",
    "KHR_xmp",
    "KHR_xmp_json_ld",
];

/// Families of extensions that do not change geometry: materials, and what VRM says about its avatars.
const HARMLESS_PREFIXES: [&str; 4] = ["KHR_materials_", "EXT_materials_", "VRMC_", "VRM"];

pub(super) fn check_required(required: &[String]) -> Result<(), Problem> {
    let known = |name: &str| {
        READ.contains(&name)
            || HARMLESS.contains(&name)
            || HARMLESS_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    };
    match required.iter().find(|name| !known(name)) {
        Some(name) => Err(Problem::UnsupportedExtension { extension: name.clone() }),
        None => Ok(()),
    }
}
