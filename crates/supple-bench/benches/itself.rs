//! A character against itself: the library, and the opponent with the same pairs left out.

use std::sync::Arc;

use glam::{Affine3A, Vec4};
use supple::{Body, Isometry, JointId, Model, Pose, SelfFilter, Shape, Skinning, self_collide_into};
use supple_bench::clock::microseconds;
use supple_bench::marks::at_least;
use supple_bench::opponent::{Avx2, BoxTree, Kin, Plan, Query, SkinningLoop};
use supple_bench::quartile::lower_quartile;
use supple_bench::targets;
use supple_report::columns::{Columns, number};

use crate::behind::Behind;

/// What the table explains.
pub const EXPLANATION: &str = "One character against itself, us from poses, opponent / supple; then without what happens \
within a joint or between it and its parent";
/// Its columns.
pub const HEADER: [&str; 10] =
    ["character", "pairs", "supple", "opponent", "ratio", "target", "pairs", "supple", "opponent", "ratio"];

/// Both sides on one character.
pub struct AgainstItself<'m> {
    model: &'m Model,
    body: Body,
    skinning: SkinningLoop,
    skinned: Vec<Vec4>,
    tree: BoxTree,
    query: Query,
    kin: Kin,
    owners: Vec<JointId>,
    relatives: Vec<bool>,
}

/// Sums over frames of times, and pairs.
#[derive(Clone, Copy, Default)]
struct Sums {
    pairs: usize,
    ours: f64,
    rival: f64,
}

impl<'m> AgainstItself<'m> {
    /// A body, and an opponent's tree that is built for a pose.
    pub fn new(avx2: Avx2, shape: &'m Arc<Shape>, pose: &Pose) -> Self {
        let model = &**shape.model();
        let triangles = model.mesh().triangles();
        let posed = model.posed(pose, Skinning::Linear).expect("clips have poses that fit").positions();
        let plan = Plan::new(avx2, triangles, &posed);
        let skinning = SkinningLoop::new(avx2, model, &plan.ranks(triangles, posed.len()));
        let welded = model.welded_vertices();
        let (joints, parents) = (model.skeleton().joints(), model.skeleton().nodes_of_parents());
        let related = |a: usize, b: usize| {
            joints[a].node == joints[b].node
                || parents[a] == Some(joints[b].node)
                || parents[b] == Some(joints[a].node)
        };
        let count = joints.len();
        let tree = plan.build(triangles, skinning.entry_of_vertex(), skinning.entries());
        let welded: Vec<_> = triangles.iter().map(|t| t.map(|vertex| welded[vertex as usize])).collect();
        Self {
            model,
            body: Body::new(shape, Skinning::Linear).expect("rest poses are finite"),
            skinned: vec![Vec4::ZERO; skinning.entries()],
            kin: Kin::new(&tree, &welded),
            tree,
            skinning,
            query: Query::default(),
            owners: (0..triangles.len() as u32).map(|t| model.owning_joint(t)).collect(),
            relatives: (0..count * count).map(|pair| related(pair / count, pair % count)).collect(),
        }
    }

    /// Runs both sides on all poses, and adds a row.
    pub fn run(
        &mut self,
        name: &str,
        poses: &[Pose],
        rounds: usize,
        table: &mut Columns,
        behind: &mut Behind,
    ) {
        let mut cells = vec![name.to_owned()];
        for filtered in [false, true] {
            let mut sums = Sums::default();
            for pose in poses {
                self.frame(pose, filtered, rounds, &mut sums);
            }
            let count = poses.len() as f64;
            cells.extend([sums.pairs as f64, sums.ours, sums.rival].map(|sum| number(sum / count)));
            let ratio = sums.rival / sums.ours;
            if filtered {
                cells.push(number(ratio));
                behind.look("against itself, without creases", name, ratio);
            } else {
                cells.extend(at_least(ratio, targets::against_itself(self.model.mesh().triangles().len())));
                behind.look("against itself", name, ratio);
            }
        }
        table.row(cells);
    }

    fn frame(&mut self, pose: &Pose, filtered: bool, rounds: usize, sums: &mut Sums) {
        let filter = if filtered { SelfFilter::default().without_creases() } else { SelfFilter::default() };
        let posed = self.model.posed(pose, Skinning::Linear).expect("clips have poses that fit").positions();
        for (&entry, position) in self.skinning.entry_of_vertex().iter().zip(&posed) {
            self.tree.positions_mut()[entry as usize] = position.extend(0.0);
        }
        let (mut ours, mut rival) = (Vec::new(), Vec::new());
        let (mut pairs, mut rival_pairs) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            // Each once before it is timed, as the other has just swept the caches.
            self.ours(pose, &filter, &mut pairs);
            ours.push(microseconds(|| self.ours(pose, &filter, &mut pairs)).0);
            self.rival(pose, filtered, &mut rival_pairs);
            rival.push(microseconds(|| self.rival(pose, filtered, &mut rival_pairs)).0);
            assert!(pairs == rival_pairs, "the opponent finds other pairs");
        }
        sums.pairs += pairs.len();
        sums.ours += lower_quartile(ours);
        sums.rival += lower_quartile(rival);
    }

    fn ours(&mut self, pose: &Pose, filter: &SelfFilter, pairs: &mut Vec<[u32; 2]>) {
        self.body.set_pose(pose).expect("clips have poses that fit");
        self_collide_into(&mut self.body, filter, pairs).expect("it names no joints");
    }

    /// The skinned positions are thrown away, as in collisions of two: all sides must give the same answers.
    fn rival(&mut self, pose: &Pose, filtered: bool, pairs: &mut Vec<[u32; 2]>) {
        let matrices: Vec<Affine3A> = self
            .model
            .skeleton()
            .joint_matrices(pose, Isometry::IDENTITY)
            .expect("clips have poses that fit");
        self.skinning.run(&matrices, &mut self.skinned);
        std::hint::black_box(&mut self.skinned);
        self.tree.refit();
        let (owners, relatives) = (&self.owners, &self.relatives);
        let joints = self.model.skeleton().joints().len();
        let wanted = |a: u32, b: u32| {
            !filtered || !relatives[owners[a as usize].0 as usize * joints + owners[b as usize].0 as usize]
        };
        self.query.self_pairs(&mut self.tree, &self.kin, wanted, pairs);
    }
}
