//! The opponent with its two instances, on whole frames.

use glam::{Affine3A, Vec3, Vec4};
use supple::{Model, Ray, RayHit};
use supple_bench::clock::microseconds;
use supple_bench::opponent::{Avx2, BoxTree, Plan, Query, RayQuery, SkinningLoop};

/// A skinning loop and two trees.
pub struct Rival {
    skinning: SkinningLoop,
    skinned: Vec<Vec4>,
    /// Of the two instances.
    pub trees: TwoTrees,
}

impl Rival {
    /// An opponent whose tree is built for a pose.
    pub fn new(avx2: Avx2, model: &Model, pose: &[Vec3]) -> Self {
        let triangles = model.mesh().triangles();
        let plan = Plan::new(avx2, triangles, pose);
        let skinning = SkinningLoop::new(avx2, model, &plan.ranks(triangles, pose.len()));
        let tree = plan.build(triangles, skinning.entry_of_vertex(), skinning.entries());
        Self {
            skinned: vec![Vec4::ZERO; skinning.entries()],
            skinning,
            trees: TwoTrees::new([tree.clone(), tree]),
        }
    }

    /// Skins the instances. The result is thrown away: fused multiply-add gives other bits than the library, and all
    /// sides must give the same answers, so refits read what [`take`](Self::take) was given.
    pub fn skin(&mut self, matrices: &[Vec<Affine3A>]) {
        for own in matrices {
            self.skinning.run(own, &mut self.skinned);
            std::hint::black_box(&mut self.skinned);
        }
    }

    /// The loop must compute what the library does, up to rounding: a wrong one could be fast.
    pub fn check_skinning(&mut self, matrices: &[Vec<Affine3A>], positions: &[Vec<Vec3>]) {
        for (own, expected) in matrices.iter().zip(positions) {
            self.skinning.run(own, &mut self.skinned);
            let size = expected.iter().fold(0.0f32, |size, p| size.max(p.abs().max_element()));
            for (&entry, expected) in self.skinning.entry_of_vertex().iter().zip(expected) {
                let off = self.skinned[entry as usize].truncate().distance(*expected);
                assert!(off <= 1e-5 * size, "the opponent's skinning is off by {off}");
            }
        }
    }

    /// Takes the library's positions of the instances.
    pub fn take(&mut self, positions: &[Vec<Vec3>]) {
        for (tree, positions) in self.trees.trees.iter_mut().zip(positions) {
            let entries = tree.positions_mut();
            for (&entry, position) in self.skinning.entry_of_vertex().iter().zip(positions) {
                entries[entry as usize] = position.extend(0.0);
            }
        }
    }

    /// How long refits and queries take on some frames.
    pub fn probe(&mut self, frames: &[[Vec<Vec3>; 2]]) -> f64 {
        let mut once = |positions: &[Vec<Vec3>; 2]| {
            self.take(positions);
            let run = |trees: &mut TwoTrees| {
                trees.refit();
                trees.first_contact();
                trees.all_pairs();
            };
            // The least of several: the two candidates are often within a tenth of each other.
            (0..7).map(|_| microseconds(|| run(&mut self.trees)).0).fold(f64::INFINITY, f64::min)
        };
        frames.iter().map(&mut once).sum()
    }
}

/// Two trees that are asked together, and lists that keep their memory.
pub struct TwoTrees {
    trees: [BoxTree; 2],
    query: Query,
    ray_query: RayQuery,
    pairs: Vec<[u32; 2]>,
}

impl TwoTrees {
    fn new(trees: [BoxTree; 2]) -> Self {
        Self { trees, query: Query::default(), ray_query: RayQuery::default(), pairs: Vec::new() }
    }

    /// The limit: trees that are built for the very positions of a frame.
    pub fn built_for(avx2: Avx2, model: &Model, positions: &[Vec<Vec3>; 2]) -> Self {
        let triangles = model.mesh().triangles();
        Self::new(positions.each_ref().map(|positions| {
            let plan = Plan::new(avx2, triangles, positions);
            let entries = plan.ranks(triangles, positions.len());
            // Vertices of no triangle have no rank; nobody asks for them.
            let entries: Vec<u32> = entries.iter().map(|&s| if s == u32::MAX { 0 } else { s }).collect();
            let mut tree = plan.build(triangles, &entries, positions.len());
            for &vertex in triangles.as_flattened() {
                let entry = entries[vertex as usize] as usize;
                tree.positions_mut()[entry] = positions[vertex as usize].extend(0.0);
            }
            tree.refit();
            tree
        }))
    }

    /// Refits both trees.
    pub fn refit(&mut self) {
        self.trees.iter_mut().for_each(BoxTree::refit);
    }

    /// Refits the first one.
    pub fn refit_first(&mut self) {
        self.trees[0].refit();
    }

    /// First hits of rays on the first one.
    pub fn cast_rays(&mut self, rays: &[Ray], hits: &mut Vec<Option<RayHit>>) {
        hits.clear();
        hits.extend(rays.iter().map(|&ray| self.ray_query.cast_ray(&mut self.trees[0], ray)));
    }

    /// Some touching pair.
    pub fn first_contact(&mut self) -> Option<[u32; 2]> {
        let [a, b] = &mut self.trees;
        self.query.first_contact(a, b)
    }

    /// All touching pairs.
    pub fn all_pairs(&mut self) -> &[[u32; 2]] {
        let [a, b] = &mut self.trees;
        self.query.all_pairs(a, b, &mut self.pairs);
        &self.pairs
    }
}
