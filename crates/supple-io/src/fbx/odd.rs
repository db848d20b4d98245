//! What a user should know about an FBX file: things that are there and not read.

use super::name_of;

/// A note for each.
pub(super) fn notes(scene: &ufbx::Scene) -> Vec<String> {
    let mut notes = Vec::new();
    for warning in scene.metadata.warnings.iter() {
        let times = if warning.count > 1 { format!(" ({} times)", warning.count) } else { String::new() };
        notes.push(format!("FBX: {}{times}", warning.description));
    }
    for mesh in scene.meshes.iter() {
        let place = || match mesh.element.instances.first() {
            Some(node) => format!("mesh {} ({})", mesh.element.typed_id, name_of(node)),
            None => format!("mesh {}", mesh.element.typed_id),
        };
        if mesh.skin_deformers.len() > 1 {
            notes.push(format!(
                "{}: has {} skins; only the first is used",
                place(),
                mesh.skin_deformers.len()
            ));
        }
        if !mesh.cache_deformers.is_empty() {
            notes.push(format!("{}: is moved by a cache file, which is not read", place()));
        }
        if mesh.subdivision_display_mode != ufbx::SubdivisionDisplayMode::Disabled {
            notes.push(format!("{}: is to be subdivided; it was read as it is", place()));
        }
        let method = mesh.skin_deformers.first().map(|skin| skin.skinning_method);
        if let Some(ufbx::SkinningMethod::DualQuaternion | ufbx::SkinningMethod::BlendedDqLinear) = method {
            notes.push(format!("{}: its skin asks for dual quaternions; choose that way to skin", place()));
        }
    }
    let surfaces =
        scene.nurbs_surfaces.len() + scene.nurbs_trim_surfaces.len() + scene.procedural_geometries.len();
    if surfaces > 0 {
        notes.push(format!("FBX: {surfaces} surfaces are not made of polygons and were left out"));
    }
    if !scene.lod_groups.is_empty() {
        notes.push("FBX: has several levels of detail; all of them were read as parts".to_owned());
    }
    let constraints = scene.constraints.iter().filter(|constraint| constraint.active).count();
    if constraints > 0 {
        notes.push(format!(
            "FBX: {constraints} constraints between nodes are not followed; bake them into keys"
        ));
    }
    notes
}
