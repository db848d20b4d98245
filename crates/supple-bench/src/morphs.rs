//! A character whose surface also has 52 bulges that grow before it is skinned: as many as a captured face has shapes.

use glam::Vec3;
use supple::rest::{Field, Fields, Rest};
use supple::{Aabb, Model};

/// Number of displacement fields.
pub const SHAPES: usize = 52;
/// A patch reaches this far, in diagonals of the character.
const REACH: f32 = 0.06;
/// The middle of a patch moves by this much, in diagonals: visible, but frames keep their class.
const HEIGHT: f32 = 0.004;

/// The same character with a bulge around each of 52 vertices that are spread over the mesh.
pub fn with_shapes(model: &Model) -> Model {
    let positions = model.mesh().positions();
    let bounds = Aabb::from_points(positions.iter().copied());
    let diagonal = bounds.min.distance(bounds.max);
    let field = |index: usize| {
        let middle = positions[(2 * index + 1) * positions.len() / (2 * SHAPES)];
        let outward = (middle - bounds.center()).normalize_or(Vec3::Y);
        let bulge = |p: &Vec3| (1.0 - p.distance_squared(middle) / (REACH * diagonal).powi(2)).max(0.0);
        let displacements = (0u32..)
            .zip(positions)
            .filter(|(_, p)| bulge(p) > 0.0)
            .map(|(vertex, p)| (vertex, outward * bulge(p).powi(2) * HEIGHT * diagonal))
            .collect();
        Field { name: format!("bulge {index}"), displacements, ..Field::default() }
    };
    let fields: Vec<Field> = (0..SHAPES).map(field).collect();
    let fields = Fields::new(positions.len(), &fields).expect("the vertices are the mesh's");
    model.clone().with_rest(Rest::Fields(fields)).expect("the fields are made for the mesh")
}

/// Coefficients of a moment: each swings at its own pace, none is ever left out.
pub fn coefficients(frame: usize) -> Vec<f32> {
    (0..SHAPES)
        .map(|shape| 0.6 + 0.4 * (frame as f32 * (0.1 + 0.01 * shape as f32) + shape as f32).sin())
        .collect()
}
