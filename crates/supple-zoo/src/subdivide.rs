//! Four triangles out of one, without changing the shape.
//!
//! In: a model. Out: the model with every triangle cut at the midpoints of its edges; all that belongs to a vertex
//! (normal, texture coordinate, weights, displacements, reference shapes) is averaged at the midpoints.
//! Must hold: triangles `4t..4t + 4` come from triangle `t`; the rest shape is the same point set up to rounding; a
//! midpoint is shared by the triangles that share the edge's two vertices by index, so seams stay seams; parts and
//! primitives stay contiguous; skeleton and clips are kept.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use glam::{Vec2, Vec3};
use supple::model::{Part, Primitive};
use supple::rest::{ConvexMorph, Field, Fields, Reference, Rest};
use supple::{Mesh, Model, ModelError, Skin};

/// Cuts every triangle into four.
///
/// # Errors
/// The result would have more vertices or triangles than can be numbered, or numbers that are not finite.
pub fn subdivide(model: &Model) -> Result<Model, ModelError> {
    let plan = Plan::new(model.mesh(), model.parts());
    let skin = plan.skin(model.skin())?;
    Model::new(plan.mesh(model.mesh())?, skin, model.skeleton().clone())?
        .with_rest(plan.rest(model.rest())?)?
        .with_clips(model.clips().to_vec())?
        .with_parts(model.parts().iter().map(|part| plan.part(part)).collect())
}

/// Where every new vertex comes from, and the new triangles.
struct Plan {
    /// The two old vertices whose mean a new vertex is; an old vertex is the mean of itself and itself.
    parents: Vec<[u32; 2]>,
    triangles: Vec<[u32; 3]>,
    /// Where old ranges of vertices start and end, and where these are now.
    moved_bounds: HashMap<usize, usize>,
}

impl Plan {
    /// Midpoints stand behind the old vertices of the innermost range that has the edge's later vertex, so that
    /// ranges stay contiguous. A model of one part keeps the numbers of its old vertices.
    fn new(mesh: &Mesh, parts: &[Part]) -> Self {
        let old_count = mesh.positions().len();
        let segments = Segments::new(old_count, parts);
        let mut midpoints: Vec<Vec<[u32; 2]>> = vec![Vec::new(); segments.count()];
        let mut numbers: HashMap<[u32; 2], (usize, usize)> = HashMap::new();
        for [a, b, c] in mesh.triangles().iter().copied() {
            for edge in [[a, b], [b, c], [c, a]].map(sorted) {
                numbers.entry(edge).or_insert_with(|| {
                    let segment = segments.of_vertex(edge[1] as usize);
                    midpoints[segment].push(edge);
                    (segment, midpoints[segment].len() - 1)
                });
            }
        }
        let (mut parents, mut new_of_old) = (Vec::new(), vec![0; old_count]);
        let (mut first_midpoints, mut moved_bounds) = (Vec::new(), HashMap::from([(0, 0)]));
        for (segment, edges) in midpoints.iter().enumerate() {
            for old in segments.vertices(segment) {
                new_of_old[old] = parents.len() as u32;
                parents.push([old as u32; 2]);
            }
            first_midpoints.push(parents.len());
            parents.extend(edges);
            moved_bounds.insert(segments.vertices(segment).end, parents.len());
        }
        let midpoint = |a: u32, b: u32| {
            let (segment, number) = numbers[&sorted([a, b])];
            (first_midpoints[segment] + number) as u32
        };
        let quarters = mesh.triangles().iter().flat_map(|&[a, b, c]| {
            let (ab, bc, ca) = (midpoint(a, b), midpoint(b, c), midpoint(c, a));
            let [a, b, c] = [a, b, c].map(|old| new_of_old[old as usize]);
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        });
        let triangles = quarters.collect();
        Self { parents, triangles, moved_bounds }
    }

    /// The mean of what the two parents have; exactly the old value for an old vertex.
    fn averaged<T, U>(&self, old: &[T], mean: impl Fn(&T, &T) -> U) -> Vec<U> {
        self.parents.iter().map(|&[a, b]| mean(&old[a as usize], &old[b as usize])).collect()
    }

    fn mesh(&self, old: &Mesh) -> Result<Mesh, ModelError> {
        let mut mesh = Mesh::new(self.averaged(old.positions(), mean), self.triangles.clone())?;
        if let Some(normals) = old.normals() {
            mesh = mesh.with_normals(self.averaged(normals, mean_direction))?;
        }
        if let Some(uvs) = old.uvs() {
            mesh = mesh.with_uvs(self.averaged(uvs, |a: &Vec2, b| *a * 0.5 + *b * 0.5))?;
        }
        Ok(mesh)
    }

    fn skin(&self, old: &Skin) -> Result<Skin, ModelError> {
        let of_vertex: Vec<Vec<(u32, f32)>> = (0..old.vertex_count() as u32)
            .map(|v| old.influences(v).map(|(joint, weight)| (joint.0, weight)).collect())
            .collect();
        let both = self.averaged(&of_vertex, |a, b| {
            // The skin adds up repeated joints and divides by the sum, which makes this the mean.
            if std::ptr::eq(a, b) { a.clone() } else { [a.as_slice(), b].concat() }
        });
        Ok(Skin::new(old.joint_count(), both.iter().map(Vec::as_slice))?)
    }

    fn rest(&self, old: &Rest) -> Result<Rest, ModelError> {
        Ok(match old {
            Rest::Plain => Rest::Plain,
            Rest::Fields(fields) => {
                let old_count = fields.vertex_count();
                let finer: Vec<Field> = fields.to_fields().iter().map(|f| self.field(f, old_count)).collect();
                Rest::Fields(Fields::new(self.parents.len(), &finer)?)
            }
            Rest::Morph(morph) => {
                let finer: Vec<Reference> = morph.to_references().iter().map(|r| self.reference(r)).collect();
                Rest::Morph(ConvexMorph::new(&finer)?)
            }
        })
    }

    fn field(&self, old: &Field, old_count: usize) -> Field {
        Field {
            name: old.name.clone(),
            default: old.default,
            displacements: self.sparse(&old.displacements, old_count),
            normal_changes: self.sparse(&old.normal_changes, old_count),
        }
    }

    fn sparse(&self, changes: &[(u32, Vec3)], old_count: usize) -> Vec<(u32, Vec3)> {
        if changes.is_empty() {
            return Vec::new();
        }
        let mut dense = vec![Vec3::ZERO; old_count];
        for &(vertex, change) in changes {
            dense[vertex as usize] = change;
        }
        let finer = self.parents.iter().map(|&[a, b]| mean(&dense[a as usize], &dense[b as usize]));
        (0u32..).zip(finer).filter(|(_, change)| *change != Vec3::ZERO).collect()
    }

    fn reference(&self, old: &Reference) -> Reference {
        let normals =
            if old.normals.is_empty() { Vec::new() } else { self.averaged(&old.normals, mean_direction) };
        Reference { name: old.name.clone(), positions: self.averaged(&old.positions, mean), normals }
    }

    fn part(&self, old: &Part) -> Part {
        let primitives = old.primitives.iter().map(|p| Primitive {
            material: p.material.clone(),
            vertices: self.moved(&p.vertices),
            triangles: fourfold(&p.triangles),
        });
        Part {
            name: old.name.clone(),
            node: old.node,
            vertices: self.moved(&old.vertices),
            triangles: fourfold(&old.triangles),
            coefficients: old.coefficients.clone(),
            primitives: primitives.collect(),
        }
    }

    fn moved(&self, old: &Range<usize>) -> Range<usize> {
        let bound = |old: usize| self.moved_bounds[&old];
        bound(old.start)..bound(old.end)
    }
}

/// The old vertices, cut wherever a part or primitive starts or ends.
struct Segments {
    bounds: Vec<usize>,
}

impl Segments {
    fn new(vertex_count: usize, parts: &[Part]) -> Self {
        let mut bounds = BTreeSet::from([0, vertex_count]);
        for part in parts {
            for range in part.primitives.iter().map(|p| &p.vertices).chain([&part.vertices]) {
                bounds.extend([range.start.min(vertex_count), range.end.min(vertex_count)]);
            }
        }
        Self { bounds: bounds.into_iter().collect() }
    }

    fn count(&self) -> usize {
        self.bounds.len() - 1
    }

    fn vertices(&self, segment: usize) -> Range<usize> {
        self.bounds[segment]..self.bounds[segment + 1]
    }

    fn of_vertex(&self, vertex: usize) -> usize {
        self.bounds.partition_point(|&bound| bound <= vertex) - 1
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Halved before adding: exact for `a == b` and no overflow.
fn mean(a: &Vec3, b: &Vec3) -> Vec3 {
    *a * 0.5 + *b * 0.5
}

/// A unit vector between two, as normals are; opposite ones leave the first.
fn mean_direction(a: &Vec3, b: &Vec3) -> Vec3 {
    if a == b { *a } else { mean(a, b).try_normalize().unwrap_or(*a) }
}

fn fourfold(old: &Range<usize>) -> Range<usize> {
    old.start * 4..old.end * 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::mesh::{edge_counts, weld_positions};
    use supple::pose::{Joint, Node, Skeleton};
    use supple::{Skinning, Transform};

    /// A strip of four triangles over two joints, in two parts of two triangles each.
    fn strip() -> Model {
        let positions: Vec<Vec3> = (0..8).map(|i| Vec3::new((i / 2) as f32, (i % 2) as f32, 0.0)).collect();
        let triangles = vec![[0, 2, 1], [1, 2, 3], [4, 6, 5], [5, 6, 7]];
        let mesh = Mesh::new(positions, triangles).unwrap().with_normals(vec![Vec3::Z; 8]).unwrap();
        let influences: Vec<[(u32, f32); 2]> =
            (0..8).map(|i| [(0, 1.0 - i as f32 / 7.0), (1, i as f32 / 7.0)]).collect();
        let skin = Skin::new(2, influences.iter().map(|i| &i[..])).unwrap();
        let node = |name: &str| Node::new(name, None, Transform::IDENTITY);
        let joint = |node| Joint { node, inverse_bind: glam::DAffine3::IDENTITY };
        let skeleton = Skeleton::new(vec![node("a"), node("b")], vec![joint(0), joint(1)]).unwrap();
        let field = Field { displacements: vec![(1, Vec3::X), (2, Vec3::Y)], ..Field::default() };
        let rest = Rest::Fields(Fields::new(8, &[field]).unwrap());
        let part = |name: &str, vertices: Range<usize>, triangles: Range<usize>| Part {
            name: name.into(),
            node: 0,
            vertices: vertices.clone(),
            triangles: triangles.clone(),
            coefficients: 0..1,
            primitives: vec![Primitive { material: String::new(), vertices, triangles }],
        };
        Model::new(mesh, skin, skeleton)
            .unwrap()
            .with_rest(rest)
            .unwrap()
            .with_parts(vec![part("left", 0..4, 0..2), part("right", 4..8, 2..4)])
            .unwrap()
    }

    #[test]
    fn parts_stay_contiguous_and_own_their_vertices() {
        let finer = subdivide(&strip()).unwrap();
        let [left, right] = finer.parts() else { panic!("two parts") };
        assert_eq!((left.vertices.clone(), right.vertices.clone()), (0..9, 9..18));
        assert_eq!((left.triangles.clone(), right.triangles.clone()), (0..8, 8..16));
        for part in [left, right] {
            for corner in finer.mesh().triangles()[part.triangles.clone()].as_flattened() {
                assert!(part.vertices.contains(&(*corner as usize)));
            }
        }
    }

    #[test]
    fn quarters_lie_in_their_triangle() {
        let (coarse, fine) = (strip(), subdivide(&strip()).unwrap());
        for (t, triangle) in coarse.mesh().triangles().iter().enumerate() {
            let [a, b, c] = triangle.map(|v| coarse.mesh().positions()[v as usize]);
            let area = (b - a).cross(c - a);
            for quarter in &fine.mesh().triangles()[4 * t..4 * t + 4] {
                let [p, q, r] = quarter.map(|v| fine.mesh().positions()[v as usize]);
                assert_eq!((q - p).cross(r - p) * 4.0, area);
            }
        }
    }

    #[test]
    fn deforms_like_the_midpoints_where_the_weights_agree() {
        // Linear in the position for fixed weights, and fields are linear: with one joint for all, midpoints stay.
        let coarse = strip();
        let rigid = Model::rigid(coarse.mesh().clone()).with_rest(coarse.rest().clone()).unwrap();
        let fine = subdivide(&rigid).unwrap();
        let mut pose = rigid.rest_pose();
        pose.coefficients[0] = 0.75;
        pose.nodes[0].rotation = glam::Quat::from_rotation_z(0.5);
        let posed = rigid.posed(&pose, Skinning::Linear).unwrap().positions();
        let finer = fine.posed(&pose, Skinning::Linear).unwrap().positions();
        for (t, &[a, b, c]) in rigid.mesh().triangles().iter().enumerate() {
            let [a, b, c] = [a, b, c].map(|v| posed[v as usize]);
            let middle = fine.mesh().triangles()[4 * t + 3].map(|v| finer[v as usize]);
            for (found, expected) in middle.into_iter().zip([(a, b), (b, c), (c, a)]) {
                assert!(found.distance(mean(&expected.0, &expected.1)) < 1e-6);
            }
        }
    }

    #[test]
    fn weights_are_means() {
        let fine = subdivide(&strip()).unwrap();
        let middle = fine.mesh().triangles()[3][0];
        assert_eq!(fine.mesh().positions()[middle as usize], Vec3::new(0.5, 0.0, 0.0));
        let weight: f32 = fine.skin().influences(middle).filter(|(j, _)| j.0 == 1).map(|(_, w)| w).sum();
        assert!((weight - 1.0 / 7.0).abs() < 1e-6, "{weight}");
    }

    #[test]
    fn seams_stay_seams() {
        // The two parts touch nowhere by index: each has its own boundary.
        let fine = subdivide(&strip()).unwrap();
        let identity: Vec<u32> = (0..fine.mesh().positions().len() as u32).collect();
        let edges = edge_counts(fine.mesh().triangles(), &identity);
        assert_eq!((edges.boundary, edges.non_manifold), (16, 0));
        assert_eq!(weld_positions(fine.mesh().positions()), identity);
    }
}
