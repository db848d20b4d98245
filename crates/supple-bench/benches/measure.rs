//! Runs all sides on the frames of a path, and makes sure that their answers are equal.
//!
//! Sides take turns in each round, so that a slow moment of the machine hits all. Each is run once before it is timed:
//! the others have just swept the caches, and which side stands first must not matter. The body's own cache is never
//! warm: a pose is set anew before every query.

use std::sync::Arc;

use glam::Vec3;
use supple::{Model, Pair, QueryStats, Shape, Skinning};
use supple_bench::clock::microseconds;
use supple_bench::opponent::Avx2;
use supple_bench::quartile::lower_quartile;
use supple_bench::workload::{Class, Frame};

use crate::ours::{Given, Ours, check_first, hierarchy};
use crate::parts::{PARTS, Part, Rounds, parts_of};
use crate::peers::{self, Peer};
use crate::rival::{Rival, TwoTrees};

/// Peers are slow and only shown beside: fewer rounds do.
const PEER_ROUNDS: usize = 3;

/// A frame in numbers.
pub struct Measured {
    /// How much the characters touch, linearly skinned.
    pub class: Class,
    /// Microseconds of each part.
    pub times: [f64; PARTS],
    /// Whether the pair of the frame before, if there was one, was near one of this frame.
    pub hint_was_right: Option<bool>,
    /// What each peer took.
    pub peers: Vec<PeerTimes>,
    /// Counters of first contact and all pairs.
    pub stats: [QueryStats; 2],
    /// The same with perfect bounds.
    pub exact_stats: [QueryStats; 2],
    /// Bytes of one body.
    pub bytes: usize,
}

/// A peer on a frame.
pub struct PeerTimes {
    /// Microseconds of refit, first contact and all pairs.
    pub times: [f64; 3],
    /// Whether it finds other pairs.
    pub differs: bool,
}

/// A character with all sides that run on it.
pub struct Contest<'m> {
    model: &'m Model,
    avx2: Avx2,
    ours: [Ours; 3],
    from_matrices: Ours,
    /// Its memory is not counted.
    exact: Ours,
    rival: Rival,
    peers: Vec<Box<dyn Peer>>,
    /// First contact of the last frame.
    last: Option<Pair>,
    /// What pose the opponent's tree is built for.
    pub rival_built_for: &'static str,
}

impl<'m> Contest<'m> {
    /// Prepares all sides. The opponent's tree is built for the rest pose or for a frame in the middle, whichever is
    /// faster on some of the frames.
    pub fn new(avx2: Avx2, shape: &'m Arc<Shape>, frames: &[Frame]) -> Self {
        let model = &**shape.model();
        let posed = |frame: &Frame| Given::new(model, frame).positions(model, Skinning::Linear);
        let probes: Vec<_> = frames.iter().step_by(frames.len().div_ceil(10)).map(posed).collect();
        let [middle, _] = posed(&frames[frames.len() / 2]);
        let rest =
            model.posed(&model.rest_pose(), Skinning::Linear).expect("rest poses are finite").positions();
        let mut candidates =
            [("rest", Rival::new(avx2, model, &rest)), ("clip", Rival::new(avx2, model, &middle))];
        let times = candidates.each_mut().map(|(_, rival)| rival.probe(&probes));
        let [at_rest, in_clip] = candidates;
        let (rival_built_for, rival, pose) =
            if times[0] <= times[1] { (at_rest.0, at_rest.1, rest) } else { (in_clip.0, in_clip.1, middle) };
        let peers = peers::all(model, &pose);
        let ours = Skinning::ALL.map(|skinning| Ours::new(shape, skinning));
        let [from_matrices, exact] = [0, 1].map(|_| Ours::new(shape, Skinning::Linear));
        Self { model, avx2, ours, from_matrices, exact, rival, peers, last: None, rival_built_for }
    }

    /// Runs all sides on a frame.
    pub fn run(&mut self, frame: &Frame, rounds: usize) -> Measured {
        let given = &Given::new(self.model, frame);
        let still = frame.pose_a.coefficients.iter().chain(&frame.pose_b.coefficients).all(|&c| c == 0.0);
        assert!(still, "the opponent only skins");
        // Linear last, so that the opponent keeps its positions.
        for skinning in Skinning::ALL.into_iter().rev() {
            self.check(given, skinning);
        }
        let (pairs, stats) = self.ours[0].answers(|ours| ours.set_pose(given));
        let hint = self.last;
        let near = hint.map(|last| self.ours[0].near(last, given, &pairs));
        self.last = near.map_or_else(|| pairs.first().copied(), |(found, _)| found);
        assert!(self.from_matrices.answers(|ours| ours.set_matrices(given)).0 == pairs, "from matrices");
        let positions = &given.positions(self.model, Skinning::Linear);
        self.rival.check_skinning(&given.matrices, positions);
        let differs: Vec<bool> =
            self.peers.iter_mut().map(|peer| differs(&mut **peer, positions, &pairs)).collect();
        let mut limit = TwoTrees::built_for(self.avx2, self.model, positions);
        assert!(limit.all_pairs() == pairs, "the limit finds other pairs");
        check_first(limit.first_contact(), &pairs);

        let mut times = Rounds::new();
        let mut peer_rounds = vec![[const { Vec::new() }; 3]; self.peers.len()];
        for round in 0..rounds {
            self.round(given, &mut limit, &mut times);
            if let Some(last) = hint {
                self.ours[0].time_near(&mut times, last, given);
            }
            if round < PEER_ROUNDS {
                for (peer, times) in self.peers.iter_mut().zip(&mut peer_rounds) {
                    peer_round(&mut **peer, positions, times);
                }
            }
        }
        let peers = peer_rounds
            .into_iter()
            .zip(differs)
            .map(|(rounds, differs)| PeerTimes { times: rounds.map(lower_quartile), differs });
        let bytes = self.ours[0].memory_bytes();
        let exact_stats = self.exact.with_exact_bounds(given);
        Measured {
            class: Class::of(pairs.len()),
            times: times.quartiles(),
            hint_was_right: near.map(|(_, right)| right),
            peers: peers.collect(),
            stats,
            exact_stats,
            bytes,
        }
    }

    /// The library and the opponent agree on all pairs.
    fn check(&mut self, given: &Given, skinning: Skinning) {
        let index = Skinning::ALL.iter().position(|&s| s == skinning).expect("it is one of all");
        let (pairs, _) = self.ours[index].answers(|ours| ours.set_pose(given));
        self.rival.take(&given.positions(self.model, skinning));
        self.rival.trees.refit();
        assert!(self.rival.trees.all_pairs() == pairs, "the opponent finds other pairs, {}", skinning.name());
        check_first(self.rival.trees.first_contact(), &pairs);
    }

    fn round(&mut self, given: &Given, limit: &mut TwoTrees, times: &mut Rounds) {
        for (ours, skinning) in self.ours.iter_mut().zip(Skinning::ALL) {
            ours.time(times, parts_of(skinning), given);
        }
        self.from_matrices.set_matrices(given);
        times.note(Part::SetMatrices, microseconds(|| self.from_matrices.set_matrices(given)));

        let rival = &mut self.rival;
        let make_matrices = || hierarchy(self.model, given.poses, given.placements);
        std::hint::black_box(make_matrices());
        times.note(Part::Hierarchy, microseconds(make_matrices));
        rival.skin(&given.matrices);
        times.note(Part::Skin, microseconds(|| rival.skin(&given.matrices)));
        rival.trees.refit();
        rival.trees.first_contact();
        times.note(Part::Refit, microseconds(|| rival.trees.refit()));
        times.note(Part::OpponentFirst, microseconds(|| rival.trees.first_contact()));
        rival.trees.refit();
        rival.trees.all_pairs();
        rival.trees.refit();
        times.note(Part::OpponentAll, microseconds(|| rival.trees.all_pairs().len()));

        limit.first_contact();
        times.note(Part::LimitFirst, microseconds(|| limit.first_contact()));
        limit.all_pairs();
        times.note(Part::LimitAll, microseconds(|| limit.all_pairs().len()));
    }

    /// Names of the peers.
    pub fn peer_names(&self) -> Vec<&'static str> {
        self.peers.iter().map(|peer| peer.name()).collect()
    }

    /// How many pairs of triangles touch in a frame.
    pub fn pairs(&mut self, frame: &Frame) -> usize {
        self.rival.take(&Given::new(self.model, frame).positions(self.model, Skinning::Linear));
        self.rival.trees.refit();
        self.rival.trees.all_pairs().len()
    }
}

/// Whether a peer finds other pairs; only those that are not exact may.
fn differs(peer: &mut dyn Peer, positions: &[Vec<Vec3>; 2], pairs: &[[u32; 2]]) -> bool {
    peer.refit(positions);
    let differs = peer.all_pairs() != pairs;
    assert!(!(differs && peer.exact()), "{} finds other pairs", peer.name());
    if !differs {
        check_first(peer.first_contact(), pairs);
    }
    differs
}

/// Refit, first contact and all pairs of a peer.
fn peer_round(peer: &mut dyn Peer, positions: &[Vec<Vec3>; 2], times: &mut [Vec<f64>; 3]) {
    peer.refit(positions);
    times[0].push(microseconds(|| peer.refit(positions)).0);
    peer.first_contact();
    times[1].push(microseconds(|| peer.first_contact()).0);
    peer.all_pairs();
    times[2].push(microseconds(|| peer.all_pairs().len()).0);
}
