//! Distances.

use glam::Vec3;
use supple::{Distance, Point};
use wasm_bindgen::prelude::*;

use crate::body::RawBody;
use crate::words::words;

/// Point, triangle, distance.
#[wasm_bindgen]
pub fn closest_point(body: &mut RawBody, x: f32, y: f32, z: f32) -> Result<Vec<f64>, String> {
    let point = Point::new(Vec3::new(x, y, z)).map_err(words)?;
    let answer = supple::closest_point(&mut body.body, point, Distance::UNLIMITED);
    body.stats = answer.stats;
    let Some(found) = answer.found else { return Ok(Vec::new()) };
    let [x, y, z] = found.point.to_array().map(f64::from);
    Ok(vec![x, y, z, f64::from(found.triangle), f64::from(found.distance)])
}

/// Both points, both triangles, distance.
#[wasm_bindgen]
pub fn closest_points(a: &mut RawBody, b: &mut RawBody) -> Vec<f64> {
    let answer = supple::closest_points(&mut a.body, &mut b.body, Distance::UNLIMITED);
    a.stats = answer.stats;
    let Some(found) = answer.found else { return Vec::new() };
    let points = found.points.iter().flat_map(|point| point.to_array()).map(f64::from);
    points.chain(found.triangles.map(f64::from)).chain([f64::from(found.distance)]).collect()
}
