//! Balls thrown at the curtain, frame by frame: bounds on demand against all vertices posed and all bounds refitted from below.
//!
//! In: a world of the curtain. Out: tests, refits and times of both. Must hold: both find the same contacts in every frame.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, Table 2, whose "layered" hierarchy is refitted from below in every frame. There it is made
//! of spheres; here both sides use the library's own tree and bounds. `supple-lab reproduce bd-tree` has the paper's spheres.

use std::time::{Duration, Instant};

use supple::{Body, QueryStats, Skinning, TriangleContact, VertexUpdate, sphere_triangle_contacts};

use crate::backdrop::Backdrop;
use crate::error::DropError;
use crate::world::World;

/// Frames of the paper's animation, and how many of them there are in a second.
pub const FRAMES: usize = 110;
const FRAMES_PER_SECOND: f64 = 30.0;

/// Each side is asked so often per frame, in turn; the fastest counts.
const ROUNDS: usize = 3;

/// What one side took for all frames.
#[derive(Clone, Copy, Debug, Default)]
pub struct Side {
    /// Pairs of bounds compared.
    pub tests: u64,
    /// Bounds computed.
    pub refits: u64,
    /// Vertices posed.
    pub vertices: u64,
    /// To pose the curtain and find the contacts.
    pub time: Duration,
}

/// Both sides over the same frames.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contest {
    /// How many frames.
    pub frames: usize,
    /// In how many of them a ball reached the curtain.
    pub touching: usize,
    /// Bounds on demand, straight from the fields.
    pub on_demand: Side,
    /// All vertices posed, then all bounds from below.
    pub layered: Side,
}

impl World {
    /// Plays on to so many frames and asks in each what reaches the backdrop, both ways. Nothing is asked without a backdrop.
    ///
    /// # Errors
    /// Like [`step`](Self::step).
    pub fn contest(&mut self, frames: usize) -> Result<Contest, DropError> {
        let Some(backdrop) = self.cast().backdrop().cloned() else { return Ok(Contest::default()) };
        let mut asked = Asked::new(&backdrop)?;
        let mut contest = Contest { frames, ..Contest::default() };
        let start = self.time();
        for frame in 0..frames {
            while self.time() < start + frame as f64 / FRAMES_PER_SECOND {
                self.step()?;
            }
            let touching = asked.frame(self, &backdrop, &mut contest)?;
            contest.touching += usize::from(touching);
        }
        Ok(contest)
    }
}

/// Bodies that are asked, apart from those of the world.
struct Asked {
    on_demand: Body,
    layered: Body,
    positions: Vec<glam::Vec3>,
}

impl Asked {
    fn new(backdrop: &Backdrop) -> Result<Self, DropError> {
        let body = Body::new(backdrop.shape(), Skinning::Linear)?;
        let positions = backdrop.model().mesh().positions().to_vec();
        Ok(Self { layered: body.clone(), on_demand: body, positions })
    }

    /// Asks one frame both ways; whether anything touches.
    fn frame(
        &mut self,
        world: &World,
        backdrop: &Backdrop,
        contest: &mut Contest,
    ) -> Result<bool, DropError> {
        let prop = world.cast().prop();
        let mut bodies = Vec::new();
        for state in world.states() {
            let mut body = Body::new(prop.shape(), Skinning::Linear)?;
            body.place(state.placement(prop))?;
            bodies.push(body);
        }
        let pose = supple::Pose {
            coefficients: backdrop.coefficients_at(world.time()),
            ..backdrop.model().rest_pose()
        };
        let mut best = [Duration::MAX; 2];
        let mut found: [(Vec<TriangleContact>, QueryStats); 2] = Default::default();
        for _ in 0..ROUNDS {
            let clock = Instant::now();
            self.on_demand.set_pose(&pose)?;
            found[0] = reached(&mut bodies, prop.level(), &mut self.on_demand);
            best[0] = best[0].min(clock.elapsed());
            let clock = Instant::now();
            backdrop.model().posed(&pose, Skinning::Linear)?.positions_into(&mut self.positions);
            // Posed vertices are finite, and one per vertex.
            self.layered.set_vertices(&self.positions, VertexUpdate::BottomUp).expect("posed vertices fit");
            found[1] = reached(&mut bodies, prop.level(), &mut self.layered);
            best[1] = best[1].min(clock.elapsed());
        }
        assert_eq!(found[0].0, found[1].0, "both ways find the same contacts");
        for ((side, (_, stats)), time) in
            [&mut contest.on_demand, &mut contest.layered].into_iter().zip(&found).zip(best)
        {
            side.tests += stats.node_visits;
            side.refits += stats.refits;
            side.time += time;
        }
        contest.on_demand.vertices += found[0].1.vertices_deformed;
        // Its walk poses none: all were given.
        contest.layered.vertices += self.positions.len() as u64;
        Ok(!found[0].0.is_empty())
    }
}

/// Contacts of all bodies with the backdrop.
fn reached(bodies: &mut [Body], level: usize, backdrop: &mut Body) -> (Vec<TriangleContact>, QueryStats) {
    let (mut all, mut stats, mut contacts) = (Vec::new(), QueryStats::default(), Vec::new());
    for body in bodies {
        stats += ball_triangle_contacts(body, level, backdrop, &mut contacts);
        all.extend_from_slice(&contacts);
    }
    (all, stats)
}
