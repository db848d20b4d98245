//! Prints a hash of the answers of every query over the zoo, a line each: `kind skinning pose query hash`. The tests of the npm package print the
//! same lines through WebAssembly and compare. The first argument is a folder, where shapes are written for them: the zoo makes some vertices and clips with
//! sines, and those of two platforms differ in their last bits. Names after it choose kinds; without any, all.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DQuat, Mat4, Vec3};
use supple::narrow::contact;
use supple::{
    Aabb, Body, BuildOptions, Distance, Isometry, NodeId, Point, Ray, RayHit, SelfFilter, Shape, Skinning,
    VertexUpdate,
};
use supple_wasm::exact_bounds;

/// Two multiplicative hashes of 32 bits side by side.
struct Digest([u32; 2]);

impl Digest {
    fn of(words: impl IntoIterator<Item = u32>) -> Self {
        let mut digest = Self([0x811c_9dc5, 0x9747_b28c]);
        words.into_iter().for_each(|word| digest.add(word));
        digest
    }

    fn add(&mut self, word: u32) {
        let [a, b] = &mut self.0;
        *a = (*a ^ word).wrapping_mul(0x85eb_ca6b);
        *a ^= *a >> 13;
        *b = (*b ^ word).wrapping_mul(0xc2b2_ae35);
        *b ^= *b >> 16;
    }
}

struct Lines {
    kind: String,
    skinning: &'static str,
    pose: usize,
}

impl Lines {
    fn print(&self, query: &str, words: impl IntoIterator<Item = u32>) {
        let Digest([a, b]) = Digest::of(words);
        println!("{} {} {} {query} {a:08x}{b:08x}", self.kind, self.skinning, self.pose);
    }

    fn floats(&self, query: &str, numbers: impl IntoIterator<Item = f32>) {
        self.print(query, numbers.into_iter().map(f32::to_bits));
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder for shapes"));
    let chosen: Vec<String> = arguments.collect();
    for kind in supple_zoo::kinds() {
        if chosen.is_empty() || chosen.iter().any(|name| name == kind.name) {
            of_kind(kind.name, &folder);
        }
    }
}

fn of_kind(kind: &str, folder: &Path) {
    let model = supple_zoo::make(kind, 0).expect("a kind of the zoo");
    let mut lines = Lines { kind: kind.to_owned(), skinning: "-", pose: 0 };
    lines.floats("rest", flat(model.mesh().positions()));
    lines.print("triangles", model.mesh().triangles().iter().flatten().copied());
    let shape = Arc::new(Shape::build(model, &BuildOptions::default()).expect("a shape"));
    let bytes = shape.to_bytes().expect("bytes");
    std::fs::write(folder.join(kind), bytes).expect("a file in the folder");
    for skinning in [Skinning::Linear, Skinning::DualQuaternion, Skinning::Spherical] {
        for pose in 0..3 {
            (lines.skinning, lines.pose) = (skinning.name(), pose);
            of_pose(&lines, &shape, skinning);
        }
    }
    if kind == "man" || kind == "dwarf" {
        let options = supple_audit::AuditOptions::default().with_fps(3.0);
        let audit = supple_audit::audit(&shape, &options).expect("an audit");
        let mut words = Vec::new();
        // As text first, as JavaScript gets it: numbers become the shortest that are read back as the same f32.
        let text = serde_json::to_string(&audit).expect("plain data");
        walk(&serde_json::from_str(&text).expect("JSON"), &mut words);
        lines.print("audit", words);
    }
}

fn of_pose(lines: &Lines, shape: &Arc<Shape>, skinning: Skinning) {
    let model = shape.model();
    let sampled = |number: usize, time: f64| match model.clips() {
        [] => model.rest_pose(),
        clips => model.sample(&clips[number % clips.len()], time).expect("its own clip"),
    };
    let mut a = Body::new(shape, skinning).expect("a body");
    let mut b = Body::new(shape, skinning).expect("a body");
    let pose = sampled(lines.pose, 0.2 + 0.3 * lines.pose as f64);
    a.set_pose(&pose).expect("a pose");
    let bounds = exact_bounds(&mut a);
    let width = f64::from(bounds.max.x) - f64::from(bounds.min.x);
    let turn = DQuat::from_xyzw(0.0, 0.14943813247359922, 0.0, 0.9887710779360422).normalize();
    let place = glam::DVec3::new(0.4 * width, 0.02 * width, 0.05 * width);
    b.set_pose_at(&sampled(0, 0.5), Isometry::new(turn, place)).expect("a pose");

    lines.floats("bounds", flat(&[bounds.min, bounds.max]));
    let positions = a.positions();
    lines.floats("vertices", flat(&positions));
    let matrices = model.skeleton().joint_matrices(&pose, Isometry::IDENTITY).expect("matrices");
    lines.floats("jointMatrices", matrices.iter().flat_map(|&m| Mat4::from(m).to_cols_array()));

    let answer = supple::collide(&mut a, &mut b);
    let stats = [answer.stats.node_visits, answer.stats.refits, answer.stats.triangle_tests];
    lines.print("collide", answer.found.iter().flatten().copied().chain(stats.map(|count| count as u32)));
    lines.print("collideAny", [u32::from(supple::collide_any(&mut a, &mut b).found.is_some())]);
    let other = b.positions();
    let corners = |of: &[Vec3], t: u32| model.mesh().triangles()[t as usize].map(|v| of[v as usize]);
    let segment = |[i, j]: [u32; 2], second: &[Vec3]| {
        contact(&corners(&positions, i), &corners(second, j)).expect("they touch").points
    };
    lines.floats("contacts", answer.found.iter().flat_map(|&pair| flat(&segment(pair, &other))));
    for (name, filter) in
        [("selfCollide", SelfFilter::default()), ("withoutCreases", SelfFilter::default().without_creases())]
    {
        let answer = supple::self_collide_with(&mut a, &filter).expect("a filter");
        let counters = [answer.stats.node_visits as u32, answer.stats.triangle_tests as u32];
        lines.print(name, answer.found.iter().flatten().copied().chain(counters));
        if name == "selfCollide" {
            lines.floats(
                "selfContacts",
                answer.found.iter().flat_map(|&pair| flat(&segment(pair, &positions))),
            );
        }
    }
    let near = supple::closest_points(&mut a, &mut b, Distance::UNLIMITED).found.expect("triangles");
    let numbers = flat(&near.points).into_iter().chain([near.distance]).map(f32::to_bits);
    lines.print("closestPoints", numbers.chain(near.triangles));
    let mut words = Vec::new();
    for i in 0..8 {
        let point = at(&bounds, [1.2 * bit(i, 0) - 0.1, 1.2 * bit(i, 1) - 0.1, 1.2 * bit(i, 2) - 0.1]);
        let found =
            supple::closest_point(&mut a, Point::new(point).expect("finite"), Distance::UNLIMITED).found;
        let found = found.expect("triangles");
        words.extend(flat(&[found.point]).map_bits());
        words.extend([found.distance.to_bits(), found.triangle]);
    }
    lines.print("closestPoint", words);

    // A fresh pose, so that boxes are those of rays alone.
    a.set_pose(&pose).expect("a pose");
    let rays = rays(&bounds);
    let mut words = Vec::new();
    for &ray in rays.iter().step_by(7) {
        match supple::cast_ray(&mut a, ray).found {
            Some(hit) => add_hit(&mut a, hit, &mut words),
            None => words.push(u32::MAX),
        }
    }
    lines.print("castRay", words);
    let nodes = level(shape, 3);
    let known = nodes.iter().map(|&node| u32::from(a.known_box(node).is_some()));
    // Which were needed. The boxes themselves are bounds: their last bits depend on how the platform adds.
    lines.print("boxes", known);
    let mut words = Vec::new();
    for hit in supple::cast_rays(&mut a, &rays).found {
        words.push(hit.map_or(f32::NAN, |hit| hit.time).to_bits());
        words.push(hit.map_or(u32::MAX, |hit| hit.triangle));
        words.push(hit.map_or(u32::MAX, |hit| model.joint_at(hit.triangle, hit.barycentrics).0));
        words.extend(hit.map_or([0.0; 3], |hit| hit.barycentrics).map(f32::to_bits));
    }
    lines.print("castRays", words);
    let mut words = Vec::new();
    for &ray in rays.iter().step_by(13) {
        for hit in supple::cast_ray_all(&mut a, ray).found {
            add_hit(&mut a, hit, &mut words);
        }
    }
    lines.print("castRayAll", words);

    a.set_vertices(&positions, VertexUpdate::default()).expect("vertices");
    lines.print("setVertices", supple::collide(&mut a, &mut b).found.into_iter().flatten());
    a.set_joint_matrices(&matrices, &pose.coefficients).expect("matrices");
    lines.print("setMatrices", supple::collide(&mut a, &mut b).found.into_iter().flatten());
}

fn add_hit(body: &mut Body, hit: RayHit, words: &mut Vec<u32>) {
    let details = supple::ray_hit_details(body, hit);
    words.push(hit.triangle);
    words.extend([hit.time].into_iter().chain(hit.barycentrics).map(f32::to_bits));
    words.extend([u32::from(hit.back), body.shape().model().joint_at(hit.triangle, hit.barycentrics).0]);
    words.extend(flat(&[details.point, details.normal]).map_bits());
}

/// A grid of rays through a box, slightly askew.
fn rays(bounds: &Aabb) -> Vec<Ray> {
    let cells = (0..121).map(|i| (f64::from(i % 11) / 10.0, f64::from(i / 11) / 10.0));
    let ray = |(x, y): (f64, f64)| {
        let (from, to) = (at(bounds, [x, y, 1.5]), at(bounds, [x + 0.02, y - 0.01, -0.5]));
        Ray::new(from, to - from).expect("a box has a size")
    };
    cells.map(ray).collect()
}

/// A point by its shares of a box's sides; in f64, rounded once.
fn at(bounds: &Aabb, shares: [f64; 3]) -> Vec3 {
    let along = |axis: usize| {
        let (low, high) = (f64::from(bounds.min[axis]), f64::from(bounds.max[axis]));
        (low + (high - low) * shares[axis]) as f32
    };
    Vec3::new(along(0), along(1), along(2))
}

fn bit(number: u32, place: u32) -> f64 {
    f64::from(number >> place & 1)
}

fn level(shape: &Shape, level: usize) -> Vec<NodeId> {
    let mut nodes = vec![shape.root()];
    for _ in 0..level.min(shape.depth()) {
        let below = |&node: &NodeId| match shape.node(node).is_leaf() {
            true => vec![node],
            false => shape.node(node).children().collect(),
        };
        nodes = nodes.iter().flat_map(below).collect();
    }
    nodes
}

fn flat(vectors: &[Vec3]) -> Vec<f32> {
    vectors.iter().flat_map(|vector| vector.to_array()).collect()
}

trait Bits {
    fn map_bits(self) -> Vec<u32>;
}

impl Bits for Vec<f32> {
    fn map_bits(self) -> Vec<u32> {
        self.into_iter().map(f32::to_bits).collect()
    }
}

/// Plain data, keys in alphabetical order.
fn walk(value: &serde_json::Value, words: &mut Vec<u32>) {
    use serde_json::Value;
    let text = |text: &str, words: &mut Vec<u32>| words.extend(text.bytes().map(u32::from));
    match value {
        Value::Null => words.push(0),
        Value::Bool(is) => words.push(1 + u32::from(*is)),
        Value::Number(number) => {
            let bits = number.as_f64().expect("a number").to_bits();
            words.extend([bits as u32, (bits >> 32) as u32]);
        }
        Value::String(string) => text(string, words),
        Value::Array(all) => all.iter().for_each(|one| walk(one, words)),
        Value::Object(all) => all.iter().for_each(|(key, one)| {
            text(key, words);
            walk(one, words);
        }),
    }
}
