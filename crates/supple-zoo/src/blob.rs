//! `blob`: three smooth bodies of equal topology that morph into each other.
//!
//! Out: 20,480 triangles and a convex morph of a bumpy sphere, a long bean and a pinched peanut, about a metre in size.
//! Each body is the unit sphere, pushed outwards along a smooth function of the direction and then bent.

use glam::Vec3;
use supple::mesh::vertex_normals;
use supple::pose::{Channel, Interpolation, Target};
use supple::rest::{ConvexMorph, Reference, Rest};
use supple::{Clip, Mesh, Model, ModelError};

use crate::icosphere::icosphere;

/// From a direction to a point of the body.
type Body = fn(Vec3) -> Vec3;

pub(crate) fn build() -> Result<Model, ModelError> {
    // 20 * 4^5 = 20,480 triangles.
    let (sphere, triangles) = icosphere(5);
    let shapes: [(&str, Body); 3] = [("bumpy", bumpy), ("bean", bean), ("peanut", peanut)];
    let references: Vec<Reference> = shapes
        .iter()
        .map(|(name, shape)| {
            let positions: Vec<Vec3> = sphere.iter().map(|&direction| shape(direction)).collect();
            let normals = vertex_normals(&positions, &triangles);
            Reference { name: (*name).to_owned(), positions, normals }
        })
        .collect();
    let mesh =
        Mesh::new(references[0].positions.clone(), triangles)?.with_normals(references[0].normals.clone())?;
    Model::rigid(mesh).with_rest(Rest::Morph(ConvexMorph::new(&references)?))?.with_clips(vec![morph_clip()?])
}

/// Two seconds from each shape to the next, and back to the first.
fn morph_clip() -> Result<Clip, ModelError> {
    let channel = Channel {
        target: Target::Coefficients(0..3),
        interpolation: Interpolation::Linear,
        times: vec![0.0, 2.0, 4.0, 6.0],
        values: vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0],
    };
    Ok(Clip::new("morph", vec![channel])?)
}

/// A sphere with eight soft bumps of different heights.
fn bumpy(direction: Vec3) -> Vec3 {
    const BUMPS: [(Vec3, f32); 8] = [
        (Vec3::new(0.9, 0.3, 0.2), 0.20),
        (Vec3::new(-0.7, 0.6, 0.4), 0.17),
        (Vec3::new(0.1, 0.95, -0.3), 0.19),
        (Vec3::new(0.2, -0.3, 0.93), 0.18),
        (Vec3::new(-0.5, -0.8, 0.3), 0.20),
        (Vec3::new(0.6, -0.6, -0.5), 0.12),
        (Vec3::new(-0.4, 0.1, -0.9), 0.19),
        (Vec3::new(0.5, 0.6, 0.62), 0.09),
    ];
    let bumps: f32 =
        BUMPS.iter().map(|(at, height)| height * (12.0 * (direction.dot(at.normalize()) - 1.0)).exp()).sum();
    direction * (0.35 + bumps)
}

/// Twice as long as wide, bent upwards, thicker at one end.
fn bean(direction: Vec3) -> Vec3 {
    let thickness = 0.25 + 0.07 * direction.x;
    let stretched = Vec3::new(direction.x * 0.62, direction.y * thickness, direction.z * thickness);
    stretched + Vec3::Y * (0.6 * stretched.x * stretched.x - 0.08)
}

/// Upright, with a waist, and turned by a quarter from bottom to top.
fn peanut(direction: Vec3) -> Vec3 {
    let waist = 1.0 - 0.62 * (-(direction.y / 0.34).powi(2)).exp();
    let flat =
        Vec3::new(direction.x * 0.40, direction.y * 0.56, direction.z * 0.26) * Vec3::new(waist, 1.0, waist);
    let (sin, cos) = (std::f32::consts::FRAC_PI_2 * direction.y).sin_cos();
    Vec3::new(flat.x * cos + flat.z * sin, flat.y, flat.z * cos - flat.x * sin)
}
