//! Several instances of models in one file: each model is stored once, its instances are nodes with clips of their own.
//!
//! In: models that move as a whole, and for each instance a placement and coefficients at every key time. Out: one animation.
//! Must hold: vertices are numbered instance by instance when the file is read.

use serde_json::{Value, json};
use supple::pose::Interpolation;
use supple::rest::Rest;
use supple::{Isometry, Model};

use super::accessors::Binary;
use super::animations::Animation;
use super::materials::Materials;
use super::placement::Placement;
use super::shape::Shape;
use super::skins::Skins;
use super::{Contents, GlbError, check_coverage, meshes};

/// A model and all its instances.
#[derive(Clone, Debug)]
pub struct Instances<'a> {
    /// One part that moves as a whole; displacement fields become morph targets.
    pub model: &'a Model,
    /// Each becomes a node.
    pub instances: Vec<Instance>,
}

/// How one instance moves.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// Of the node.
    pub name: String,
    /// One per key time.
    pub placements: Vec<Isometry>,
    /// All coefficients of the model for the first key time, then for the second, and so on.
    pub coefficients: Vec<f32>,
}

/// The bytes of a GLB file in which instances of models move from key to key, linearly.
///
/// # Errors
/// A model with joints or several parts, a list that does not have one entry per key time, numbers that are not finite.
pub fn instances_glb_bytes(name: &str, times: &[f32], models: &[Instances<'_>]) -> Result<Vec<u8>, GlbError> {
    check_times(times)?;
    let (mut binary, mut materials, mut animation) =
        (Binary::default(), Materials::default(), Animation::default());
    let (mut meshes, mut nodes) = (Vec::new(), Vec::new());
    let input = binary.key_times(times);
    for (number, Instances { model, instances }) in models.iter().enumerate() {
        meshes.push(mesh(number, model, &mut binary, &mut materials)?);
        let width = model.rest().coefficient_count();
        for (instance_number, instance) in instances.iter().enumerate() {
            check(number, instance_number, instance, times.len(), width)?;
            let node = nodes.len();
            nodes.push(json!({ "name": instance.name, "mesh": number }));
            let placements = instance.placements.iter();
            let translations: Vec<f32> =
                placements.clone().flat_map(|placement| placement.translation.as_vec3().to_array()).collect();
            let rotations: Vec<f32> = placements
                .flat_map(|placement| placement.rotation.normalize().as_quat().to_array())
                .collect();
            let mut add = |path: &str, kind: &str, width: usize, values: &[f32]| {
                let output = binary.floats(kind, width, values);
                animation.add(node, path, Interpolation::Linear, input, output);
            };
            add("translation", "VEC3", 3, &translations);
            add("rotation", "VEC4", 4, &rotations);
            if width > 0 {
                add("weights", "SCALAR", 1, &instance.coefficients);
            }
        }
    }
    let contents = Contents {
        roots: (0..nodes.len()).collect(),
        nodes,
        meshes,
        materials: materials.to_json(),
        skins: Vec::new(),
        animations: animation.to_json(name).into_iter().collect(),
        binary,
    };
    contents.into_glb()
}

/// The mesh of a model, which stands on nodes of its own.
fn mesh(
    number: usize,
    model: &Model,
    binary: &mut Binary,
    materials: &mut Materials,
) -> Result<Value, GlbError> {
    let (parts, joints) = (model.parts().len(), model.skeleton().joints().len());
    let convex = matches!(model.rest(), Rest::Morph(_));
    if parts != 1 || joints != 1 || convex || Skins::plan(model).of_part(0).is_some() {
        return Err(GlbError::NotOnePart { model: number, parts, joints });
    }
    check_coverage(model)?;
    let shape = Shape::of(model)?;
    // All of them, so that weights are the model's coefficients.
    let targets: Vec<usize> = (0..shape.targets.len()).collect();
    let placement = Placement { part: 0, node: 0, skin: None, mirrored: false };
    meshes::mesh(model, &shape, &placement, None, &targets, binary, materials)
}

fn check_times(times: &[f32]) -> Result<(), GlbError> {
    let ascends = |key: usize| match key {
        0 => times[0] >= 0.0,
        _ => times[key] > times[key - 1],
    };
    let wrong = (0..times.len()).find(|&key| !times[key].is_finite() || !ascends(key));
    match (wrong, times) {
        (None, [_, ..]) => Ok(()),
        _ => Err(GlbError::KeyTimes { key: wrong.unwrap_or(0) }),
    }
}

fn check(
    model: usize,
    instance: usize,
    Instance { placements, coefficients, .. }: &Instance,
    times: usize,
    width: usize,
) -> Result<(), GlbError> {
    let lists =
        [("placements", placements.len(), times), ("coefficients", coefficients.len(), times * width)];
    if let Some((what, found, expected)) = lists.into_iter().find(|(_, found, expected)| found != expected) {
        return Err(GlbError::InstanceLength { model, instance, what, expected, found });
    }
    let finite = placements.iter().all(Isometry::is_finite) && coefficients.iter().all(|q| q.is_finite());
    if finite { Ok(()) } else { Err(GlbError::NotFinite { what: "motion of instance", index: instance }) }
}
