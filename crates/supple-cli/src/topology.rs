//! Whether two meshes are one mesh whose vertices are elsewhere.

use supple::Mesh;

use crate::table::counted;

/// What differs beside positions, in words; nothing if both have the same vertices and triangles in the same order.
pub fn difference(mesh: &Mesh, other_name: &str, other: &Mesh) -> Option<String> {
    let counts = [
        ("vertex", mesh.positions().len(), other.positions().len()),
        ("triangle", mesh.triangles().len(), other.triangles().len()),
    ];
    for (noun, here, there) in counts {
        if here != there {
            return Some(format!("has {}, {other_name} has {}", counted(here, noun), counted(there, noun)));
        }
    }
    let pairs = || mesh.triangles().iter().zip(other.triangles());
    let different = pairs().filter(|(a, b)| a != b).count();
    let (index, (a, b)) = pairs().enumerate().find(|(_, (a, b))| a != b)?;
    Some(format!(
        "has the vertices of {other_name} in another order; they differ in {}, the first is triangle {index} with corners {a:?} instead of {b:?}",
        counted(different, "triangle")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn what_differs_is_told() {
        let mesh = |vertices: usize, triangles: &[[u32; 3]]| {
            Mesh::new(vec![Vec3::ZERO; vertices], triangles.to_vec()).unwrap()
        };
        let old = mesh(4, &[[0, 1, 2], [1, 2, 3]]);
        let told = |new: &Mesh| difference(new, "a.glb", &old).unwrap_or_default();
        assert_eq!(told(&old), "");
        assert_eq!(told(&mesh(5, &[[0, 1, 2]])), "has 5 vertices, a.glb has 4 vertices");
        assert_eq!(told(&mesh(4, &[[0, 1, 2]])), "has 1 triangle, a.glb has 2 triangles");
        let turned = told(&mesh(4, &[[0, 1, 2], [1, 3, 2]]));
        assert!(
            turned.contains("they differ in 1 triangle, the first is triangle 1 with corners [1, 3, 2]"),
            "{turned}"
        );
    }
}
