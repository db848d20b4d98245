//! The library with two bodies, on whole frames.

use std::sync::Arc;

use glam::{Affine3A, Vec3};
use supple::refit::bound_exactly;
use supple::{
    Answer, Body, Isometry, Model, Pair, Pose, PosedModel, QueryStats, Shape, Skinning, collide_any,
    collide_any_near, collide_into,
};
use supple_bench::clock::microseconds;
use supple_bench::workload::Frame;

use crate::parts::{Part, Rounds};

/// What all sides are given for a frame.
pub struct Given<'f> {
    pub poses: [&'f Pose; 2],
    pub placements: [Isometry; 2],
    pub matrices: [Vec<Affine3A>; 2],
}

impl<'f> Given<'f> {
    /// Everything of a frame that is not timed.
    pub fn new(model: &Model, frame: &'f Frame) -> Self {
        let (poses, placements) = ([&frame.pose_a, &frame.pose_b], [Isometry::IDENTITY, frame.placement_b]);
        Self { matrices: hierarchy(model, poses, placements), poses, placements }
    }

    /// The library's positions.
    pub fn positions(&self, model: &Model, skinning: Skinning) -> [Vec<Vec3>; 2] {
        [0, 1].map(|i| {
            let posed = PosedModel::new(model, skinning, &self.matrices[i], &self.poses[i].coefficients);
            posed.expect("clips have poses that fit").positions()
        })
    }
}

/// Joint matrices of all instances, by the library's own skeleton.
pub fn hierarchy<const N: usize>(
    model: &Model,
    poses: [&Pose; N],
    placements: [Isometry; N],
) -> [Vec<Affine3A>; N] {
    std::array::from_fn(|i| {
        model.skeleton().joint_matrices(poses[i], placements[i]).expect("clips have poses that fit")
    })
}

/// Two bodies of the library.
pub struct Ours {
    bodies: [Body; 2],
    pairs: Vec<[u32; 2]>,
}

impl Ours {
    /// Two bodies of a shape.
    pub fn new(shape: &Arc<Shape>, skinning: Skinning) -> Self {
        let body = Body::new(shape, skinning).expect("rest poses are finite");
        Self { bodies: [body.clone(), body], pairs: Vec::new() }
    }

    /// From poses.
    pub fn set_pose(&mut self, given: &Given) {
        for (i, body) in self.bodies.iter_mut().enumerate() {
            body.set_pose_at(given.poses[i], given.placements[i]).expect("clips have poses that fit");
        }
    }

    /// From joint matrices, which move the bodies to their placements.
    pub fn set_matrices(&mut self, given: &Given) {
        for (i, body) in self.bodies.iter_mut().enumerate() {
            let coefficients = &given.poses[i].coefficients;
            body.set_joint_matrices(&given.matrices[i], coefficients).expect("clips have poses that fit");
        }
    }

    fn first(&mut self) -> Answer<Option<Pair>> {
        let [a, b] = &mut self.bodies;
        collide_any(a, b)
    }

    fn first_near(&mut self, last: Pair) -> Answer<Option<Pair>> {
        let [a, b] = &mut self.bodies;
        collide_any_near(a, b, last)
    }

    fn all(&mut self) -> QueryStats {
        let [a, b] = &mut self.bodies;
        collide_into(a, b, &mut self.pairs)
    }

    /// Checks the answers of the pose that `set` sets; returns the pairs and counters.
    pub fn answers(&mut self, set: impl Fn(&mut Self)) -> (Vec<[u32; 2]>, [QueryStats; 2]) {
        set(self);
        let first = self.first();
        set(self);
        let all_stats = self.all();
        check_first(first.found, &self.pairs);
        (self.pairs.clone(), [first.stats, all_stats])
    }

    /// A round: setting a pose, first contact, all pairs.
    pub fn time(&mut self, rounds: &mut Rounds, parts: [Part; 3], given: &Given) {
        self.set_pose(given);
        self.first();
        rounds.note(parts[0], microseconds(|| self.set_pose(given)));
        rounds.note(parts[1], microseconds(|| self.first()));
        self.set_pose(given);
        self.all();
        self.set_pose(given);
        rounds.note(parts[2], microseconds(|| self.all()));
        if let Part::All = parts[2] {
            rounds.note(Part::AllAgain, microseconds(|| self.all()));
        }
    }

    /// A round: first contact, looking near that of the frame before.
    pub fn time_near(&mut self, rounds: &mut Rounds, last: Pair, given: &Given) {
        self.set_pose(given);
        self.first_near(last);
        self.set_pose(given);
        rounds.note(Part::FirstNear, microseconds(|| self.first_near(last)));
    }

    /// First contact near that of the frame before, checked against all pairs; and whether nothing else had to be looked at.
    pub fn near(&mut self, last: Pair, given: &Given, pairs: &[Pair]) -> (Option<Pair>, bool) {
        self.set_pose(given);
        let plain = self.first();
        self.set_pose(given);
        let near = self.first_near(last);
        check_first(near.found, pairs);
        // Where the hint is wrong, everything is bounded that the plain query bounds, and more.
        (near.found, near.stats.refits < plain.stats.refits)
    }

    /// Counters of both queries if all bounds were perfect.
    pub fn with_exact_bounds(&mut self, given: &Given) -> [QueryStats; 2] {
        self.set_pose(given);
        self.bodies.iter_mut().for_each(bound_exactly);
        [self.first().stats, self.all()]
    }

    /// Bytes of a body's memory.
    pub fn memory_bytes(&self) -> usize {
        self.bodies.iter().map(Body::memory_bytes).max().unwrap_or(0)
    }
}

/// A first contact is one of the pairs, and there is one if there are pairs.
pub fn check_first(first: Option<[u32; 2]>, pairs: &[[u32; 2]]) {
    assert!(first.map_or(pairs.is_empty(), |pair| pairs.binary_search(&pair).is_ok()), "{first:?} is wrong");
}
