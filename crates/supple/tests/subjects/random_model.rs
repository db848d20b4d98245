//! Small random models of every kind, and random poses of them: hostile on purpose.

use glam::{DAffine3, Quat, Vec3};
use supple::mesh::Mesh;
use supple::model::Model;
use supple::pose::{Joint, Node, Pose, Skeleton, Transform};
use supple::rest::{ConvexMorph, Field, Fields, Reference, Rest};
use supple::skin::Skin;

/// Which rest stage a model has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RestKind {
    Plain,
    Fields,
    Morph,
}

impl RestKind {
    pub const ALL: [Self; 3] = [Self::Plain, Self::Fields, Self::Morph];
}

/// SplitMix64: small, seeded, the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Uniform in -1 .. 1.
    pub fn signed(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    pub fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    pub fn rotation(&mut self) -> Quat {
        loop {
            let q = Quat::from_xyzw(self.signed(), self.signed(), self.signed(), self.signed());
            if q.length() > 0.1 {
                return q.normalize();
            }
        }
    }
}

/// 60 vertices, 40 triangles, 6 joints in a random tree, up to 5 influences.
pub fn random_model(seed: u64, kind: RestKind) -> Model {
    sized_model(seed, kind, 1.0)
}

/// The same of any size at rest.
pub fn sized_model(seed: u64, kind: RestKind, size: f32) -> Model {
    let mut random = Random(seed);
    let (vertices, joints) = (60, 6);
    let positions: Vec<Vec3> = (0..vertices).map(|_| random.vec3() * size).collect();
    let normals: Vec<Vec3> = (0..vertices).map(|_| random.rotation() * Vec3::X).collect();
    let triangles = (0..40).map(|_| [0; 3].map(|_: u32| random.below(vertices) as u32)).collect();
    let influences: Vec<Vec<(u32, f32)>> = (0..vertices)
        .map(|_| {
            // Repeated joints, zero weights, and all weights zero occur.
            let count = 1 + random.below(5);
            let weight =
                |random: &mut Random| if random.below(5) == 0 { 0.0 } else { random.signed().abs() + 0.01 };
            (0..count).map(|_| (random.below(joints) as u32, weight(&mut random))).collect()
        })
        .collect();
    let nodes = (0..joints)
        .map(|j| {
            let parent = (j > 0).then(|| random.below(j));
            Node::new(format!("joint {j}"), parent, Transform::from_translation(random.vec3() * size))
        })
        .collect();
    let joints_list = (0..joints)
        .map(|node| {
            let (turn, shift) = (random.rotation(), random.vec3() * size);
            let inverse_bind = DAffine3::from_rotation_translation(turn.as_dquat(), shift.as_dvec3());
            Joint { node, inverse_bind }
        })
        .collect();
    let mesh = Mesh::new(positions.clone(), triangles).unwrap().with_normals(normals.clone()).unwrap();
    let skin = Skin::new(joints, influences.iter().map(Vec::as_slice)).unwrap();
    let rest = random_rest(&mut random, kind, positions, normals, size);
    Model::new(mesh, skin, Skeleton::new(nodes, joints_list).unwrap()).unwrap().with_rest(rest).unwrap()
}

fn random_rest(
    random: &mut Random,
    kind: RestKind,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    size: f32,
) -> Rest {
    let count = positions.len();
    match kind {
        RestKind::Plain => Rest::Plain,
        RestKind::Fields => {
            let fields: Vec<Field> = (0..4)
                .map(|_| {
                    let moved: Vec<u32> = (0..count as u32).filter(|_| random.below(3) == 0).collect();
                    Field {
                        displacements: moved.iter().map(|&v| (v, random.vec3() * size)).collect(),
                        normal_changes: moved.iter().map(|&v| (v, random.vec3() * 0.1)).collect(),
                        ..Field::default()
                    }
                })
                .collect();
            Rest::Fields(Fields::new(count, &fields).unwrap())
        }
        RestKind::Morph => {
            let mut references = vec![Reference { name: String::new(), positions, normals }];
            for _ in 0..2 {
                let first = references[0].clone();
                references.push(Reference {
                    positions: first.positions.iter().map(|p| *p + random.vec3() * 0.5 * size).collect(),
                    ..first
                });
            }
            Rest::Morph(ConvexMorph::new(&references).unwrap())
        }
    }
}

/// Any rotations, optionally any scales (mirrored and flat ones too), any coefficients.
pub fn random_pose(model: &Model, seed: u64, scaled: bool) -> Pose {
    let mut random = Random(seed);
    let mut pose = model.rest_pose();
    for node in &mut pose.nodes {
        node.rotation = random.rotation();
        if scaled {
            node.scale = random.vec3() * 1.5;
            if random.below(8) == 0 {
                node.scale[random.below(3)] = 0.0;
            }
        }
    }
    let convex = matches!(model.rest(), Rest::Morph(_));
    for coefficient in &mut pose.coefficients {
        let value = random.signed() * 2.0;
        *coefficient = if convex { value.abs() + 0.01 } else { value };
    }
    pose
}

/// Triangles with corners on a coarse grid: shared vertices, edges through edges, coplanar and degenerate ones.
pub fn grid_soup(seed: u64, size: usize, count: usize) -> Model {
    let mut random = Random(seed);
    let mut corner =
        || Vec3::new(random.below(size) as f32, random.below(size) as f32, random.below(size) as f32);
    let positions: Vec<Vec3> = (0..count * 3).map(|_| corner()).collect();
    let triangles = (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Model::rigid(Mesh::new(positions, triangles).unwrap())
}
