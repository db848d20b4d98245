//! Stand-ins for the thesis' animations: the zoo's cloth, and zoo animals made of jelly, with as many vertices and frames.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use supple::Mesh;
use supple::mesh::vertex_normals;
use supple_fit::MeshSequence;
use supple_zoo::cloth::{Cloth, sequence};
use supple_zoo::make;

/// Frames per second; errors do not depend on it.
const RATE: f32 = 30.0;

/// What an animation is made of.
#[derive(Clone, Copy, Debug)]
pub enum Material {
    /// A sheet of the zoo, columns and rows.
    Sheet(Cloth, usize, usize),
    /// An animal of the zoo that wobbles.
    Jelly(&'static str),
}

impl Material {
    /// What is seen.
    pub fn name(self) -> String {
        match self {
            Self::Sheet(cloth, ..) => cloth.name().to_owned(),
            Self::Jelly(animal) => format!("{animal} of jelly"),
        }
    }

    /// A rest mesh, and its positions in a number of frames.
    pub fn animation(self, frames: usize) -> (Mesh, Vec<Vec<Vec3>>) {
        match self {
            Self::Sheet(cloth, columns, rows) => {
                sequence(cloth, columns, rows, frames).expect("a sheet of a few thousand vertices")
            }
            Self::Jelly(animal) => {
                let mesh = make(animal, 0).expect("the zoo has it").mesh().clone();
                let frames = (0..frames).map(|f| wobbled(&mesh, f as f32 / frames as f32)).collect();
                (mesh, frames)
            }
        }
    }

    /// Without normals.
    pub fn sequence(self, frames: usize) -> MeshSequence {
        let (rest, frames) = self.animation(frames);
        MeshSequence::evenly(rest, frames, RATE).expect("a mesh that moves")
    }

    /// With the vertex normals of every frame, which the thesis fits as well.
    pub fn with_normals(self, frames: usize) -> MeshSequence {
        let (rest, frames) = self.animation(frames);
        let triangles = rest.triangles().to_vec();
        let normals = frames.iter().map(|positions| vertex_normals(positions, &triangles)).collect();
        let sequence = MeshSequence::evenly(rest, frames, RATE).expect("a mesh that moves");
        sequence.with_normals(normals).expect("a normal per vertex")
    }
}

/// Bent, twisted, squashed and swept by a wave, at a time from 0 to 1: a free-form deformation of low degree.
fn wobbled(mesh: &Mesh, t: f32) -> Vec<Vec3> {
    let (min, max) = mesh
        .positions()
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), &p| (min.min(p), max.max(p)));
    let (middle, size) = ((min + max) * 0.5, (max - min).max_element());
    // Along the longest axis.
    let axis = (0..3).fold(0, |best, a| if (max - min)[a] > (max - min)[best] { a } else { best });
    let (along, aside) = (Vec3::AXES[axis], Vec3::AXES[(axis + 1) % 3]);
    let [once, later, twice] = [TAU * t, TAU * t + 1.0, 2.0 * TAU * t].map(f32::sin);
    let moved = |&p: &Vec3| {
        let q = (p - middle) / size;
        let part = q.dot(along);
        let squashed = q * (1.0 - 0.08 * twice) + along * (part * 0.24 * twice);
        let twisted = Quat::from_axis_angle(along, 0.7 * later * part) * squashed;
        let wave = 0.05 * (TAU * (part + t)).sin();
        middle + size * (twisted + aside * (0.35 * once * part * part + wave))
    };
    mesh.positions().iter().map(moved).collect()
}
