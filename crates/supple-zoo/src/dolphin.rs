//! `dolphin`: three phases of swimming as reference shapes, modelled as one would by hand.
//!
//! Out: a closed surface of exactly 564 triangles (284 vertices), 2.3 m long, head towards +Z.
//! Must hold: the count, because published timings are for 564, 2,256, 9,024 and 36,096 triangles.
//!
//! The body is 16 rings of 12 vertices with a fan at each end: `15 * 24 + 24 = 384` triangles. Each of the five fins
//! (dorsal, two pectorals, two flukes) is pulled out of two neighbouring quads in three steps; a step adds a wall around
//! the six edges of the patch: `5 * 3 * 12 = 180`.

use glam::{Quat, Vec2, Vec3};
use supple::mesh::vertex_normals;
use supple::pose::{Channel, Interpolation, Target};
use supple::rest::{ConvexMorph, Reference, Rest};
use supple::{Clip, Mesh, Model, ModelError};

pub(crate) fn build() -> Result<Model, ModelError> {
    let (straight, triangles) = straight_dolphin();
    // The rest pose is the first reference: it must be the mesh.
    let phases = [("straight", 0.0), ("tail up", 1.0), ("tail down", -1.0)];
    let references: Vec<Reference> = phases
        .iter()
        .map(|&(name, amount)| {
            let positions: Vec<Vec3> = straight.iter().map(|&p| bent(p, amount)).collect();
            let normals = vertex_normals(&positions, &triangles);
            Reference { name: name.to_owned(), positions, normals }
        })
        .collect();
    let mesh =
        Mesh::new(references[0].positions.clone(), triangles)?.with_normals(references[0].normals.clone())?;
    Model::rigid(mesh).with_rest(Rest::Morph(ConvexMorph::new(&references)?))?.with_clips(vec![swim()?])
}

const AROUND: usize = 12;

/// A ring of the body: z, height of the center, half width, half height.
#[rustfmt::skip]
const RINGS: [[f32; 4]; 16] = [
    [ 1.090, -0.035, 0.022, 0.018],
    [ 1.020, -0.034, 0.034, 0.027],
    [ 0.940, -0.030, 0.043, 0.034],
    // The melon rises steeply behind the beak.
    [ 0.900, -0.008, 0.074, 0.072],
    [ 0.820,  0.012, 0.112, 0.120],
    [ 0.700,  0.012, 0.148, 0.156],
    [ 0.540,  0.005, 0.178, 0.184],
    [ 0.380,  0.000, 0.197, 0.204],
    [ 0.200,  0.000, 0.208, 0.220],
    [ 0.020,  0.000, 0.204, 0.222],
    [-0.160,  0.004, 0.185, 0.206],
    [-0.340,  0.010, 0.152, 0.176],
    [-0.540,  0.016, 0.104, 0.134],
    [-0.740,  0.020, 0.058, 0.090],
    [-0.860,  0.022, 0.036, 0.058],
    [-0.980,  0.022, 0.022, 0.026],
];
const NOSE_TIP: Vec3 = Vec3::new(0.0, -0.035, 1.125);
const TAIL_TIP: Vec3 = Vec3::new(0.0, 0.022, -1.000);

/// One step of a fin: where its front and back edge are and how thick it is between them.
struct FinStep {
    front: Vec3,
    back: Vec3,
    thickness: f32,
}

fn straight_dolphin() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut positions = Vec::new();
    for [z, height, half_width, half_height] in RINGS {
        for k in 0..AROUND {
            // Vertices at 15, 45, ... degrees: quads, not edges, lie on the top and on the sides.
            let (sin, cos) = ((k as f32 + 0.5) * std::f32::consts::TAU / AROUND as f32).sin_cos();
            positions.push(Vec3::new(cos * half_width, height + sin * half_height, z));
        }
    }
    positions.extend([NOSE_TIP, TAIL_TIP]);
    let fins = fins();
    let mut triangles = body_triangles(&fins);
    for fin in &fins {
        fin.pull_out(&mut positions, &mut triangles);
    }
    (positions, triangles)
}

/// Body quads between ring `i` and `i + 1` without those that fins are pulled out of, and the two end fans.
fn body_triangles(fins: &[Fin]) -> Vec<[u32; 3]> {
    let last = RINGS.len() - 1;
    let (nose, tail) = ((RINGS.len() * AROUND) as u32, (RINGS.len() * AROUND + 1) as u32);
    let mut triangles = Vec::new();
    for k in 0..AROUND {
        triangles.push([nose, ring_vertex(0, k), ring_vertex(0, k + 1)]);
        triangles.push([tail, ring_vertex(last, k + 1), ring_vertex(last, k)]);
        for ring in 0..last {
            let is_fin = |fin: &Fin| fin.sector == k && (fin.ring..fin.ring + 2).contains(&ring);
            if !fins.iter().any(is_fin) {
                push_quad(&mut triangles, quad(ring, k));
            }
        }
    }
    triangles
}

fn ring_vertex(ring: usize, k: usize) -> u32 {
    (ring * AROUND + k % AROUND) as u32
}

/// Counter-clockwise from outside; rings go backwards, sectors counter-clockwise seen from the front.
fn quad(ring: usize, k: usize) -> [u32; 4] {
    [ring_vertex(ring, k), ring_vertex(ring + 1, k), ring_vertex(ring + 1, k + 1), ring_vertex(ring, k + 1)]
}

/// A fin: the two quads of one sector behind a ring, and three steps outwards.
struct Fin {
    ring: usize,
    sector: usize,
    /// Across the blade, from the side of `sector`'s first vertices to the other.
    across: Vec3,
    steps: [FinStep; 3],
}

impl Fin {
    /// Adds a wall per step and closes the end with the two quads.
    fn pull_out(&self, positions: &mut Vec<Vec3>, triangles: &mut Vec<[u32; 3]>) {
        // The patch: three vertices from front to back on each side.
        let base = |side: usize| (0..3).map(move |i| ring_vertex(self.ring + i, self.sector + side));
        let mut near: Vec<u32> = base(0).collect();
        let mut far: Vec<u32> = base(1).collect();
        for step in &self.steps {
            let first = positions.len() as u32;
            for (share, thickness) in [(0.0, 0.55), (0.42, 1.0), (1.0, 0.40)] {
                let middle = step.front.lerp(step.back, share);
                let half = self.across * (0.5 * step.thickness * thickness);
                positions.extend([middle - half, middle + half]);
            }
            let new_near: Vec<u32> = (0..3).map(|i| first + 2 * i).collect();
            let new_far: Vec<u32> = (0..3).map(|i| first + 2 * i + 1).collect();
            for i in 0..2 {
                push_quad(triangles, [near[i], near[i + 1], new_near[i + 1], new_near[i]]);
                push_quad(triangles, [far[i + 1], far[i], new_far[i], new_far[i + 1]]);
            }
            push_quad(triangles, [far[0], near[0], new_near[0], new_far[0]]);
            push_quad(triangles, [near[2], far[2], new_far[2], new_near[2]]);
            (near, far) = (new_near, new_far);
        }
        for i in 0..2 {
            push_quad(triangles, [near[i], near[i + 1], far[i + 1], far[i]]);
        }
    }
}

fn push_quad(triangles: &mut Vec<[u32; 3]>, [a, b, c, d]: [u32; 4]) {
    triangles.extend([[a, b, c], [a, c, d]]);
}

fn fins() -> [Fin; 5] {
    let step = |front: [f32; 3], back: [f32; 3], thickness: f32| FinStep {
        front: Vec3::from(front),
        back: Vec3::from(back),
        thickness,
    };
    let mirrored = |steps: &[FinStep; 3]| {
        let flip = |p: Vec3| Vec3::new(-p.x, p.y, p.z);
        steps.each_ref().map(|s| FinStep { front: flip(s.front), back: flip(s.back), thickness: s.thickness })
    };
    let dorsal = [
        step([0.0, 0.285, -0.050], [0.0, 0.262, -0.285], 0.060),
        step([0.0, 0.360, -0.165], [0.0, 0.345, -0.325], 0.050),
        step([0.0, 0.425, -0.300], [0.0, 0.408, -0.375], 0.028),
    ];
    let pectoral = || {
        [
            step([0.225, -0.165, 0.470], [0.215, -0.175, 0.285], 0.060),
            step([0.310, -0.240, 0.370], [0.290, -0.245, 0.210], 0.050),
            step([0.385, -0.305, 0.215], [0.365, -0.305, 0.130], 0.028),
        ]
    };
    let fluke = || {
        [
            step([0.090, 0.022, -0.830], [0.080, 0.022, -1.025], 0.050),
            step([0.190, 0.022, -0.920], [0.180, 0.022, -1.065], 0.044),
            step([0.300, 0.022, -1.050], [0.285, 0.022, -1.120], 0.026),
        ]
    };
    [
        // Sector k lies at 30 (k + 1) degrees: 2 on top, 11 and 5 on the sides, 10 and 6 below them.
        Fin { ring: 9, sector: 2, across: Vec3::NEG_X, steps: dorsal },
        Fin { ring: 6, sector: 10, across: Vec3::new(0.8, 0.6, 0.0), steps: pectoral() },
        Fin { ring: 6, sector: 6, across: Vec3::new(0.8, -0.6, 0.0), steps: mirrored(&pectoral()) },
        Fin { ring: 13, sector: 11, across: Vec3::Y, steps: fluke() },
        Fin { ring: 13, sector: 5, across: Vec3::NEG_Y, steps: mirrored(&fluke()) },
    ]
}

/// Bends the body in its vertical plane: cross-sections stay flat and turn with the spine.
///
/// ```text
/// spine(z) = amount (0.34 s^2 - 0.03), s = how far behind the shoulders;   head: a little the other way
/// ```
fn bent(p: Vec3, amount: f32) -> Vec3 {
    const SHOULDERS: f32 = 0.35;
    let behind = (SHOULDERS - p.z).max(0.0);
    let ahead = (p.z - SHOULDERS).max(0.0);
    let height = amount * (0.30 * behind.powi(2) + 0.10 * ahead.powi(2) - 0.06);
    let slope = amount * (-0.60 * behind + 0.20 * ahead);
    // The spine keeps its length to first order: the shortening of a sloped curve.
    let shortening = (1.0 / 6.0) * slope * slope * (p.z - SHOULDERS);
    let spine = Vec2::new(p.z - shortening, height);
    let turned = Quat::from_rotation_x(-slope.atan()) * Vec3::new(p.x, p.y, 0.0);
    Vec3::new(turned.x, spine.y + turned.y, spine.x + turned.z)
}

/// One stroke in 1.2 seconds: up, through straight, down, and back.
fn swim() -> Result<Clip, ModelError> {
    const KEYS: usize = 24;
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for key in 0..=KEYS {
        let phase = (key % KEYS) as f32 / KEYS as f32;
        let swing = (std::f32::consts::TAU * phase).sin();
        times.push(1.2 * key as f32 / KEYS as f32);
        values.extend([1.0 - swing.abs(), swing.max(0.0), (-swing).max(0.0)]);
    }
    let target = Target::Coefficients(0..3);
    let channel = Channel { target, interpolation: Interpolation::Linear, times, values };
    Ok(Clip::new("swim", vec![channel])?)
}
