//! What a program does that has no supple: it bakes. All vertices of both bodies are deformed, all boxes of the same trees are
//! made to fit them, and the same question is asked.
//!
//! In: a meeting whose motions are sampled. Out: how long that takes, and whether the answer is the same.

use std::time::Instant;

use anyhow::Context;
use glam::Vec3;
use supple::{Body, VertexUpdate};

use super::actor::Actor;
use super::meeting::{Meeting, Wanted};
use super::play::asked;
use crate::failure::{Blame, Failure, OrBlame, failed_check};
use crate::one_thread::on_one_thread;

/// Bodies that are given vertices.
#[derive(Debug)]
pub struct Baked {
    pub bodies: [Body; 2],
    positions: [Vec<Vec3>; 2],
}

impl Baked {
    /// Bodies like those of a meeting.
    pub fn new(meeting: &Meeting) -> Result<Self, Failure> {
        let body = |actor: &Actor| {
            Body::new(actor.body.shape(), actor.body.skinning())
                .with_context(|| actor.file.clone())
                .or_blame(Blame::Input)
        };
        let positions = |actor: &Actor| vec![Vec3::ZERO; actor.body.shape().model().mesh().positions().len()];
        Ok(Self {
            bodies: [body(&meeting.a)?, body(&meeting.b)?],
            positions: [positions(&meeting.a), positions(&meeting.b)],
        })
    }

    /// Microseconds from the sampled poses to the answer; on one thread, as queries are.
    ///
    /// # Errors
    /// The answer is not `found`.
    pub fn ask(&mut self, meeting: &Meeting, found: &[[u32; 2]]) -> Result<f64, Failure> {
        let (microseconds, pairs) = on_one_thread(|| {
            let start = Instant::now();
            self.bake(meeting, &[0, 1])?;
            let [a, b] = &mut self.bodies;
            let (pairs, _) = asked(meeting.wanted, a, b);
            Ok((start.elapsed().as_secs_f64() * 1e6, pairs))
        })?;
        let same = match meeting.wanted {
            Wanted::AllPairs => pairs == found,
            Wanted::FirstPair => pairs.is_empty() == found.is_empty(),
        };
        if same { Ok(microseconds) } else { Err(failed_check("baked vertices give other pairs")) }
    }

    /// Deforms all vertices of these sides (0 is A, 1 is B) in their sampled poses and hands them to the bodies.
    pub fn bake(&mut self, meeting: &Meeting, sides: &[usize]) -> Result<(), Failure> {
        for &side in sides {
            let actor = [&meeting.a, &meeting.b][side];
            let positions = &mut self.positions[side];
            actor.deform_all(positions)?;
            self.bodies[side]
                .set_vertices(positions, VertexUpdate::BottomUp)
                .with_context(|| actor.file.clone())
                .or_blame(Blame::Input)?;
        }
        Ok(())
    }
}
