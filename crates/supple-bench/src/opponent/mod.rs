//! What a good engineer does today: skin all vertices, refit a box tree bottom-up, query. Given every chance.
//!
//! In: joint matrices. Out: the same pairs of triangles that the library finds.
//! Needs AVX2 with fused multiply-add; [`Avx2`] is the proof that the processor has it.

mod skinning;
mod split;
mod tree;
mod transpose;
mod refit;
mod triangles;
mod planes;
mod query;
mod shear;
mod ray;
mod kin;
mod self_query;

pub use kin::Kin;
pub use query::Query;
pub use ray::RayQuery;
pub use skinning::SkinningLoop;
pub use tree::{BoxTree, Plan};

/// Proof that the processor has AVX2 and fused multiply-add.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Asks the processor.
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }
}

/// Eight numbers, aligned for one load.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Eight(pub(crate) [f32; 8]);

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::{Vec3, Vec4};
    use supple::oracle::{self, PosedMesh};
    use supple::{Aabb, Isometry, Model, SelfFilter, Skinning};

    use super::*;
    use crate::workload::rays_at;

    /// A tree of the man with entries in reverse, posed.
    fn posed(man: &Model, time: f64, x: f64) -> (BoxTree, Vec<Vec3>) {
        let pose = man.sample(man.clip("walk").unwrap(), time).unwrap();
        let placement = Isometry::from_translation(Vec3::X * x as f32);
        let positions = man.posed_at(&pose, Skinning::Linear, placement).unwrap().positions();
        (tree(man, &positions), positions)
    }

    fn tree(man: &Model, positions: &[Vec3]) -> BoxTree {
        let avx2 = Avx2::detect().expect("the tests of the opponent need AVX2");
        let (triangles, rest) = (man.mesh().triangles(), man.mesh().positions());
        let entries: Vec<u32> = (0..rest.len() as u32).rev().collect();
        let mut tree = Plan::new(avx2, triangles, rest).build(triangles, &entries, rest.len());
        for (entry, position) in tree.positions_mut().iter_mut().rev().zip(positions) {
            *entry = position.extend(0.0);
        }
        tree.refit();
        tree
    }

    #[test]
    fn boxes_are_the_minimum_and_maximum_of_what_is_below() {
        let man = supple_zoo::make("man", 0).unwrap();
        let (tree, _) = posed(&man, 0.4, 0.0);
        let mut seen = vec![false; man.mesh().triangles().len()];
        check_below(&tree, 0, &mut seen);
        assert!(seen.iter().all(|&seen| seen), "every triangle is in the tree");
    }

    fn check_below(tree: &BoxTree, index: usize, seen: &mut [bool]) -> Vec<Vec4> {
        let mut below = Vec::new();
        if let Some(node) = tree.nodes.get(index) {
            for (lane, &child) in node.children.iter().enumerate() {
                let own = tree.bounds[child as usize];
                for axis in 0..3 {
                    assert_eq!(node.boxes.min[axis].0[lane], own.min[axis]);
                    assert_eq!(node.boxes.max[axis].0[lane], own.max[axis]);
                }
                if (child as usize) < tree.bounds.len() - 1 {
                    below.extend(check_below(tree, child as usize, seen));
                }
            }
        } else {
            let leaf = &tree.leaves.leaves[index - tree.nodes.len()];
            for t in 0..leaf.count as usize {
                assert!(!std::mem::replace(&mut seen[leaf.ids[t] as usize], true), "a triangle twice");
                below.extend(leaf.corners[t].map(|entry| tree.positions[entry as usize]));
            }
        }
        let min = below.iter().fold(Vec4::INFINITY, |m, p| m.min(*p));
        let max = below.iter().fold(Vec4::NEG_INFINITY, |m, p| m.max(*p));
        assert_eq!(tree.bounds[index], tree::Box4 { min, max });
        below
    }

    #[test]
    fn pairs_are_those_of_brute_force() {
        let man = Arc::new(supple_zoo::make("man", 0).unwrap());
        let mut query = Query::default();
        let (mut pairs, mut contacts) = (Vec::new(), 0);
        for x in [2.0, 0.5, 0.4, 0.2, 0.0] {
            let (mut a, positions_a) = posed(&man, 0.2, 0.0);
            let (mut b, positions_b) = posed(&man, 0.9, x);
            query.all_pairs(&mut a, &mut b, &mut pairs);
            let expected = oracle::collide(
                PosedMesh::new(man.mesh(), &positions_a),
                PosedMesh::new(man.mesh(), &positions_b),
            );
            assert_eq!(pairs, expected, "at {x}");
            let first = query.first_contact(&mut a, &mut b);
            assert!(first.map_or(expected.is_empty(), |pair| expected.binary_search(&pair).is_ok()));
            contacts += usize::from(!expected.is_empty());
        }
        assert!(contacts >= 2, "the men meet");
    }
    #[test]
    fn pairs_of_one_character_are_those_of_brute_force() {
        let man = supple_zoo::make("man", 0).unwrap();
        let mut pose = man.rest_pose();
        // Folded.
        man.node_mut(&mut pose, "forearm_l").unwrap().rotation *= glam::Quat::from_rotation_x(-2.6);
        let positions = man.posed(&pose, Skinning::Linear).unwrap().positions();
        let mut tree = tree(&man, &positions);
        let welded = man.welded_vertices();
        let triangles: Vec<_> =
            man.mesh().triangles().iter().map(|t| t.map(|vertex| welded[vertex as usize])).collect();
        let mut pairs = Vec::new();
        let kin = Kin::new(&tree, &triangles);
        Query::default().self_pairs(&mut tree, &kin, |_, _| true, &mut pairs);
        assert_eq!(pairs, oracle::self_collide_with(&man, &positions, &SelfFilter::default()));
        assert!(!pairs.is_empty(), "the arm goes through itself");
    }

    #[test]
    fn rays_hit_what_they_hit_in_brute_force() {
        let man = supple_zoo::make("man", 0).unwrap();
        let (mut tree, positions) = posed(&man, 0.3, 0.0);
        let bounds = Aabb::from_points(positions.iter().copied());
        let mut query = RayQuery::default();
        let mut hits = 0;
        for ray in rays_at(&bounds, 1, 100) {
            let expected = oracle::cast_ray_all(PosedMesh::new(man.mesh(), &positions), ray);
            let hit = query.cast_ray(&mut tree, ray);
            assert_eq!(hit, expected.first().copied());
            hits += usize::from(hit.is_some());
        }
        assert!((10..90).contains(&hits), "{hits} of 100");
    }
}
