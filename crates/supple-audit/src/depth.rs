//! How deep the surfaces of two bones are in each other.
//!
//! In: the intersecting pairs of triangles of two bones A and B, and posed vertices. Out: a length.
//!
//! ```text
//! seeds(A, B)   = corners of A's triangles in those pairs that lie behind the plane of their partner
//! inside(A, B)  = vertices of A that are inside of B, and that edges of A connect with a seed over such vertices only
//!                 (the seed is one, too)
//! deepest(A, B) = the largest distance of a vertex of inside(A, B) from the surface of B; 0 where there is none
//! depth         = max(deepest(A, B), deepest(B, A))
//! ```
//!
//! Inside of B is where B, seen from behind, covers at least a quarter of all directions and the nearest point of B is not
//! on its rim (see `patch`): everywhere in a closed surface; behind an open one not too far, and not beside it. The depth
//! is measured at vertices: edges that cross without a vertex inside have depth 0. A bone has no depth in itself.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use glam::Vec3;
use supple::Model;

use crate::bones::Bones;
use crate::patch::{Patch, PosedPatch};

/// The winding number from which on a point is inside: that just behind a straight rim.
const INSIDE: f32 = 0.25;

/// What depths of a model need and no pose changes.
#[derive(Clone, Debug)]
pub struct Surfaces {
    /// Triangles on welded vertices.
    triangles: Vec<[u32; 3]>,
    /// One per bone.
    patches: Vec<Patch>,
}

impl Surfaces {
    /// Vertices of a seam are one; `rest_positions` only shape the trees.
    pub fn new(model: &Model, bones: &Bones, rest_positions: &[Vec3]) -> Self {
        let welded = model.welded_vertices();
        let triangles: Vec<[u32; 3]> =
            model.mesh().triangles().iter().map(|t| t.map(|v| welded[v as usize])).collect();
        let mut of_bones = vec![Vec::new(); bones.count()];
        for (corners, &bone) in triangles.iter().zip(bones.of_triangles()) {
            of_bones[bone as usize].push(*corners);
        }
        let patches = of_bones.into_iter().map(|own| Patch::new(own, rest_positions)).collect();
        Self { triangles, patches }
    }

    /// The surfaces in a pose.
    pub fn posed<'s>(&'s self, positions: &'s [Vec3]) -> PosedSurfaces<'s> {
        PosedSurfaces { surfaces: self, positions, patches: vec![OnceCell::new(); self.patches.len()] }
    }
}

/// Surfaces in a pose; each is posed when it is first needed.
#[derive(Clone, Debug)]
pub struct PosedSurfaces<'s> {
    surfaces: &'s Surfaces,
    positions: &'s [Vec3],
    patches: Vec<OnceCell<PosedPatch<'s>>>,
}

impl<'s> PosedSurfaces<'s> {
    /// The depth of bones `a` and `b` in each other; each pair has its triangle of `a` first. `None` for a bone in itself.
    pub fn depth(&self, [a, b]: [u32; 2], pairs: &[[u32; 2]]) -> Option<f32> {
        if a == b {
            return None;
        }
        let swapped: Vec<[u32; 2]> = pairs.iter().map(|&[a, b]| [b, a]).collect();
        Some(self.deepest(a, b, self.seeds(pairs)).max(self.deepest(b, a, self.seeds(&swapped))))
    }

    fn seeds(&self, pairs: &[[u32; 2]]) -> BTreeSet<u32> {
        let corners = |t: u32| self.surfaces.triangles[t as usize];
        let mut seeds = BTreeSet::new();
        for &[own, other] in pairs {
            let plane = corners(other).map(|v| self.positions[v as usize]);
            let normal = (plane[1] - plane[0]).cross(plane[2] - plane[0]);
            let behind = |v: &u32| normal.dot(self.positions[*v as usize] - plane[0]) < 0.0;
            seeds.extend(corners(own).into_iter().filter(behind));
        }
        seeds
    }

    /// Floods one surface over vertices inside of the other.
    fn deepest(&self, from: u32, into: u32, seeds: BTreeSet<u32>) -> f32 {
        let (from, into) = (&self.surfaces.patches[from as usize], self.patch(into));
        let (mut seen, mut open, mut deepest) = (seeds.clone(), Vec::from_iter(seeds), 0.0f32);
        while let Some(vertex) = open.pop() {
            let point = self.positions[vertex as usize];
            let Some(nearest) = into.nearest(point).filter(|n| !n.on_rim) else { continue };
            if into.winding(point) < INSIDE {
                continue;
            }
            deepest = deepest.max(nearest.distance);
            open.extend(from.neighbours(vertex).iter().filter(|&&v| seen.insert(v)));
        }
        deepest
    }

    fn patch(&self, bone: u32) -> &PosedPatch<'s> {
        let bone = bone as usize;
        self.patches[bone].get_or_init(|| self.surfaces.patches[bone].posed(self.positions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DAffine3;
    use std::sync::Arc;
    use supple::Mesh;
    use supple::pose::{Joint, Node, Skeleton, Transform};
    use supple::skin::{Skin, Skinning};
    use supple::{Body, BuildOptions, Shape, self_collide};

    /// A closed cylinder along X from 0 to `length`, of many rings, or a box for four sectors.
    fn tube(length: f32, radius: f32, rings: u32, sectors: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let mut positions = Vec::new();
        for ring in 0..=rings {
            for sector in 0..sectors {
                let turn = std::f32::consts::TAU * (sector as f32 + 0.5) / sectors as f32;
                let x = length * ring as f32 / rings as f32;
                positions.push(Vec3::new(x, radius * turn.cos(), radius * turn.sin()));
            }
        }
        let mut triangles = Vec::new();
        for ring in 0..rings {
            for sector in 0..sectors {
                let (here, next) = (ring * sectors + sector, ring * sectors + (sector + 1) % sectors);
                triangles.extend([[here, next, next + sectors], [here, next + sectors, here + sectors]]);
            }
        }
        for (ring, is_end) in [(0, false), (rings, true)] {
            let middle = positions.len() as u32;
            positions.push(Vec3::X * (length * ring as f32 / rings as f32));
            for sector in 0..sectors {
                let (here, next) = (ring * sectors + sector, ring * sectors + (sector + 1) % sectors);
                triangles.push(if is_end { [middle, here, next] } else { [middle, next, here] });
            }
        }
        (positions, triangles)
    }

    /// Two surfaces, one per joint.
    fn two(a: (Vec<Vec3>, Vec<[u32; 3]>), b: (Vec<Vec3>, Vec<[u32; 3]>)) -> Model {
        let (count, shift) = (a.0.len(), a.0.len() as u32);
        let positions: Vec<Vec3> =
            a.0.into_iter().chain(b.0.into_iter().map(|p| p + Vec3::X * 100.0)).collect();
        let triangles = a.1.into_iter().chain(b.1.into_iter().map(|t| t.map(|v| v + shift))).collect();
        let lists: Vec<[(u32, f32); 1]> =
            (0..positions.len()).map(|v| [(u32::from(v >= count), 1.0)]).collect();
        let skin = Skin::new(2, lists.iter().map(|l| l.as_slice())).unwrap();
        let node = |name: &str| Node::new(name, None, Transform::IDENTITY);
        let joints = [0, 1].map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).to_vec();
        let skeleton = Skeleton::new(vec![node("a"), node("b")], joints).unwrap();
        Model::new(Mesh::new(positions, triangles).unwrap(), skin, skeleton).unwrap()
    }

    /// The depth with the second surface moved to a point.
    fn depth_at(model: Model, target: Vec3) -> (usize, Option<f32>) {
        let rest = model.rest_pose();
        let bones = Bones::new(&model);
        let at_rest = model.posed(&rest, Skinning::Linear).unwrap().positions();
        let surfaces = Surfaces::new(&model, &bones, &at_rest);
        let mut pose = rest.clone();
        pose.nodes[1].translation = target - Vec3::X * 100.0;
        let shape = Arc::new(Shape::build(model, &BuildOptions::default()).unwrap());
        let mut body = Body::new(&shape, Skinning::Linear).unwrap();
        body.set_pose(&pose).unwrap();
        let pairs = self_collide(&mut body).found;
        let positions = shape.model().posed(&pose, Skinning::Linear).unwrap().positions();
        let posed = surfaces.posed(&positions);
        assert_eq!(posed.depth([0, 0], &pairs), None);
        (pairs.len(), posed.depth([0, 1], &pairs))
    }

    #[test]
    fn boxes_pushed_into_each_other_end_to_end() {
        // The second box is thinner and goes 0.3 into the end of the first: its corners are 0.3 from that end, and
        // farther from the sides.
        for depth in [0.05, 0.3, 0.45] {
            let model = two(tube(2.0, 1.0, 4, 4), tube(2.0, 0.2, 5, 4));
            let (pairs, found) = depth_at(model, Vec3::new(2.0 - depth, 0.0, 0.0));
            assert!(pairs > 0 && (found.unwrap() - depth).abs() < 1e-5, "{depth}: {found:?}");
        }
    }

    #[test]
    fn cylinders_pushed_into_each_other_side_by_side() {
        // Axes are parallel and 2 r - depth apart. A vertex ring of each lies on the line between the axes, where the
        // other's surface is the flat side of a polygon with the apothem r cos(pi / n).
        let (radius, sectors) = (0.5f32, 64);
        let apothem = radius * (std::f32::consts::PI / sectors as f32).cos();
        for depth in [0.02, 0.1, 0.3] {
            let model = two(tube(2.0, radius, 20, sectors), tube(2.0, radius, 20, sectors));
            // Moved by half a ring, so that neither lies on the other's vertices.
            let (pairs, found) = depth_at(model, Vec3::new(0.05, 2.0 * apothem - depth, 0.0));
            let flat = found.unwrap();
            // Vertices stand half a sector beside that line: a little less deep than the apothems overlap.
            assert!(pairs > 0 && flat <= depth + 1e-4 && flat > depth - 0.01, "{depth}: {flat}");
        }
    }

    #[test]
    fn surfaces_apart_and_a_needle_through_a_wall() {
        let (pairs, found) = depth_at(two(tube(1.0, 0.5, 4, 16), tube(1.0, 0.5, 4, 16)), Vec3::X * 3.0);
        assert_eq!((pairs, found), (0, Some(0.0)));
        // A long needle goes right through a thin box: inside are only vertices between its walls, 0.1 from both.
        let needle = tube(4.0, 0.02, 40, 8);
        let (pairs, found) = depth_at(two(tube(0.2, 2.0, 2, 4), needle), Vec3::new(-2.0, 0.1, 0.1));
        assert!(pairs > 0 && (found.unwrap() - 0.1).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn crossing_edges_without_a_vertex_inside_have_no_depth() {
        // Two bars like a cross: their vertices are at their far ends.
        let (positions, triangles) = tube(4.0, 0.5, 1, 4);
        let turned = positions.iter().map(|p| Vec3::new(-p.z, p.y, p.x)).collect();
        let (pairs, found) =
            depth_at(two((positions, triangles.clone()), (turned, triangles)), Vec3::new(2.0, 0.3, -2.0));
        assert!(pairs > 0);
        assert_eq!(found, Some(0.0));
    }
}
