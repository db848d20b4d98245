//! A second implementation of glTF: straight from the specification, in f64, for comparison only.
//!
//! It shares no code with `supple` or the `gltf` crate: its own JSON access, accessors, sampling, morphing, skinning.
//! It trusts its input and panics on anything that is not as it must be.

mod animation;
mod document;
mod matrix;

use matrix::{Matrix, apply, compose, multiply};
use serde_json::Value;

pub use document::Document;

/// Triangles of all nodes with a mesh: node order, primitives, indices.
pub fn triangles(document: &Document) -> Vec<[u32; 3]> {
    let world = world_matrices(document, &rest_locals(document));
    let mut all = Vec::new();
    let mut first_vertex = 0;
    for (node, mesh) in document.mesh_nodes() {
        for primitive in mesh["primitives"].as_array().unwrap() {
            if primitive["mode"].as_u64().unwrap_or(4) < 4 {
                continue;
            }
            let vertices = document.accessor_count(&primitive["attributes"]["POSITION"]);
            let indices: Vec<u32> = match primitive.get("indices") {
                Some(accessor) => document.accessor(accessor).iter().map(|v| v[0] as u32).collect(),
                None => (0..vertices as u32).collect(),
            };
            let mirrored =
                document.root["nodes"][node].get("skin").is_none() && matrix::determinant(&world[node]) < 0.0;
            for [a, b, c] in corners(primitive["mode"].as_u64().unwrap_or(4), &indices) {
                let turned = if mirrored { [a, c, b] } else { [a, b, c] };
                all.push(turned.map(|v| v + first_vertex));
            }
            first_vertex += vertices as u32;
        }
    }
    all
}

/// Positions of all vertices in the world, at rest or at a time of an animation.
pub fn positions(document: &Document, animation: Option<(usize, f64)>) -> Vec<[f64; 3]> {
    let mut locals = rest_locals(document);
    let mut weights = rest_weights(document);
    if let Some((index, time)) = animation {
        animation::sample(document, index, time, &mut locals, &mut weights);
    }
    let world = world_matrices(document, &locals);
    let mut all = Vec::new();
    for (node, mesh) in document.mesh_nodes() {
        for primitive in mesh["primitives"].as_array().unwrap() {
            if primitive["mode"].as_u64().unwrap_or(4) >= 4 {
                let rest = morphed(document, primitive, &weights[node]);
                all.extend(skinned(document, node, primitive, &rest, &world));
            }
        }
    }
    all
}

/// Time of the last key of an animation.
pub fn duration(document: &Document, animation: usize) -> f64 {
    animation::duration(document, animation)
}

/// Translation, rotation, scale; or a matrix that nothing animates.
#[derive(Clone)]
pub enum Local {
    Parts { translation: [f64; 3], rotation: [f64; 4], scale: [f64; 3] },
    Whole(Matrix),
}

fn corners(mode: u64, indices: &[u32]) -> Vec<[u32; 3]> {
    match mode {
        4 => indices.chunks(3).map(|t| [t[0], t[1], t[2]]).collect(),
        5 => indices
            .windows(3)
            .enumerate()
            .map(|(i, t)| if i % 2 == 0 { [t[0], t[1], t[2]] } else { [t[0], t[2], t[1]] })
            .collect(),
        6 => indices[1..].windows(2).map(|t| [t[0], t[1], indices[0]]).collect(),
        _ => panic!("not a mode with triangles: {mode}"),
    }
}

fn numbers<const N: usize>(value: &Value, default: [f64; N]) -> [f64; N] {
    let Some(list) = value.as_array() else { return default };
    // Files are read as f32: that is what the format means.
    std::array::from_fn(|i| f64::from(list[i].as_f64().unwrap() as f32))
}

fn rest_locals(document: &Document) -> Vec<Local> {
    let local = |node: &Value| match node.get("matrix") {
        Some(m) => Local::Whole(matrix::from_columns(&numbers::<16>(m, [0.0; 16]))),
        None => Local::Parts {
            translation: numbers(&node["translation"], [0.0; 3]),
            rotation: numbers(&node["rotation"], [0.0, 0.0, 0.0, 1.0]),
            scale: numbers(&node["scale"], [1.0; 3]),
        },
    };
    document.list("nodes").iter().map(local).collect()
}

/// Default weights of each node: its own, else those of its mesh, else zeros.
fn rest_weights(document: &Document) -> Vec<Vec<f64>> {
    let weights = |node: &Value| {
        let Some(mesh) = node["mesh"].as_u64() else { return Vec::new() };
        let mesh = &document.root["meshes"][mesh as usize];
        let count = mesh["primitives"][0]["targets"].as_array().map_or(0, Vec::len);
        let list = node["weights"].as_array().or(mesh["weights"].as_array());
        let at = |i: usize| list.and_then(|l| l.get(i)).map_or(0.0, |w| w.as_f64().unwrap());
        (0..count).map(at).collect()
    };
    document.list("nodes").iter().map(weights).collect()
}

fn world_matrices(document: &Document, locals: &[Local]) -> Vec<Matrix> {
    let nodes = document.list("nodes");
    let mut parents = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for child in node["children"].as_array().into_iter().flatten() {
            parents[child.as_u64().unwrap() as usize] = Some(index);
        }
    }
    let matrix = |index: usize| match &locals[index] {
        Local::Whole(matrix) => *matrix,
        Local::Parts { translation, rotation, scale } => compose(*translation, *rotation, *scale),
    };
    let world = |index: usize| {
        let mut all = matrix(index);
        let mut at = index;
        while let Some(parent) = parents[at] {
            all = multiply(&matrix(parent), &all);
            at = parent;
        }
        all
    };
    (0..nodes.len()).map(world).collect()
}

fn morphed(document: &Document, primitive: &Value, weights: &[f64]) -> Vec<[f64; 3]> {
    let stored = document.accessor(&primitive["attributes"]["POSITION"]);
    let mut positions: Vec<[f64; 3]> = stored.iter().map(|p| [p[0], p[1], p[2]]).collect();
    for (target, weight) in primitive["targets"].as_array().into_iter().flatten().zip(weights) {
        if let Some(accessor) = target.get("POSITION").filter(|_| *weight != 0.0) {
            for (position, change) in positions.iter_mut().zip(document.accessor(accessor).iter()) {
                (0..3).for_each(|c| position[c] += weight * change[c]);
            }
        }
    }
    positions
}

fn skinned(
    document: &Document,
    node: usize,
    primitive: &Value,
    rest: &[[f64; 3]],
    world: &[Matrix],
) -> Vec<[f64; 3]> {
    let attributes = &primitive["attributes"];
    let skin = document.root["nodes"][node]["skin"].as_u64().filter(|_| attributes.get("JOINTS_0").is_some());
    let Some(skin) = skin else {
        return rest.iter().map(|p| apply(&world[node], *p)).collect();
    };
    let matrices = joint_matrices(document, skin as usize, world);
    let sets: Vec<_> = (0..)
        .map_while(|n| Some((attributes.get(format!("JOINTS_{n}"))?, &attributes[format!("WEIGHTS_{n}")])))
        .map(|(joints, weights)| (document.accessor(joints), document.accessor(weights)))
        .collect();
    let blend = |(vertex, position): (usize, &[f64; 3])| {
        let weighted: Vec<(usize, f64)> = sets
            .iter()
            .flat_map(|(joints, weights)| {
                (0..4).map(move |c| (joints[vertex][c] as usize, weights[vertex][c]))
            })
            .collect();
        let sum: f64 = weighted.iter().map(|(_, w)| w).sum();
        if sum == 0.0 {
            return apply(&matrices[weighted[0].0], *position);
        }
        let mut posed = [0.0; 3];
        for (joint, weight) in weighted.into_iter().filter(|(_, w)| *w != 0.0) {
            let moved = apply(&matrices[joint], *position);
            (0..3).for_each(|c| posed[c] += weight / sum * moved[c]);
        }
        posed
    };
    rest.iter().enumerate().map(blend).collect()
}

fn joint_matrices(document: &Document, skin: usize, world: &[Matrix]) -> Vec<Matrix> {
    let skin = &document.root["skins"][skin];
    let binds = skin.get("inverseBindMatrices").map(|accessor| document.accessor(accessor));
    let joints = skin["joints"].as_array().unwrap().iter().map(|j| j.as_u64().unwrap() as usize);
    let matrix = |(i, node): (usize, usize)| match &binds {
        Some(binds) => multiply(&world[node], &matrix::from_columns(&std::array::from_fn(|k| binds[i][k]))),
        None => world[node],
    };
    joints.enumerate().map(matrix).collect()
}
