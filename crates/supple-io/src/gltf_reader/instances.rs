//! Instances of a node's mesh (`EXT_mesh_gpu_instancing`).
//!
//! In: a node with the extension. Out: a transform per instance, relative to the node.
//! Must hold: what the extension does not say how to move (skins, morph targets) is an error.
//!
//! Based on: Khronos Group, EXT_mesh_gpu_instancing, glTF 2.0 extension, 2020.

use std::collections::BTreeMap;

use glam::{Quat, Vec3, Vec4};
use gltf::json;
use json::accessor::{ComponentType, Type};
use serde::Deserialize;
use serde_json::Value;
use supple::Transform;

use super::budget::VISIT;
use super::contents::Contents;
use crate::Problem;

pub(super) const NAME: &str = "EXT_mesh_gpu_instancing";

/// Bookkeeping of an instance: a node, a part and their names.
const COST: usize = 4 * VISIT;

#[derive(Deserialize)]
struct Instancing {
    attributes: BTreeMap<String, usize>,
}

/// Where the instances of a node's mesh are; nothing if the node does not have the extension.
pub(super) fn read_instances(
    contents: &Contents<'_>,
    node: usize,
) -> Result<Option<Vec<Transform>>, Problem> {
    let stored = &contents.document.nodes[node];
    let extension = stored.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME));
    let (Some(extension), Some(mesh)) = (extension, stored.mesh) else { return Ok(None) };
    let place = format!("{}, {NAME}", contents.document.node_place(node));
    let bad = |message: String| Problem::invalid(&place, message);
    let mesh = contents.document.meshes.get(mesh.value());
    let morphs = mesh.is_some_and(|m| m.primitives.iter().flat_map(|p| &p.targets).any(|t| !t.is_empty()));
    if stored.skin.is_some() || morphs {
        return Err(bad("instances of a mesh with a skin or morph targets are not read".to_owned()));
    }
    let Instancing { attributes } =
        Instancing::deserialize(extension as &Value).map_err(|e| bad(e.to_string()))?;
    let read = |name: &str, shape: Type, kinds: &[ComponentType]| {
        let Some(&index) = attributes.get(name) else { return Ok(None) };
        let numbers = contents.accessor(index).and_then(|a| a.checked_kind(shape, kinds)?.to_f32());
        let numbers = numbers.map_err(|problem| problem.within(&place))?;
        match numbers.iter().all(|number| number.is_finite()) {
            true => Ok(Some(numbers)),
            false => Err(bad(format!("{name} has numbers that are not finite"))),
        }
    };
    use ComponentType::{F32, I8, I16};
    let translations = read("TRANSLATION", Type::Vec3, &[F32])?;
    let rotations = read("ROTATION", Type::Vec4, &[F32, I8, I16])?;
    let scales = read("SCALE", Type::Vec3, &[F32])?;
    let counts = [(&translations, 3), (&rotations, 4), (&scales, 3)]
        .map(|(n, width)| n.as_ref().map(|n| n.len() / width));
    let count = counts.into_iter().flatten().next().ok_or_else(|| {
        bad("has none of TRANSLATION, ROTATION and SCALE; expected at least one".to_owned())
    })?;
    if counts.into_iter().flatten().any(|other| other != count) {
        return Err(bad("has different numbers of translations, rotations and scales".to_owned()));
    }
    contents.budget.spend(|| place.clone(), count, COST)?;
    let three = |numbers: &Option<Vec<f32>>, i: usize, none: Vec3| {
        numbers.as_ref().map_or(none, |numbers| Vec3::from_slice(&numbers[i * 3..]))
    };
    let transform = |i: usize| {
        let rotation = match &rotations {
            Some(numbers) => Vec4::from_slice(&numbers[i * 4..]).try_normalize().map(Quat::from_vec4),
            None => Some(Quat::IDENTITY),
        };
        Ok(Transform {
            translation: three(&translations, i, Vec3::ZERO),
            rotation: rotation.ok_or_else(|| bad(format!("rotation {i} is zero")))?,
            scale: three(&scales, i, Vec3::ONE),
        })
    };
    (0..count).map(transform).collect::<Result<_, _>>().map(Some)
}
