//! The head as clay: bones, flesh, nose, lips, eyes and ears, in centimetres around the middle between the eyes.
//!
//! The eyes are those of a bust: the lids are ridges on the eyeball and the pupil is a dimple, so that the whole head is
//! one surface without a hole. The lips meet in a groove.

use glam::{DVec3, Vec3};

use crate::sculpt::{self, Focus, Primitive, Sizing};

/// A closed surface of genus 0 with V vertices has 2 V - 4 triangles.
const VERTICES: usize = 5_002;

/// Edge of a grid cell in metres: finer than lips and lids.
const CELL: f64 = 0.0018;

/// Positions in metres, and triangles.
pub(super) fn sculpt() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut lumps = Vec::new();
    skull(&mut lumps);
    nose(&mut lumps);
    eyes(&mut lumps);
    lips(&mut lumps);
    ears_and_neck(&mut lumps);
    let lumps: Vec<Primitive> = lumps.into_iter().map(|lump| lump.placed(DVec3::ZERO, 0.01)).collect();
    let sizing = Sizing { base: 0.010, focuses: focuses() };
    let (_, positions, triangles) = sculpt::sculpt(lumps, CELL, sizing, VERTICES);
    (positions.iter().map(|p| p.as_vec3()).collect(), triangles)
}

fn skull(lumps: &mut Vec<Primitive>) {
    lumps.push(ellipsoid([0.0, 3.4, -1.0], [7.5, 8.2, 9.2]).blend(2.0));
    lumps.push(ellipsoid([0.0, -2.8, 1.6], [6.3, 8.2, 6.4]).blend(3.0));
    lumps.push(ellipsoid([0.0, 4.6, 3.6], [5.6, 4.4, 4.6]).blend(3.0));
    both(lumps, cone([4.3, -6.4, 0.8], [1.2, -9.9, 6.5], 1.6, 1.7).blend(2.4));
    lumps.push(ellipsoid([0.0, -10.2, 7.0], [1.9, 1.35, 1.35]).blend(1.8));
    both(lumps, ellipsoid([4.7, -2.4, 5.0], [1.9, 1.3, 1.9]).blend(2.4));
    both(lumps, ellipsoid([3.2, -5.2, 5.7], [2.1, 2.2, 2.0]).blend(2.2));
    // The brow: two arches over the eyes.
    both(lumps, cone([1.2, 1.55, 7.75], [3.4, 2.0, 7.15], 0.62, 0.58).blend(1.5));
    both(lumps, cone([3.4, 2.0, 7.15], [5.1, 1.2, 5.6], 0.58, 0.50).blend(1.5));
    // The muzzle carries the lips.
    lumps.push(ellipsoid([0.0, -6.9, 6.2], [3.0, 2.3, 2.35]).blend(2.0));
}

fn nose(lumps: &mut Vec<Primitive>) {
    lumps.push(cone([0.0, 0.9, 7.75], [0.0, -3.6, 9.75], 0.62, 0.72).blend(1.1));
    lumps.push(cone([0.0, -0.5, 7.2], [0.0, -4.3, 8.3], 0.80, 1.00).blend(1.0));
    lumps.push(sphere([0.0, -3.95, 9.95], 0.88).blend(0.7));
    both(lumps, ellipsoid([1.10, -4.40, 8.85], [0.72, 0.66, 0.90]).blend(0.6));
    both(lumps, ellipsoid([0.56, -5.12, 9.15], [0.32, 0.40, 0.46]).blend(0.30).carved());
}

fn eyes(lumps: &mut Vec<Primitive>) {
    both(lumps, sphere([3.2, 0.0, 6.80], 1.45).blend(0.6));
    // Lids: arcs on the eyeball, upper and lower, from corner to corner.
    for (height, radius) in [(0.80, 0.20), (-0.66, 0.17)] {
        for piece in 0..6 {
            let [from, to] = [piece, piece + 1].map(|i| lid_point(f64::from(i) / 3.0 - 1.0, height));
            both(lumps, cone(from, to, radius, radius).blend(0.22));
        }
    }
    both(lumps, sphere([3.2, 0.05, 8.47], 0.50).blend(0.12).carved());
}

/// A point of the left eye's lid edge; `along` goes from -1 (inner corner) to 1 (outer corner).
fn lid_point(along: f64, height: f64) -> [f64; 3] {
    let x = 1.52 * along;
    // The outer corner sits a little higher.
    let y = height * (1.0 - along * along) + 0.10 * along;
    let z = (1.47f64.powi(2) - (0.68 + 0.14 * along) * x * x - y * y).max(0.1).sqrt();
    [3.2 + x, y, 6.80 + z]
}

fn lips(lumps: &mut Vec<Primitive>) {
    // Upper lip with its bow, lower lip fuller; both thin out into the corners.
    both(lumps, cone([0.50, -6.60, 8.80], [1.6, -6.85, 8.38], 0.46, 0.38).blend(0.30));
    both(lumps, cone([1.6, -6.85, 8.38], [2.65, -7.24, 7.45], 0.38, 0.22).blend(0.30));
    lumps.push(cone([-0.50, -6.64, 8.78], [0.50, -6.64, 8.78], 0.44, 0.44).blend(0.25));
    both(lumps, cone([0.45, -7.82, 8.70], [1.5, -7.66, 8.32], 0.54, 0.44).blend(0.30));
    both(lumps, cone([1.5, -7.66, 8.32], [2.60, -7.32, 7.45], 0.44, 0.22).blend(0.30));
    lumps.push(cone([-0.45, -7.82, 8.70], [0.45, -7.82, 8.70], 0.54, 0.54).blend(0.30));
}

fn ears_and_neck(lumps: &mut Vec<Primitive>) {
    let outwards = DVec3::new(1.0, 0.0, -0.45);
    let shell = cone([7.55, 0.4, -1.7], [7.05, -2.0, -0.9], 1.70, 1.10).stretched(outwards, 0.36);
    both(lumps, shell.blend(1.0));
    let bowl = cone([8.42, 0.3, -1.75], [7.95, -1.2, -1.0], 1.10, 0.75).stretched(outwards, 0.42);
    both(lumps, bowl.blend(0.35).carved());
    lumps.push(cone([0.0, -5.0, -2.2], [0.0, -17.0, -3.4], 4.7, 5.2).blend(2.6));
    // The larynx.
    lumps.push(ellipsoid([0.0, -13.0, 1.9], [0.8, 1.1, 0.7]).blend(1.4));
    // A clean cut through the neck, almost flat.
    lumps.push(sphere([0.0, -56.5, -3.0], 40.0).blend(2.0).carved());
}

/// Fine triangles where expressions happen.
fn focuses() -> Vec<Focus> {
    let mut focuses = Vec::new();
    let mut focus = |at: [f64; 3], radius: f64, size: f64| {
        for side in [-1.0, 1.0] {
            let center = DVec3::new(at[0] * side, at[1], at[2]) * 0.01;
            focuses.push(Focus { center, radius: radius * 0.01, size });
        }
    };
    for along in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        focus(lid_point(along, 0.76), 0.35, 0.17);
        focus(lid_point(along, -0.62), 0.35, 0.17);
    }
    for (x, z) in [(0.0, 8.8), (0.6, 8.75), (1.2, 8.5), (1.8, 8.1), (2.5, 7.5)] {
        focus([x, -7.2, z], 0.4, 0.13);
    }
    focus([0.8, -4.7, 9.2], 0.8, 0.25);
    focus([0.0, -3.5, 6.5], 3.5, 0.50);
    focus([7.8, -0.8, -1.2], 2.2, 0.35);
    focuses
}

fn both(lumps: &mut Vec<Primitive>, lump: Primitive) {
    lumps.extend(lump.on_both_sides());
}

fn ellipsoid(at: [f64; 3], semi_axes: [f64; 3]) -> Primitive {
    Primitive::ellipsoid(DVec3::from_array(at), DVec3::from_array(semi_axes))
}

fn cone(from: [f64; 3], to: [f64; 3], radius_from: f64, radius_to: f64) -> Primitive {
    Primitive::cone(DVec3::from_array(from), DVec3::from_array(to), radius_from, radius_to)
}

fn sphere(at: [f64; 3], radius: f64) -> Primitive {
    Primitive::sphere(DVec3::from_array(at), radius)
}
