//! FBX in, through the C library `ufbx`.
//!
//! In: binary or text FBX. Out: one model in metres, +Y up: nodes, meshes, skin clusters, blend shapes and baked
//! animation stacks; or only the nodes and their clips.
//! Must hold: deformed vertices are those of the program that wrote the file.
//!
//! Limits: normals and texture coordinates are kept only where all meshes have one per control point; constraints are not
//! followed, cache files not read; of several skins of a mesh the first is used. Notes tell of the latter.

mod animation;
mod blend_channel;
mod meshes;
mod odd;
mod scene;

use glam::{DAffine3, DQuat, DVec3, Quat};
use supple::Transform;
use supple::pose::{Joint, Node, Skeleton};

use crate::gltf_reader::Budget;
use crate::motion::Motion;
use crate::{Loaded, Problem};
use meshes::Meshes;

/// Reads the bytes of an FBX file.
///
/// # Errors
/// They are not FBX, or have no triangles.
pub(crate) fn read(bytes: &[u8]) -> Result<Loaded, Problem> {
    let (scene, mended) = scene::load(bytes)?;
    let meshes = Meshes::of(&scene, &Budget::for_file_of(bytes.len()))?;
    if meshes.is_empty() {
        return Err(without_mesh(&scene));
    }
    let mut notes = odd::notes(&scene);
    notes.extend(mended);
    let clips = animation::clips(&scene, bytes.len(), meshes.channels(), &mut notes)?;
    let creator = scene.metadata.creator.to_string();
    let format = match scene.metadata.ascii {
        true => "FBX (text), converted to metres",
        false => "FBX (binary), converted to metres",
    };
    let plain = Loaded::plain(meshes.into_model(nodes(&scene), clips)?, format);
    Ok(Loaded { notes, generator: (!creator.is_empty()).then_some(creator), ..plain })
}

/// Reads the nodes and clips of an FBX file, whether it has a mesh or not. The joints are its bones; all nodes where none is
/// called a bone.
///
/// # Errors
/// It is not FBX, or has no nodes.
pub(crate) fn read_motion(bytes: &[u8]) -> Result<Motion, Problem> {
    let (scene, _) = scene::load(bytes)?;
    let mut notes = Vec::new();
    let clips = animation::clips(&scene, bytes.len(), &[], &mut notes)?;
    let real: Vec<&ufbx::Node> = scene
        .nodes
        .iter()
        .map(|node| node.as_ref())
        .filter(|node| !node.is_root && !is_helper(node))
        .collect();
    let bones: Vec<&ufbx::Node> = real.iter().copied().filter(|node| node.bone.is_some()).collect();
    let joint = |node: &&ufbx::Node| {
        let world = affine(&node.node_to_world);
        let inverse_bind =
            if world.matrix3.determinant() == 0.0 { DAffine3::IDENTITY } else { world.inverse() };
        Joint { node: node.element.typed_id as usize, inverse_bind }
    };
    let joints = if bones.is_empty() { real } else { bones }.iter().map(joint).collect();
    let skeleton = Skeleton::new(nodes(&scene), joints).map_err(supple::ModelError::from)?;
    Ok(Motion { skeleton, clips, morph_targets: Vec::new(), notes })
}

fn without_mesh(scene: &ufbx::Scene) -> Problem {
    let message = if scene.anim_stacks.is_empty() {
        "no node has a mesh with triangles; expected at least one".to_owned()
    } else {
        format!(
            "no node has a mesh with triangles; clips without a mesh ({}) can be played on a character of another file",
            scene.anim_stacks.len()
        )
    };
    Problem::invalid("nodes", message)
}

fn nodes(scene: &ufbx::Scene) -> Vec<Node> {
    let node = |node: &ufbx::Node| {
        let rest = Transform {
            translation: vec3(&node.local_transform.translation).as_vec3(),
            rotation: quat(&node.local_transform.rotation),
            scale: vec3(&node.local_transform.scale).as_vec3(),
        };
        Node::new(name_of(node), node.parent.as_ref().map(|parent| parent.element.typed_id as usize), rest)
    };
    scene.nodes.iter().map(|n| node(n)).collect()
}

/// The library adds nodes for what one node cannot express: they are called after their parents.
fn name_of(node: &ufbx::Node) -> String {
    match &node.parent {
        Some(parent) if node.is_geometry_transform_helper => format!("{} (geometry)", name_of(parent)),
        Some(parent) if node.is_scale_helper => format!("{} (scale)", name_of(parent)),
        _ => node.element.name.to_string(),
    }
}

fn is_helper(node: &ufbx::Node) -> bool {
    node.is_geometry_transform_helper || node.is_scale_helper
}

fn vec3(v: &ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

fn quat(q: &ufbx::Quat) -> Quat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w).as_quat()
}

fn affine(m: &ufbx::Matrix) -> DAffine3 {
    DAffine3::from_cols_array(&[
        m.m00, m.m10, m.m20, m.m01, m.m11, m.m21, m.m02, m.m12, m.m22, m.m03, m.m13, m.m23,
    ])
}
