//! Characters that walk into each other: the meetings of the thesis, chapters 5 and 6.

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};
use supple::{BuildOptions, Isometry, Model, Pose, QueryStats, Shape, Skinning, VertexUpdate};
use supple_papers::{BoundingSphere, Method, Tree, Volume};

use super::contest::{Frame, Library, Reference, Result, Side, Wanted, contest};
use crate::report::{Cell, picture};

/// A character with the thesis' tree and the library's.
pub struct Walker {
    /// The model.
    pub model: Arc<Model>,
    /// The library's.
    pub shape: Arc<Shape>,
    /// Two children per node, one triangle per leaf.
    pub binary: Tree,
    /// Collapsed with 0.6.
    pub tree: Tree,
}

/// The thesis' constant C.
const COLLAPSE: f64 = 0.6;

impl Walker {
    /// One of the zoo.
    pub fn new(name: &str, detail: u32) -> Self {
        let model = Arc::new(supple_zoo::make(name, detail).expect("the zoo has it"));
        let shape = Shape::build(Arc::clone(&model), &BuildOptions::default()).expect("characters are sound");
        let mesh = model.mesh();
        let binary = Tree::halves(mesh.positions(), mesh.triangles());
        let tree = binary.collapsed(mesh.positions(), mesh.triangles(), COLLAPSE);
        Self { shape: Arc::new(shape), binary, tree, model }
    }

    /// A body of the papers' engine.
    pub fn body<V: Volume>(&self, skinning: Skinning, method: Method) -> supple_papers::Body<V> {
        let shape = supple_papers::Shape::<V>::new(&self.model, skinning, self.tree.clone(), method);
        supple_papers::Body::new(&Arc::new(shape.expect("the method applies")))
            .expect("joints at rest are rigid")
    }

    /// Two of them walk towards each other, along z, and through each other if `last` is negative: from one distance to another.
    pub fn meeting(&self, frames: usize, first: f64, last: f64) -> Vec<Frame> {
        let clip = self.model.clip("walk").expect("characters walk");
        let frame = |i: usize| {
            let part = i as f64 / (frames - 1).max(1) as f64;
            let pose = |time: f64| self.model.sample_looped(clip, time).expect("the clip fits");
            let half = DVec3::Z * 0.5 * (first + (last - first) * part);
            Frame {
                poses: vec![pose(2.0 * part), pose(2.0 * part + 0.31)],
                placements: vec![
                    Isometry::from_translation(-half),
                    Isometry::new(DQuat::from_rotation_y(std::f64::consts::PI), half + DVec3::X * 0.05),
                ],
            }
        };
        (0..frames).map(frame).collect()
    }

    /// How long it is from front to back in the middle of its walk.
    pub fn length(&self) -> f64 {
        let clip = self.model.clip("walk").expect("characters walk");
        let pose = self.model.sample(clip, 0.4 * clip.duration()).expect("the clip fits");
        let positions = self.model.posed(&pose, Skinning::Linear).expect("the pose fits").positions();
        let z = || positions.iter().map(|p| f64::from(p.z));
        z().fold(f64::NEG_INFINITY, f64::max) - z().fold(f64::INFINITY, f64::min)
    }

    /// On demand and bottom up: the thesis' spheres in the scalar engine, then the library's boxes.
    pub fn contest(
        &self,
        skinning: Skinning,
        frames: &[Frame],
        wanted: Wanted,
        rounds: usize,
    ) -> Vec<Result> {
        let count = frames[0].poses.len();
        let reference = |name: &str, method| {
            Reference::<BoundingSphere>::new(name, &self.model, skinning, self.tree.clone(), method, count)
        };
        let mut on_demand = reference("on demand", on_demand(skinning));
        let mut bottom_up = reference("bottom-up", Method::BottomUp);
        let mut own = Library::new("supple", &self.shape, skinning, None, count);
        let mut own_bottom_up =
            Library::new("supple, bottom-up", &self.shape, skinning, Some(VertexUpdate::BottomUp), count);
        let sides: &mut [&mut dyn Side] = &mut [&mut on_demand, &mut bottom_up, &mut own, &mut own_bottom_up];
        contest(sides, frames, wanted, rounds)
    }
}

/// The method that bounds a skinning model.
pub fn on_demand(skinning: Skinning) -> Method {
    match skinning {
        Skinning::Linear => Method::Linear,
        Skinning::Spherical => Method::Spherical,
        Skinning::DualQuaternion => Method::DualQuaternion,
    }
}

/// Mean sizes of the volumes of each level.
pub fn mean_sizes<V: Volume>(body: &mut supple_papers::Body<V>) -> Vec<f64> {
    let levels = body.tree().levels();
    let mut size = |node: &usize| body.volume(*node, false, &mut QueryStats::default()).size();
    levels.iter().map(|level| level.iter().map(&mut size).sum::<f64>() / level.len() as f64).collect()
}

/// Poses a body and computes all of its volumes, to be timed.
pub fn refit_all<V: Volume>(body: &mut supple_papers::Body<V>, pose: &Pose) {
    body.set_pose(pose, &Isometry::IDENTITY).expect("the pose fits");
    let mut stats = QueryStats::default();
    for node in 0..body.tree().nodes().len() {
        std::hint::black_box(body.volume(node, false, &mut stats));
    }
}

/// A number of a level divided by another; empty where there is no such level.
pub fn level_ratio(level: usize, sizes: &[f64], best: &[f64]) -> Cell {
    match (sizes.get(level), best.get(level)) {
        (Some(size), Some(best)) => Cell::ratio(size / best),
        _ => "".into(),
    }
}

/// The same of a thesis' table whose last column is the best.
pub fn thesis_ratio(table: &[[f64; 4]], level: usize, column: usize) -> Cell {
    table.get(level).map_or("".into(), |row| Cell::ratio(row[column] / row[3]))
}

/// Mean sizes of the smallest volumes around posed vertices.
pub fn best_sizes<V: Volume>(tree: &Tree, model: &Model, positions: &[Vec3]) -> Vec<f64> {
    let size = |node: &usize| {
        let below = tree.vertices_below(*node, model.mesh().triangles());
        V::smallest(&below.iter().map(|&v| positions[v].as_dvec3()).collect::<Vec<_>>()).size()
    };
    tree.levels().iter().map(|level| level.iter().map(size).sum::<f64>() / level.len() as f64).collect()
}

/// The spheres of a level, to be drawn; a colour per node.
pub fn spheres_of_level(
    body: &mut supple_papers::Body<BoundingSphere>,
    level: usize,
    mut colour: impl FnMut(&supple_papers::Body<BoundingSphere>, usize) -> supple_draw::Colour,
) -> Vec<picture::ColouredSphere> {
    let levels = body.tree().levels();
    let Some(nodes) = levels.get(level) else { return Vec::new() };
    let sphere = |&node: &usize| {
        let colour = colour(body, node);
        let volume = body.volume(node, false, &mut QueryStats::default());
        let center = body.frame().transform_point3(volume.center).as_vec3();
        picture::ColouredSphere { center, radius: volume.radius as f32, colour }
    };
    nodes.iter().map(sphere).collect()
}
