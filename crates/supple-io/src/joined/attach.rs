//! A prop that a bone carries.

use glam::{DAffine3, DMat3};
use supple::math::{largest_stretch, polar};
use supple::mesh::Mesh;
use supple::pose::{Joint, Skeleton};
use supple::{Isometry, Model, ModelError, Skinning, Transform};

use super::JoinError;
use super::names::nearest;
use super::one_model::one_model;
use super::side_by_side::checked;

/// A bone whose largest scale is this many times its smallest is flat: in f32, the smallest is what rounding left of 0.
const FLAT: f64 = 1e6;

/// A model whose bone carries a prop: a sword in a hand, a hat on a head.
///
/// The prop's origin is at the bone's origin, its axes lie along the bone's axes, as under a socket or a child node of an engine;
/// `placement` moves it from there, in the prop's own units. The bone is any node of the skeleton, whether it moves vertices or
/// not: the one of exactly this name, or of this name in upper and lower case.
///
/// *Size.* In the rest pose the prop is as large as in its file, also where the bone is scaled (skeletons in centimetres often have
/// a scale of 0.01 or 100 above them). A clip that scales the bone scales the prop with it. A bone that mirrors mirrors the
/// prop, as in every engine.
///
/// *What stays.* Parts, clips and morph targets of the model are what they were. Of the prop there is its surface in its own rest
/// pose, and its parts; a name that the model has too gets a number: `sword (2)`. Its bones, clips and morph targets are
/// dropped.
///
/// ```
/// use glam::Vec3;
/// use supple::Transform;
/// use supple_io::attach;
///
/// let (man, sword) = (supple_zoo::make("man", 0)?, supple_zoo::make("chair", 0)?); // nothing sharper at hand
/// let armed = attach(&man, &sword, "hand_r", &Transform::from_translation(Vec3::new(0.0, 0.1, 0.0)))?;
/// assert_eq!(armed.clips(), man.clips());
/// assert_eq!(armed.parts()[man.parts().len()].name, "chair");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// No bone of that name, or several; one that is scaled to nothing at rest; a placement that is not finite or leaves nothing; more than can
/// be numbered.
pub fn attach(model: &Model, prop: &Model, bone: &str, placement: &Transform) -> Result<Model, JoinError> {
    let placement = checked(placement)?.matrix();
    let node = node_named(model, bone)?;
    let joint = Joint { node, inverse_bind: without_scale(model, node)? * placement };
    let skeleton = model.skeleton();
    let joints = [skeleton.joints(), &[joint]].concat();
    let carrying = Skeleton::new(skeleton.nodes().to_vec(), joints).map_err(ModelError::from)?;
    let both = one_model(model, &at_rest(prop)?, carrying, |_| node)?;
    Ok(both.with_clips(model.clips().to_vec())?)
}

/// The one node of that name. Where a mesh hangs on a node that is called like a bone, the bone is meant.
fn node_named(model: &Model, name: &str) -> Result<usize, JoinError> {
    let skeleton = model.skeleton();
    let nodes = skeleton.nodes();
    let called = |is_same: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..nodes.len()).filter(|&node| !nodes[node].name.is_empty() && is_same(&nodes[node].name)).collect()
    };
    let mut found = called(&|other| other == name);
    if found.is_empty() {
        found = called(&|other| other.to_lowercase() == name.to_lowercase());
    }
    let bones: Vec<usize> =
        found.iter().copied().filter(|&node| skeleton.joints().iter().any(|j| j.node == node)).collect();
    match (&found[..], &bones[..]) {
        (&[node], _) | (_, &[node]) => Ok(node),
        ([], _) => {
            let known = nodes.iter().map(|node| node.name.as_str());
            Err(JoinError::UnknownNode { name: name.to_owned(), nearest: nearest(name, known) })
        }
        _ => Err(JoinError::AmbiguousNode { name: name.to_owned(), count: found.len() }),
    }
}

/// What takes the scale out of a node's matrix in the rest pose. That is `Q S`, with `S` symmetric and positive and `Q`
/// orthogonal: turned, and mirrored where the node is. So `S` goes.
fn without_scale(model: &Model, node: usize) -> Result<DAffine3, JoinError> {
    let at_rest = model.skeleton().world_matrices(&model.rest_pose());
    let world = at_rest.map_err(|source| JoinError::RestPose { model: "first", source })?[node];
    let stretch = polar(world.matrix3).1;
    // Negative where the node mirrors.
    let stretch = if stretch.determinant() < 0.0 { -stretch } else { stretch };
    let back = if stretch == DMat3::IDENTITY { stretch } else { stretch.inverse() };
    let flatness = largest_stretch(stretch) * largest_stretch(back);
    if !back.is_finite() || flatness.is_nan() || flatness > FLAT {
        return Err(JoinError::FlatNode { name: model.skeleton().nodes()[node].name.clone() });
    }
    Ok(DAffine3::from_mat3(back))
}

/// A rigid model that looks like a model in its rest pose.
fn at_rest(prop: &Model) -> Result<Model, JoinError> {
    let failed = |source| JoinError::RestPose { model: "second", source };
    let pose = prop.rest_pose();
    let posed = prop.posed(&pose, Skinning::Linear).map_err(failed)?;
    let matrices = prop.skeleton().joint_matrices(&pose, Isometry::IDENTITY).map_err(failed)?;
    let mirrors: Vec<bool> = matrices.iter().map(|matrix| matrix.matrix3.determinant() < 0.0).collect();
    // What a mirrored joint turns inside out is turned back, as whoever draws it does.
    let outwards = |(number, &[a, b, c]): (usize, &[u32; 3])| {
        let joint = prop.owning_joint(number as u32).0 as usize;
        if mirrors[joint] { [a, c, b] } else { [a, b, c] }
    };
    let triangles = prop.mesh().triangles().iter().enumerate().map(outwards).collect();
    let mut mesh = Mesh::new(posed.positions(), triangles).map_err(ModelError::from)?;
    if let Some(normals) = posed.normals() {
        mesh = mesh.with_normals(normals).map_err(ModelError::from)?;
    }
    if let Some(uvs) = prop.mesh().uvs() {
        mesh = mesh.with_uvs(uvs.to_vec()).map_err(ModelError::from)?;
    }
    let parts = prop.parts().iter().cloned();
    let parts = parts.map(|part| supple::model::Part { node: 0, coefficients: 0..0, ..part }).collect();
    Ok(Model::rigid(mesh).with_parts(parts)?)
}
