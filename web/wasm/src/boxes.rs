//! Boxes of the tree, to be looked at; and the exact box of a body.

use supple::{Aabb, Body, NodeId, Shape};
use wasm_bindgen::prelude::*;

use crate::body::RawBody;

/// Boxes of one level.
#[wasm_bindgen]
pub struct RawBoxes {
    boxes: Vec<f32>,
    computed: Vec<u8>,
}

#[wasm_bindgen]
impl RawBoxes {
    /// Least and greatest corner of each.
    pub fn boxes(&self) -> Vec<f32> {
        self.boxes.clone()
    }

    /// 1 where a question computed it.
    pub fn computed(&self) -> Vec<u8> {
        self.computed.clone()
    }
}

#[wasm_bindgen]
impl RawBody {
    /// Boxes of a level: its nodes, and the leaves above it.
    pub fn boxes(&self, level: u32) -> RawBoxes {
        // Looking must not count as asking: what is missing is computed in a copy.
        let mut copy = self.body.clone();
        let nodes = nodes_of_level(self.body.shape(), level);
        let computed = nodes.iter().map(|&node| u8::from(self.body.known_box(node).is_some())).collect();
        let boxes = nodes.into_iter().filter_map(|node| copy.node_box(node)).flat_map(corners).collect();
        RawBoxes { boxes, computed }
    }

    /// The exact box of all triangles.
    pub fn bounds(&mut self) -> Vec<f32> {
        corners(exact_bounds(&mut self.body)).to_vec()
    }
}

fn corners(aabb: Aabb) -> [f32; 6] {
    let ([a, b, c], [d, e, f]) = (aabb.min.to_array(), aabb.max.to_array());
    [a, b, c, d, e, f]
}

fn nodes_of_level(shape: &Shape, level: u32) -> Vec<NodeId> {
    let mut nodes = vec![shape.root()];
    for _ in 0..level.min(shape.depth() as u32) {
        let below = |node: NodeId| {
            let here = shape.node(node);
            if here.is_leaf() { vec![node] } else { here.children().collect() }
        };
        nodes = nodes.into_iter().flat_map(below).collect();
    }
    nodes
}

/// The smallest box of all posed triangles. Boxes of leaves are exact, those of other nodes contain them: only nodes that
/// reach beyond what is known are opened.
pub fn exact_bounds(body: &mut Body) -> Aabb {
    let shape = body.shape().clone();
    let mut exact = Aabb::EMPTY;
    let mut open = Vec::new();
    for axis in 0..3 {
        for up in [false, true] {
            open.push((0.0, shape.root()));
            while let Some((_, node)) = open.pop() {
                let Some(bound) = body.node_box(node) else { continue };
                let adds =
                    if up { bound.max[axis] > exact.max[axis] } else { bound.min[axis] < exact.min[axis] };
                if !adds {
                    continue;
                }
                let here = shape.node(node);
                if here.is_leaf() {
                    exact = exact.including(bound.min).including(bound.max);
                    continue;
                }
                // What reaches farthest is opened first.
                let start = open.len();
                for child in here.children() {
                    let reach = body.node_box(child).map_or(f32::NEG_INFINITY, |bound| {
                        if up { bound.max[axis] } else { -bound.min[axis] }
                    });
                    open.push((reach, child));
                }
                open[start..].sort_by(|a, b| a.0.total_cmp(&b.0));
            }
        }
    }
    exact
}
