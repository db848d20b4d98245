//! Sculpting: from lumps of clay along bones to a closed, well-shaped triangle mesh with smooth weights.
//!
//! In: primitives with an owning joint, a wanted vertex count, spheres that need finer triangles.
//! Out: positions, triangles and influences. Must hold: the surface is closed and manifold, has exactly the wanted
//! number of vertices, and depends on nothing but the input (sums, products and square roots decide the topology).
//!
//! The order of work: [`Clay`] is the implicit surface, `polygonize` finds a dense first mesh, `remesh` makes its
//! triangles regular on a [`Surface`], `weights` lets joint influences flow over it.

mod clay;
mod half_edges;
mod polygonize;
mod primitive;
mod remesh;
mod sizing;
mod weights;

use glam::DVec3;

pub(crate) use clay::Clay;
pub(crate) use half_edges::Surface;
pub(crate) use primitive::Primitive;
pub(crate) use sizing::{Focus, Sizing};
pub(crate) use weights::{nearest_joints, smooth_influences};

/// The lumps as clay, and their surface: positions and triangles. The cell must resolve every gap.
pub(crate) fn sculpt(
    lumps: Vec<Primitive>,
    cell: f64,
    sizing: Sizing,
    vertices: usize,
) -> (Clay, Vec<DVec3>, Vec<[u32; 3]>) {
    let clay = Clay::new(lumps, cell * polygonize::CELLS_PER_BLOCK as f64);
    let (positions, triangles) = polygonize::polygonize(&clay);
    let mut surface = Surface::new(positions, &triangles)
        .expect("ambiguous cells are filled, so that the first mesh is closed and manifold");
    remesh::remesh(&mut surface, &clay, sizing, vertices);
    let (positions, triangles) = surface.into_mesh();
    (clay, positions, triangles)
}
