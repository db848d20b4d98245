//! Joints, how many of them move a vertex, and the sets in which they do.

use std::collections::BTreeMap;

use serde::Serialize;
use supple::Model;
use supple::Skin;

/// A node that moves vertices.
#[derive(Debug, Serialize)]
pub struct JointReport {
    pub name: String,
    pub node: usize,
    /// How many vertices have a weight on it.
    pub vertices: usize,
}

/// How many joints move a vertex.
#[derive(Debug, Serialize)]
pub struct Influences {
    pub max: usize,
    pub histogram: Vec<VerticesWith>,
}

/// How many vertices are moved by that many joints.
#[derive(Debug, Serialize)]
pub struct VerticesWith {
    pub joints: usize,
    pub vertices: usize,
}

/// The different sets of joints that move a vertex together.
#[derive(Debug, Serialize)]
pub struct JointSets {
    pub count: usize,
    pub by_size: Vec<SetsOf>,
}

/// How many sets have that many joints.
#[derive(Debug, Serialize)]
pub struct SetsOf {
    pub joints: usize,
    pub sets: usize,
}

/// All joints in the order of the palette.
pub fn joints(model: &Model) -> Vec<JointReport> {
    let (skeleton, skin) = (model.skeleton(), model.skin());
    let mut vertices = vec![0; skeleton.joints().len()];
    for vertex in 0..skin.vertex_count() {
        for &joint in skin.joints_and_weights(vertex).0 {
            vertices[joint as usize] += 1;
        }
    }
    let joints = skeleton.joints().iter().zip(vertices);
    joints
        .map(|(joint, vertices)| JointReport {
            name: skeleton.nodes()[joint.node].name.clone(),
            node: joint.node,
            vertices,
        })
        .collect()
}

/// Counts vertices by their number of joints.
pub fn influences(skin: &Skin) -> Influences {
    let sizes = (0..skin.vertex_count()).map(|v| skin.joint_set(skin.set_of_vertex(v)).len());
    let histogram = histogram(sizes).map(|(joints, vertices)| VerticesWith { joints, vertices });
    Influences { max: skin.max_influences(), histogram: histogram.collect() }
}

/// Counts sets by their number of joints.
pub fn joint_sets(skin: &Skin) -> JointSets {
    let sizes = (0..skin.joint_set_count()).map(|set| skin.joint_set(set).len());
    let by_size = histogram(sizes).map(|(joints, sets)| SetsOf { joints, sets });
    JointSets { count: skin.joint_set_count(), by_size: by_size.collect() }
}

fn histogram(sizes: impl Iterator<Item = usize>) -> impl Iterator<Item = (usize, usize)> {
    let mut counts = BTreeMap::new();
    for size in sizes {
        *counts.entry(size).or_insert(0) += 1;
    }
    counts.into_iter()
}
