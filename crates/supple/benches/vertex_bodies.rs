//! Bodies of given vertices: what each update costs, against a plain bottom-up loop and against on-demand refit.
//!
//! Prints medians in microseconds and ratios, all measured in turn in one process. Nothing is counted for the deformation
//! itself on the side of given vertices: somebody else moved them.

use std::hint::black_box;
use std::sync::Arc;

use glam::Vec3;
use supple::collide_into;
use supple::math::{Aabb, Isometry};
use supple::pose::Pose;
use supple::refit::VertexUpdate;
use supple::{Body, BuildOptions, QueryStats, Shape, Skinning, collide_any};
use supple_report::clock::{median, microseconds};

const FRAMES: usize = 12;
const ROUNDS: usize = 9;

fn main() {
    let creature = Arc::new(supple_zoo::make("creature", 1).expect("it is in the zoo"));
    let shape = Arc::new(Shape::build(Arc::clone(&creature), &BuildOptions::default()).expect("a tree"));
    let clip = creature.clip("walk").expect("creatures walk");
    let poses: Vec<Pose> = (0..FRAMES)
        .map(|i| creature.sample(clip, clip.duration() * i as f64 / FRAMES as f64).expect("a pose"))
        .collect();
    let frames: Vec<Vec<Vec3>> = poses
        .iter()
        .map(|pose| creature.posed(pose, Skinning::Linear).expect("it fits").positions())
        .collect();
    let triangles = creature.mesh().triangles();
    println!(
        "{} triangles, {} vertices, one core, medians of {} frames\n",
        triangles.len(),
        creature.mesh().positions().len(),
        FRAMES * ROUNDS
    );
    updates_alone(&shape, &frames);
    let extent = Aabb::from_points(frames[0].iter().copied());
    let width = extent.max.x - extent.min.x;
    let just_touching = touching_distance(&shape, &poses, width);
    for (name, aside) in [("apart", 1.5 * width), ("touching", just_touching), ("deep", 0.1 * width)] {
        collisions(name, aside, &shape, &poses, &frames);
    }
}

/// One body, up to the bound of its root.
fn updates_alone(shape: &Arc<Shape>, frames: &[Vec<Vec3>]) {
    let triangles = shape.model().mesh().triangles();
    let mut plain = PlainTree::new(&frames[0], triangles);
    let mut body = Body::new(shape, Skinning::Linear).expect("it fits");
    let mut loops = Vec::new();
    let mut times = [const { [const { Vec::new() }; 2] }; 3];
    for _ in 0..ROUNDS {
        for frame in frames {
            loops.push(microseconds(|| plain.refit(black_box(frame), triangles)).0);
            for (update, [set, bound]) in VertexUpdate::ALL.into_iter().zip(&mut times) {
                set.push(microseconds(|| body.set_vertices(black_box(frame), update).expect("it fits")).0);
                let (time, root) = microseconds(|| body.bound());
                assert_eq!(root, plain.boxes[0]);
                bound.push(time);
            }
        }
    }
    let (plain, per) = (median(loops), 1e3 / triangles.len() as f64);
    println!(
        "{:<36} {:>10} {:>10} {:>10} {:>14} {:>7}",
        "update", "set", "bounds", "both", "ns/triangle", "ratio"
    );
    println!(
        "{:<36} {:>10} {:>10} {plain:>10.1} {:>14.2} {:>7.2}",
        "plain loop over a binary tree",
        "",
        "",
        plain * per,
        1.0
    );
    for (update, [set, bound]) in VertexUpdate::ALL.into_iter().zip(times) {
        let (set, bound) = (median(set), median(bound));
        let both = set + bound;
        println!(
            "{:<36} {set:>10.1} {bound:>10.1} {both:>10.1} {:>14.2} {:>7.2}",
            format!("{update:?}"),
            both * per,
            both / plain
        );
    }
}

fn beside(aside: f32) -> Isometry {
    Isometry::from_translation(Vec3::X * aside)
}

fn two_bodies(shape: &Arc<Shape>) -> [Body; 2] {
    [(); 2].map(|()| Body::new(shape, Skinning::Linear).expect("it fits"))
}

/// The pose of the second body where the first has this one.
fn partner(frame: usize) -> usize {
    (frame + FRAMES / 3) % FRAMES
}

/// How far aside a body still touches the other in all frames.
fn touching_distance(shape: &Arc<Shape>, poses: &[Pose], width: f32) -> f32 {
    let [mut a, mut b] = two_bodies(shape);
    let mut touch = |aside: f32| {
        (0..FRAMES).all(|i| {
            a.set_pose(&poses[i]).expect("it fits");
            b.set_pose_at(&poses[partner(i)], beside(aside)).expect("it fits");
            collide_any(&mut a, &mut b).found.is_some()
        })
    };
    let mut asides = (0..100).map(|i| width * (1.0 - 0.01 * i as f32));
    asides.find(|&aside| touch(aside)).unwrap_or(0.0)
}

/// Two bodies, from what moves them to all pairs.
fn collisions(name: &str, aside: f32, shape: &Arc<Shape>, poses: &[Pose], frames: &[Vec<Vec3>]) {
    let [mut a, mut b] = two_bodies(shape);
    b.set_placement(beside(aside)).expect("it fits");
    let (mut pairs, mut expected) = (Vec::new(), Vec::new());
    let mut posed = Vec::new();
    let mut times = [const { Vec::new() }; 3];
    let mut stats = [QueryStats::default(); 4];
    for round in 0..ROUNDS {
        for i in 0..FRAMES {
            let j = partner(i);
            let (time, ()) = microseconds(|| {
                a.set_pose(&poses[i]).expect("it fits");
                b.set_pose(&poses[j]).expect("it fits");
                stats[3] += collide_into(&mut a, &mut b, &mut expected);
            });
            posed.push(time);
            for (k, update) in VertexUpdate::ALL.into_iter().enumerate() {
                let (time, ()) = microseconds(|| {
                    a.set_vertices(&frames[i], update).expect("it fits");
                    b.set_vertices(&frames[j], update).expect("it fits");
                    stats[k] += collide_into(&mut a, &mut b, &mut pairs);
                });
                times[k].push(time);
                assert!(pairs == expected && (round > 0 || (name == "apart") == pairs.is_empty()), "{name}");
            }
        }
    }
    let bottom_up = median(times[0].clone());
    println!(
        "\n{:<36} {:>10} {:>10} {:>10} {:>10} {:>7}",
        name, "time", "visits", "refits", "vertices", "ratio"
    );
    let names = VertexUpdate::ALL.map(|update| format!("{update:?}"));
    let rows = names.iter().map(String::as_str).chain(["on demand, posing included"]);
    for ((name, times), stats) in rows.zip(times.into_iter().chain([posed])).zip(stats) {
        let (time, count) = (median(times), (ROUNDS * FRAMES) as u64);
        println!(
            "{name:<36} {time:>10.1} {:>10} {:>10} {:>10} {:>7.2}",
            stats.node_visits / count,
            stats.refits / count,
            stats.vertices_deformed / count,
            time / bottom_up
        );
    }
}

/// A binary tree with a triangle per leaf, refitted by the loop that one writes first.
struct PlainTree {
    /// Children, or a triangle twice; children come after their parents.
    nodes: Vec<[usize; 2]>,
    is_leaf: Vec<bool>,
    boxes: Vec<Aabb>,
}

impl PlainTree {
    fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let centers: Vec<Vec3> =
            triangles.iter().map(|t| Aabb::from_points(t.map(|v| positions[v as usize])).center()).collect();
        let mut order: Vec<usize> = (0..triangles.len()).collect();
        let mut tree = Self { nodes: vec![[0; 2]], is_leaf: vec![false], boxes: Vec::new() };
        let mut open = vec![(0, 0..triangles.len())];
        while let Some((node, range)) = open.pop() {
            if range.len() == 1 {
                (tree.nodes[node], tree.is_leaf[node]) = ([order[range.start]; 2], true);
                continue;
            }
            let part = &mut order[range.clone()];
            let around = Aabb::from_points(part.iter().map(|&t| centers[t]));
            let axis = around.half_extents().max_position();
            let middle = part.len() / 2;
            part.select_nth_unstable_by(middle, |&s, &t| centers[s][axis].total_cmp(&centers[t][axis]));
            let first = tree.nodes.len();
            tree.nodes.extend([[0; 2]; 2]);
            tree.is_leaf.extend([false; 2]);
            tree.nodes[node] = [first, first + 1];
            open.push((first, range.start..range.start + middle));
            open.push((first + 1, range.start + middle..range.end));
        }
        tree.boxes = vec![Aabb::EMPTY; tree.nodes.len()];
        tree
    }

    fn refit(&mut self, positions: &[Vec3], triangles: &[[u32; 3]]) {
        for node in (0..self.nodes.len()).rev() {
            let [left, right] = self.nodes[node];
            self.boxes[node] = match self.is_leaf[node] {
                true => Aabb::from_points(triangles[left].map(|v| positions[v as usize])),
                false => self.boxes[left].union(&self.boxes[right]),
            };
        }
    }
}
