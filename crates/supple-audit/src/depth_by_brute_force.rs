//! Contacts and depths are those of brute force: of characters of the zoo, and of tubes and sheets in any place.

use std::collections::BTreeSet;

use glam::{DAffine3, DVec3, Quat, Vec3};
use supple::pose::{Joint, Node, Pose, Skeleton, Transform};
use supple::{Mesh, Model, SelfFilter, Skin, Skinning, oracle};

use crate::body_parts::BodyParts;
use crate::bones::Bones;
use crate::cell_tree::{CellTree, cell_trees};
use crate::contacts::{Contact, contacts};
use crate::cuts::Growing;
use crate::depth::Depths;
use crate::naive_depth::Naive;
use crate::surface::Surface;

/// A model with all that both ways need.
struct Compared {
    model: Model,
    surface: Surface,
    trees: Vec<CellTree>,
    naive: Naive,
    size: f64,
}

/// How many contacts were compared.
#[derive(Debug, Default)]
struct Counts {
    contacts: usize,
}

impl Compared {
    fn new(model: Model) -> Self {
        let bones = Bones::new(&model);
        let parts = BodyParts::new(&model, &bones);
        let of_triangles: Vec<u32> =
            bones.of_triangles().iter().map(|&bone| parts.of_bones()[bone as usize]).collect();
        let rest = model.posed(&model.rest_pose(), Skinning::Linear).expect("a sound test").positions();
        let surface = Surface::new(&model, &of_triangles, &rest);
        let trees = cell_trees(&surface, &rest);
        let naive = Naive::new(&model, of_triangles);
        let size = f64::from(2.0 * supple::Aabb::from_points(rest).half_extents().max_element());
        Self { model, surface, trees, naive, size }
    }

    fn compare(&self, pose: &Pose, skinning: Skinning, what: &str, counts: &mut Counts) {
        let positions: Vec<Vec3> = self.model.posed(pose, skinning).expect("a sound test").positions();
        let pairs = oracle::self_collide_with(&self.model, &positions, &SelfFilter::default());
        let found = contacts(&self.surface, &pairs);
        let sorted = |contact: &Contact| contact.pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        assert_eq!(found.iter().map(sorted).collect::<BTreeSet<_>>(), self.naive.contacts(&pairs), "{what}");
        let mut growing = Growing::new(&self.surface);
        let engine = Depths::new(&self.surface, &self.trees, &positions, &found, &mut growing).all();
        let at: Vec<DVec3> = positions.iter().map(|p| p.as_dvec3()).collect();
        for (number, (depth, naive)) in engine.iter().zip(self.naive.depths(&at, &found)).enumerate() {
            counts.contacts += 1;
            let far = |a: f32, b: f64| (f64::from(a) - b).abs() > 1e-5 * self.size;
            let differs = far(depth.of_edges, naive.of_edges) || far(depth.depth, naive.depth);
            assert!(!differs, "{what}, contact {number}: {depth:?} {naive:?} {:?}", found[number]);
        }
    }

    fn compare_clips(&self, fps: f64, skinning: Skinning, what: &str, counts: &mut Counts) {
        for clip in self.model.clips() {
            for frame in 0..=(clip.duration() * fps) as usize {
                let pose = self.model.sample(clip, frame as f64 / fps).expect("a sound test");
                self.compare(&pose, skinning, &format!("{what} {}, frame {frame}", clip.name()), counts);
            }
        }
    }
}

#[test]
fn depths_of_characters_are_those_of_brute_force() {
    let mut counts = Counts::default();
    for (animal, fps) in [("man", 0.8), ("creature", 0.2), ("hand", 0.5), ("dwarf", 0.5), ("face", 1.0)] {
        let compared = Compared::new(supple_zoo::make(animal, 0).expect("a sound test"));
        compared.compare(&compared.model.rest_pose(), Skinning::Linear, animal, &mut counts);
        compared.compare_clips(fps, Skinning::Linear, animal, &mut counts);
    }
    assert!(counts.contacts > 50, "{counts:?}");
}

/// Positions and triangles.
type Net = (Vec<Vec3>, Vec<[u32; 3]>);

/// A tube around X of some radii, which is closed if its ends have none; a sheet where it does not go all around.
fn turned(radii: &[f32], sectors: u32, around: f32) -> Net {
    let is_closed = around >= 1.0;
    let columns = if is_closed { sectors } else { sectors + 1 };
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for (ring, radius) in radii.iter().enumerate() {
        for column in 0..columns {
            let (sin, cos) = (std::f32::consts::TAU * around * column as f32 / sectors as f32).sin_cos();
            positions.push(Vec3::new(0.2 * ring as f32, radius * cos, radius * sin));
        }
    }
    for ring in 0..radii.len() as u32 - 1 {
        for sector in 0..sectors {
            let (here, next) = (ring * columns + sector, ring * columns + (sector + 1) % columns);
            triangles.extend([[here, next, next + columns], [here, next + columns, here + columns]]);
        }
    }
    (positions, triangles)
}

/// Two nets with a bone each; the second one is placed by its bone.
fn two_nets(a: Net, b: Net) -> Model {
    let first = a.0.len() as u32;
    let positions: Vec<Vec3> = a.0.into_iter().chain(b.0).collect();
    let triangles = a.1.into_iter().chain(b.1.into_iter().map(|t| t.map(|v| v + first))).collect();
    let lists: Vec<[(u32, f32); 1]> =
        (0..positions.len() as u32).map(|v| [(u32::from(v >= first), 1.0)]).collect();
    let skin = Skin::new(2, lists.iter().map(|list| list.as_slice())).expect("a sound test");
    let mut nodes = ["a", "b"].map(|name| Node::new(name, None, Transform::IDENTITY)).to_vec();
    nodes[1].rest.translation = Vec3::X * 10.0;
    let joints = [0, 1].map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).to_vec();
    let mesh = Mesh::new(positions, triangles).expect("a sound test");
    Model::new(mesh, skin, Skeleton::new(nodes, joints).expect("a sound test")).expect("a sound test")
}

#[test]
fn depths_of_tubes_and_sheets_in_any_place_are_those_of_brute_force() {
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let nets = [
        turned(&[0.0, 0.3, 0.4, 0.4, 0.4, 0.4, 0.3, 0.0], 11, 1.0), // closed
        turned(&[0.4, 0.4, 0.4, 0.4, 0.5], 9, 1.0),                 // a sleeve
        turned(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0], 8, 0.3),            // a cape
        turned(&[0.0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.0], 5, 1.0), // a finger
        turned(&[0.5, 0.5], 1, 0.1),                                // a strip of two triangles
    ];
    let mut counts = Counts::default();
    for number in 0..500 {
        let [one, other] = [nets.len(), nets.len()].map(|count| (random() * count as f32) as usize);
        let compared = Compared::new(two_nets(nets[one].clone(), nets[other].clone()));
        let mut pose = compared.model.rest_pose();
        let mut vector = || Vec3::new(random() - 0.5, random() - 0.5, random() - 0.5);
        pose.nodes[1] = Transform {
            translation: Vec3::X * 0.3 + 0.8 * vector(),
            rotation: Quat::from_scaled_axis(6.0 * vector()),
            scale: Vec3::ONE,
        };
        compared.compare(&pose, Skinning::Linear, &format!("{number}: {one} and {other}"), &mut counts);
    }
    assert!(counts.contacts > 100, "{counts:?}");
}
