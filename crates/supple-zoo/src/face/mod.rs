//! `face`: a head with the 52 blend shapes that face trackers deliver.
//!
//! Out: a closed head with neck, 10,000 triangles, life size, looking along +Z, its left on the side of +X; a
//! displacement field per shape, named as ARKit names them; clips that blink, talk and make faces.
//! Must hold: each shape is smooth and moves only its region, and all others stay exactly where they are.

mod clips;
mod head;
mod motion;
mod shapes;

use glam::Vec3;
use supple::mesh::vertex_normals;
use supple::rest::{Field, Fields, Rest};
use supple::{Mesh, Model, ModelError};

pub(crate) fn build() -> Result<Model, ModelError> {
    let (positions, triangles) = head::sculpt();
    let normals = vertex_normals(&positions, &triangles);
    let mesh = Mesh::new(positions, triangles)?.with_normals(normals)?;
    let neighbours = neighbours(&mesh);
    let fields: Vec<Field> = shapes::all()
        .iter()
        .map(|shape| {
            let displacements = settled(&mesh, &neighbours, |p| shape.displacement(p));
            Field::displacing(shape.name, &mesh, &displacements)
        })
        .collect();
    let rest = Rest::Fields(Fields::new(mesh.positions().len(), &fields)?);
    Model::rigid(mesh).with_rest(rest)?.with_clips(clips::all(&shapes::names())?)
}

/// Displacements in metres of a motion in centimetres.
///
/// Where the mouth opens, the surface between the lips becomes many times longer, and every irregularity of its triangles
/// would show as a fold; there displacements are averaged with those of the neighbours.
fn settled(mesh: &Mesh, neighbours: &[Vec<u32>], motion: impl Fn(Vec3) -> Vec3) -> Vec<Vec3> {
    const ROUNDS: usize = 5;
    let mut displacements: Vec<Vec3> = mesh.positions().iter().map(|&p| motion(p * 100.0) * 0.01).collect();
    // What does not move at first is outside of the shape's region and stays.
    let in_mouth: Vec<usize> = (0..displacements.len())
        .filter(|&v| displacements[v] != Vec3::ZERO && motion::is_mouth(mesh.positions()[v] * 100.0))
        .collect();
    for _ in 0..ROUNDS {
        let before = displacements.clone();
        for &vertex in &in_mouth {
            let ring = &neighbours[vertex];
            let mean = ring.iter().map(|&n| before[n as usize]).sum::<Vec3>() / ring.len() as f32;
            displacements[vertex] = before[vertex].lerp(mean, 0.5);
        }
    }
    displacements
}

/// Neighbours of each vertex; the mesh is closed, so each comes once as the second corner of a directed edge.
fn neighbours(mesh: &Mesh) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); mesh.positions().len()];
    for &[a, b, c] in mesh.triangles() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            neighbours[from as usize].push(to);
        }
    }
    neighbours
}
