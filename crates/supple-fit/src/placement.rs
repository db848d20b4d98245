//! Where proxy-joints are: the greedy solution of the p-center problem, also with vertices that count for more than
//! others.
//!
//! Must hold: no two joints are at the same position; every vertex that the surface connects to a joint knows its nearest
//! one and how far it is. Others (more pieces than joints) are at an infinite distance; `falloff` finds a joint for them.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 7.1; T. F. Gonzalez, Clustering to Minimize the
//! Maximum Intercluster Distance, 1985 (the greedy choice is within a factor of 2 of the best).

use glam::DVec3;

use crate::distance::Surface;

/// Joints at vertices, and what is near them.
#[derive(Clone, Debug)]
pub(crate) struct Centers {
    /// The vertex of each joint.
    pub vertices: Vec<usize>,
    /// The nearest joint of each vertex.
    pub nearest: Vec<usize>,
    /// How far that is.
    pub distance: Vec<f64>,
}

impl Centers {
    /// The first at the vertex farthest from the middle, each other at the vertex whose distance from those before it,
    /// times its importance (positive), is largest.
    pub fn greedy(surface: &Surface, count: usize, importance: impl Fn(usize) -> f64) -> Self {
        let vertices = surface.positions.len();
        let middle = surface.positions.iter().sum::<DVec3>() / vertices.max(1) as f64;
        let mut centers = Self {
            vertices: Vec::new(),
            nearest: vec![0; vertices],
            distance: vec![f64::INFINITY; vertices],
        };
        let first = farthest(vertices, |v| surface.positions[v].distance(middle));
        centers.add(surface, first);
        while centers.vertices.len() < count {
            let value = |v: usize| centers.distance[v] * importance(v);
            let vertex = farthest(vertices, value);
            if value(vertex) <= 0.0 {
                break;
            }
            centers.add(surface, vertex);
        }
        centers
    }

    fn add(&mut self, surface: &Surface, vertex: usize) {
        let joint = self.vertices.len();
        self.vertices.push(vertex);
        surface.visit_from(vertex, |v, distance| {
            let nearer = distance < self.distance[v];
            if nearer {
                self.distance[v] = distance;
                self.nearest[v] = joint;
            }
            nearer
        });
    }

    /// How far vertices are from their nearest joint, at most: joint by joint, of the vertices that are nearest to it
    /// or to a joint beside it. (Of its own alone joints overlap less, and errors are a tenth to a quarter larger.)
    pub fn radii(&self, triangles: &[[u32; 3]]) -> Vec<f64> {
        let mut own = vec![0.0f64; self.vertices.len()];
        for (&joint, &distance) in self.nearest.iter().zip(&self.distance).filter(|(_, d)| d.is_finite()) {
            own[joint] = own[joint].max(distance);
        }
        let mut radii = own.clone();
        for corners in triangles {
            let joints = corners.map(|v| self.nearest[v as usize]);
            for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (joints[i], joints[j])) {
                radii[a] = radii[a].max(own[b]);
                radii[b] = radii[b].max(own[a]);
            }
        }
        radii
    }

    /// `r`: how far a vertex is from its nearest joint, at most.
    pub fn radius(&self) -> f64 {
        self.distance.iter().copied().filter(|d| d.is_finite()).fold(0.0, f64::max)
    }
}

/// The first vertex with the largest value.
fn farthest(vertices: usize, value: impl Fn(usize) -> f64) -> usize {
    (1..vertices).fold(0, |best, v| if value(v) > value(best) { v } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Distance;
    use glam::Vec3;
    use supple::Mesh;

    fn line(points: &[f32]) -> Mesh {
        let positions: Vec<Vec3> = points.iter().map(|&x| Vec3::X * x).collect();
        Mesh::new(positions, vec![[0, 1, 2]]).unwrap()
    }

    #[test]
    fn each_joint_is_farthest_from_those_before() {
        let surface = Surface::new(&line(&[0.0, 1.0, 2.0, 3.0, 10.0]), Distance::Euclidean);
        let centers = Centers::greedy(&surface, 3, |_| 1.0);
        assert_eq!(centers.vertices, [4, 0, 3]);
        assert_eq!(centers.nearest, [1, 1, 2, 2, 0]);
        assert_eq!(centers.radius(), 1.0);
        // As many as there are different positions.
        let doubled = Surface::new(&line(&[0.0, 1.0, 1.0, 0.0]), Distance::Euclidean);
        assert_eq!(Centers::greedy(&doubled, 9, |_| 1.0).vertices.len(), 2);
    }

    #[test]
    fn pieces_without_a_joint_are_not_reached() {
        let positions: Vec<Vec3> =
            (0..6).map(|v| Vec3::new(v as f32, (v % 2) as f32, (v / 3) as f32 * 9.0)).collect();
        let mesh = Mesh::new(positions, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
        let surface = Surface::new(&mesh, Distance::Geodesic);
        assert!(Centers::greedy(&surface, 1, |_| 1.0).distance.iter().any(|d| d.is_infinite()));
        assert!(Centers::greedy(&surface, 2, |_| 1.0).distance.iter().all(|d| d.is_finite()));
    }
}
