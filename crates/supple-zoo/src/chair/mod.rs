//! `chair`: a garden chair out of one piece of plastic that bends and twists.
//!
//! Out: 17,900 triangles, 0.8 m high, seat towards +Z, feet on the ground, and ten displacement fields that
//! are smooth over the whole chair; a coefficient of 1 is a clearly visible flex of about 5 cm.

mod flex;
mod shape;

use supple::mesh::Mesh;
use supple::model::{Model, ModelError};
use supple::rest::{Field, Fields, Rest};

use crate::displacement::displacement_field;
use crate::isosurface::isosurface;
use crate::normals::vertex_normals;

const TRIANGLES: usize = 17_900;

/// A third of the thickness of the panels: surface nets need that where panels meet.
const CELL: f64 = 0.006;

pub(crate) fn build() -> Result<Model, ModelError> {
    let (positions, triangles) = isosurface(&shape::distance, shape::BOUNDS, CELL, TRIANGLES)
        .expect("the chair is thicker than its cells everywhere, as the tests check");
    let normals = vertex_normals(&positions, &triangles);
    let mesh = Mesh::new(positions, triangles)?.with_normals(normals)?;
    let fields: Vec<Field> =
        flex::FLEXES.iter().map(|(name, flex)| displacement_field(name, &mesh, |_, p| flex(p))).collect();
    let rest = Rest::Fields(Fields::new(mesh.positions().len(), &fields)?);
    Model::rigid(mesh).with_rest(rest)?.with_clips(vec![flex::clip()?])
}
