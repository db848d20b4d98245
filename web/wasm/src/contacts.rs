//! Collisions of two bodies, and of one with itself.

use supple::narrow::contact;
use supple::{Answer, Body, Pair, SelfFilter};
use wasm_bindgen::prelude::*;

use crate::body::RawBody;
use crate::words::words;

/// All pairs; counters are in the first body.
#[wasm_bindgen]
pub fn collide(a: &mut RawBody, b: &mut RawBody) -> Vec<u32> {
    let Answer { found, stats } = supple::collide(&mut a.body, &mut b.body);
    a.stats = stats;
    flat(found)
}

/// Whether they touch.
#[wasm_bindgen]
pub fn collide_any(a: &mut RawBody, b: &mut RawBody) -> bool {
    let Answer { found, stats } = supple::collide_any(&mut a.body, &mut b.body);
    a.stats = stats;
    found.is_some()
}

/// All pairs of a body with itself; with or without creases.
#[wasm_bindgen]
pub fn self_collide(body: &mut RawBody, creases: bool) -> Result<Vec<u32>, String> {
    let filter = SelfFilter::default();
    let filter = if creases { filter } else { filter.without_creases() };
    let Answer { found, stats } = supple::self_collide_with(&mut body.body, &filter).map_err(words)?;
    body.stats = stats;
    Ok(flat(found))
}

/// Six numbers for each of the pairs of two bodies that `collide` found: both ends of the contact segment.
#[wasm_bindgen]
pub fn segments(a: &mut RawBody, b: &mut RawBody, pairs: &[u32]) -> Result<Vec<f32>, String> {
    segments_of(pairs, |[own, other]| [triangle(&mut a.body, own), triangle(&mut b.body, other)])
}

/// The same for pairs of one body.
#[wasm_bindgen]
pub fn self_segments(body: &mut RawBody, pairs: &[u32]) -> Result<Vec<f32>, String> {
    segments_of(pairs, |pair| pair.map(|number| triangle(&mut body.body, number)))
}

type Corners = Option<[glam::Vec3; 3]>;

fn segments_of(pairs: &[u32], mut both: impl FnMut(Pair) -> [Corners; 2]) -> Result<Vec<f32>, String> {
    let (pairs, rest) = pairs.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("pairs has an odd number of triangles".to_owned());
    }
    let mut all = Vec::with_capacity(6 * pairs.len());
    for (number, &pair) in pairs.iter().enumerate() {
        let found = match both(pair) {
            [Some(a), Some(b)] => contact(&a, &b),
            _ => return Err(format!("pair {number} names a triangle that does not exist: {pair:?}")),
        };
        let found = found.ok_or_else(|| format!("pair {number}, {pair:?}, does not touch in this pose"))?;
        all.extend(found.points.iter().flat_map(|point| point.to_array()));
    }
    Ok(all)
}

fn triangle(body: &mut Body, number: u32) -> Corners {
    let corners = *body.shape().model().mesh().triangles().get(number as usize)?;
    Some(corners.map(|vertex| body.position(vertex)))
}

pub fn flat(pairs: Vec<Pair>) -> Vec<u32> {
    pairs.into_flattened()
}
