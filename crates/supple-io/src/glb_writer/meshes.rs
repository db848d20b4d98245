//! One mesh per part, one primitive per material.

use std::ops::Range;

use glam::Vec3;
use serde_json::{Map, Value, json};
use supple::Model;
use supple::model::{Part, Primitive};

use super::GlbError;
use super::accessors::Binary;
use super::materials::Materials;
use super::placement::Placement;
use super::shape::Shape;
use super::skins::FileSkin;
use super::targets::targets;

/// The mesh of a part.
pub(super) fn mesh(
    model: &Model,
    shape: &Shape,
    placement: &Placement,
    skin: Option<&FileSkin>,
    part_targets: &[usize],
    binary: &mut Binary,
    materials: &mut Materials,
) -> Result<Value, GlbError> {
    let part = &model.parts()[placement.part];
    check_corners(model, placement.part, part)?;
    let influences = part.vertices.clone().map(|v| model.skin().influences(v as u32).len()).max();
    let sets = influences.unwrap_or(0).div_ceil(4);
    let mut primitives = Vec::new();
    for primitive in separate_primitives(model, part) {
        let vertices = &primitive.vertices;
        let mut attributes = attributes(model, shape, vertices, binary);
        if let Some(skin) = skin {
            for set in 0..sets {
                let (joints, weights) = influence_set(model, skin, vertices, set);
                let joints = binary.joints(&joints, skin.joint_count());
                attributes.insert(format!("JOINTS_{set}"), json!(joints));
                let weights = binary.attribute("VEC4", &weights);
                attributes.insert(format!("WEIGHTS_{set}"), json!(weights));
            }
        }
        let triangles = &model.mesh().triangles()[primitive.triangles.clone()];
        let turned = |&[a, b, c]: &[u32; 3]| if placement.mirrored { [a, c, b] } else { [a, b, c] };
        let indices: Vec<u32> =
            triangles.iter().flat_map(turned).map(|v| v - vertices.start as u32).collect();
        let mut value = json!({
            "attributes": attributes, "indices": binary.indices(&indices, vertices.len()),
        });
        if let Some(material) = materials.index(&primitive.material) {
            value["material"] = json!(material);
        }
        if !part_targets.is_empty() {
            value["targets"] = Value::Array(targets(shape, part_targets, vertices, binary));
        }
        primitives.push(value);
    }
    let mut value = json!({ "primitives": primitives });
    if !part.name.is_empty() {
        value["name"] = json!(part.name);
    }
    if !part_targets.is_empty() {
        let fields = || part_targets.iter().map(|&target| &shape.targets[target]);
        value["weights"] = fields().map(|field| json!(field.default)).collect();
        value["extras"] = json!({ "targetNames": fields().map(|field| &field.name).collect::<Vec<_>>() });
    }
    Ok(value)
}

fn check_corners(model: &Model, index: usize, part: &Part) -> Result<(), GlbError> {
    for triangle in part.triangles.clone() {
        let corners = model.mesh().triangles()[triangle];
        if let Some(&vertex) = corners.iter().find(|&&v| !part.vertices.contains(&(v as usize))) {
            return Err(GlbError::TriangleOutsidePart { part: index, triangle, vertex });
        }
    }
    Ok(())
}

/// The part's primitives if they divide its vertices and triangles, otherwise one for all of it.
fn separate_primitives(model: &Model, part: &Part) -> Vec<Primitive> {
    let (mut vertex, mut triangle) = (part.vertices.start, part.triangles.start);
    let mut divides = !part.primitives.is_empty();
    for primitive in &part.primitives {
        divides &= primitive.vertices.start == vertex && primitive.triangles.start == triangle;
        divides &= !primitive.triangles.is_empty() && primitive.triangles.end <= part.triangles.end;
        divides = divides
            && model.mesh().triangles()[primitive.triangles.clone()]
                .iter()
                .flatten()
                .all(|&v| primitive.vertices.contains(&(v as usize)));
        (vertex, triangle) = (primitive.vertices.end, primitive.triangles.end);
    }
    if divides && (vertex, triangle) == (part.vertices.end, part.triangles.end) {
        return part.primitives.clone();
    }
    vec![Primitive {
        material: part.primitives.first().map(|p| p.material.clone()).unwrap_or_default(),
        vertices: part.vertices.clone(),
        triangles: part.triangles.clone(),
    }]
}

fn attributes(
    model: &Model,
    shape: &Shape,
    vertices: &Range<usize>,
    binary: &mut Binary,
) -> Map<String, Value> {
    let mut attributes = Map::new();
    let positions = binary.positions(&shape.positions[vertices.clone()]);
    attributes.insert("POSITION".into(), json!(positions));
    if let Some(normals) = &shape.normals {
        let normals: Vec<[f32; 3]> = normals[vertices.clone()].iter().map(|n| unit_normal(*n)).collect();
        attributes.insert("NORMAL".into(), json!(binary.attribute("VEC3", &normals)));
    }
    if let Some(uvs) = model.mesh().uvs() {
        let uvs: Vec<[f32; 2]> = uvs[vertices.clone()].iter().map(|uv| uv.to_array()).collect();
        attributes.insert("TEXCOORD_0".into(), json!(binary.attribute("VEC2", &uvs)));
    }
    attributes
}

/// A normal that readers take for a unit one; those that already are stay bit by bit.
fn unit_normal(normal: Vec3) -> [f32; 3] {
    // The validator complains from 5e-4 on.
    if (normal.length() - 1.0).abs() < 1e-4 {
        return normal.to_array();
    }
    normal.as_dvec3().try_normalize().map_or(Vec3::Z, |n| n.as_vec3()).to_array()
}

/// Influences `4 set .. 4 set + 4` of every vertex; missing ones have joint 0 and weight 0.
fn influence_set(
    model: &Model,
    skin: &FileSkin,
    vertices: &Range<usize>,
    set: usize,
) -> (Vec<[u16; 4]>, Vec<[f32; 4]>) {
    let four = |vertex| {
        let (mut four_joints, mut four_weights) = ([0; 4], [0.0; 4]);
        let (joints, weights) = merged(model, skin, vertex);
        for (number, influence) in (4 * set..joints.len()).take(4).enumerate() {
            four_joints[number] = joints[influence];
            four_weights[number] = weights[influence];
        }
        (four_joints, four_weights)
    };
    vertices.clone().map(four).unzip()
}

/// Joints of a vertex as the file numbers them; those that became one in the file are added up.
fn merged(model: &Model, skin: &FileSkin, vertex: usize) -> (Vec<u16>, Vec<f32>) {
    let (mut joints, mut weights): (Vec<u16>, Vec<f32>) = (Vec::new(), Vec::new());
    for (joint, weight) in model.skin().influences(vertex as u32) {
        // A skin has at most 65536 joints.
        let joint = skin.entry(joint.0) as u16;
        match joints.iter().position(|&j| j == joint) {
            Some(known) => weights[known] += weight,
            None => {
                joints.push(joint);
                weights.push(weight);
            }
        }
    }
    (joints, weights)
}
