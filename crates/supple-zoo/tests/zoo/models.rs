//! Every model is the same, bit by bit, as when the table below was recorded: answers that are recorded elsewhere depend
//! on it.
//!
//! Must hold: on one platform. Sines, powers and the like come from the mathematics library of the platform, which may round
//! the last digit in another way; the table is that of Linux on x86-64 with glibc, and elsewhere nothing is compared.
#![cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]

use std::ops::Range;

use glam::Vec3;
use supple::model::Part;
use supple::pose::{Interpolation, Skeleton, Target};
use supple::rest::Rest;
use supple::{Clip, JointId, Model, Skin};
use supple_zoo::kinds;

use crate::model;

/// Names and hashes at detail 0.
const RECORDED: [(&str, u64); 12] = [
    ("man", 0x1716_c08c_40b6_f4d9),
    ("creature", 0x0302_d8cc_187d_8205),
    ("dwarf", 0x89fa_150b_f73b_9a9d),
    ("human", 0xbaca_ad1f_50ee_959a),
    ("hand", 0xbb9c_9c23_01c0_727c),
    ("blob", 0x2beb_7fb2_5098_eda5),
    ("dolphin", 0xca34_100d_ba1c_bf08),
    ("face", 0xc01e_d067_1c08_d25a),
    ("chair", 0xaa64_6445_aa69_75d5),
    ("fish", 0x2f34_9120_fb9b_24cb),
    ("bridge", 0x25a0_1cbd_a4fb_d23c),
    ("curtain", 0x3988_8b21_c10d_02e7),
];

#[test]
fn models_are_those_that_were_recorded() {
    assert!(kinds().iter().map(|kind| kind.name).eq(RECORDED.map(|(name, _)| name)), "a row for each kind");
    let mut changed = Vec::new();
    for (name, recorded) in RECORDED {
        let found = hash(model(name));
        if found != recorded {
            changed.push(format!("(\"{name}\", {found:#018x}),"));
        }
    }
    assert!(changed.is_empty(), "these models changed; they are now\n{}", changed.join("\n"));
}

#[test]
fn a_single_bit_changes_the_hash() {
    let model = model("dolphin");
    let mut positions = model.mesh().positions().to_vec();
    positions[17].y = f32::from_bits(positions[17].y.to_bits() ^ 1);
    let mesh = supple::Mesh::new(positions, model.mesh().triangles().to_vec()).unwrap();
    let mesh = mesh.with_normals(model.mesh().normals().unwrap().to_vec()).unwrap();
    assert_ne!(hash(&model.clone().with_mesh(mesh).unwrap()), hash(model));
    assert_eq!(hash(&model.clone()), hash(model));
}

fn hash(model: &Model) -> u64 {
    let mut hash = Fnv::default();
    hash.vectors(model.mesh().positions());
    hash.list(model.mesh().triangles(), |hash, triangle| {
        triangle.iter().for_each(|&v| hash.count(v as usize))
    });
    hash.vectors(model.mesh().normals().unwrap_or_default());
    hash.list(model.mesh().uvs().unwrap_or_default(), |hash, uv| hash.floats(&uv.to_array()));
    hash.rest(model.rest());
    hash.skin(model.skin());
    hash.skeleton(model.skeleton());
    hash.list(model.clips(), Fnv::clip);
    hash.list(model.parts(), Fnv::part);
    hash.0
}

/// FNV-1a; every list begins with its length, so that no two models give the same bytes.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    fn floats(&mut self, floats: &[f32]) {
        self.count(floats.len());
        floats.iter().for_each(|x| self.bytes(&x.to_bits().to_le_bytes()));
    }

    fn doubles(&mut self, doubles: &[f64]) {
        doubles.iter().for_each(|x| self.bytes(&x.to_bits().to_le_bytes()));
    }

    fn vectors(&mut self, vectors: &[Vec3]) {
        self.list(vectors, |hash, v| hash.floats(&v.to_array()));
    }

    fn range(&mut self, range: &Range<usize>) {
        self.count(range.start);
        self.count(range.end);
    }

    fn list<T>(&mut self, items: &[T], mut one: impl FnMut(&mut Self, &T)) {
        self.count(items.len());
        items.iter().for_each(|item| one(self, item));
    }

    fn rest(&mut self, rest: &Rest) {
        match rest {
            Rest::Fields(fields) => self.list(&fields.to_fields(), |hash, field| {
                hash.text(&field.name);
                hash.floats(&[field.default]);
                for changes in [&field.displacements, &field.normal_changes] {
                    hash.list(changes, |hash, (vertex, change)| {
                        hash.count(*vertex as usize);
                        hash.floats(&change.to_array());
                    });
                }
            }),
            Rest::Morph(morph) => self.list(&morph.to_references(), |hash, reference| {
                hash.text(&reference.name);
                hash.vectors(&reference.positions);
                hash.vectors(&reference.normals);
            }),
            Rest::Plain => self.count(0),
        }
    }

    fn skin(&mut self, skin: &Skin) {
        self.count(skin.joint_count());
        self.count(skin.vertex_count());
        for vertex in 0..skin.vertex_count() as u32 {
            let (joints, weights): (Vec<JointId>, Vec<f32>) = skin.influences(vertex).unzip();
            self.list(&joints, |hash, joint| hash.count(joint.0 as usize));
            self.floats(&weights);
        }
    }

    fn skeleton(&mut self, skeleton: &Skeleton) {
        self.list(skeleton.nodes(), |hash, node| {
            hash.text(&node.name);
            hash.count(node.parent.map_or(0, |parent| parent + 1));
            hash.floats(&node.rest.translation.to_array());
            hash.floats(&node.rest.rotation.to_array());
            hash.floats(&node.rest.scale.to_array());
            hash.list(node.offset.as_slice(), |hash, offset| hash.doubles(&offset.to_cols_array()));
        });
        self.list(skeleton.joints(), |hash, joint| {
            hash.count(joint.node);
            hash.doubles(&joint.inverse_bind.to_cols_array());
        });
    }

    fn clip(&mut self, clip: &Clip) {
        self.text(clip.name());
        self.list(clip.channels(), |hash, channel| {
            match &channel.target {
                Target::Translation(node) => hash.range(&(0..*node)),
                Target::Rotation(node) => hash.range(&(1..*node)),
                Target::Scale(node) => hash.range(&(2..*node)),
                Target::Coefficients(range) => {
                    hash.count(3);
                    hash.range(range);
                }
            }
            hash.count(match channel.interpolation {
                Interpolation::Linear => 0,
                Interpolation::Step => 1,
                Interpolation::CubicSpline => 2,
            });
            hash.floats(&channel.times);
            hash.floats(&channel.values);
        });
    }

    fn part(&mut self, part: &Part) {
        self.text(&part.name);
        self.count(part.node);
        [&part.vertices, &part.triangles, &part.coefficients].into_iter().for_each(|range| self.range(range));
        self.list(&part.primitives, |hash, primitive| {
            hash.text(&primitive.material);
            [&primitive.vertices, &primitive.triangles].into_iter().for_each(|range| hash.range(range));
        });
    }
}
