//! A contest: several ways to answer the same collision queries, frame by frame.
//!
//! In: frames, and sides that each have bodies of their own. Out: per side the time of every frame and counters.
//! Must hold: all sides find the same pairs on every frame, or the contest panics; a side sets its poses anew each time, so nothing of an
//! earlier answer is left.

use std::sync::Arc;

use supple::rest::Rest;
use supple::{
    Body, Isometry, Model, Pose, QueryStats, Shape, Skinning, VertexUpdate, collide_any, collide_into,
};
use supple_papers::{Method, Tree, Volume, Walk};
use supple_report::clock::{median, microseconds};

/// Poses and placements of all bodies.
#[derive(Clone, Debug)]
pub struct Frame {
    /// One per body.
    pub poses: Vec<Pose>,
    /// One per body.
    pub placements: Vec<Isometry>,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All pairs of touching triangles.
    All,
    /// Whether two bodies touch: one pair is enough.
    Any,
}

/// What a side found for one frame.
#[derive(Clone, Debug, Default)]
pub struct FrameAnswer {
    /// Touching pairs of triangles, by pair of bodies.
    pub pairs: Vec<[u32; 2]>,
    /// Whether each pair of bodies touches.
    pub touching: Vec<bool>,
    /// Counters.
    pub stats: QueryStats,
}

/// Answers frames.
pub trait Side {
    /// What it is called.
    fn name(&self) -> &str;
    /// Poses its bodies and asks all pairs of them.
    fn answer(&mut self, frame: &Frame, wanted: Wanted) -> FrameAnswer;
}

/// What came of one side.
#[derive(Clone, Debug)]
pub struct Result {
    /// Of the side.
    pub name: String,
    /// Microseconds per frame: medians over the rounds.
    pub times: Vec<f64>,
    /// Counters of all frames together.
    pub stats: QueryStats,
    /// Touching pairs per frame; where any is wanted, whether there was one.
    pub pairs: Vec<usize>,
}

impl Result {
    /// Microseconds of all frames together.
    pub fn total(&self) -> f64 {
        self.times.iter().sum()
    }

    /// Mean of a frame in microseconds.
    pub fn mean(&self) -> f64 {
        self.total() / self.times.len() as f64
    }
}

/// Lets all sides answer all frames in turns, `rounds` times after one that is not timed, and compares their answers.
///
/// # Panics
/// Two sides disagree.
pub fn contest(sides: &mut [&mut dyn Side], frames: &[Frame], wanted: Wanted, rounds: usize) -> Vec<Result> {
    let mut results: Vec<Result> = sides
        .iter()
        .map(|side| Result {
            name: side.name().to_owned(),
            times: Vec::new(),
            stats: QueryStats::default(),
            pairs: Vec::new(),
        })
        .collect();
    for (number, frame) in frames.iter().enumerate() {
        let mut expected: Option<FrameAnswer> = None;
        let mut times = vec![Vec::with_capacity(rounds); sides.len()];
        for round in 0..=rounds {
            for (index, side) in sides.iter_mut().enumerate() {
                let (time, answer) = microseconds(|| side.answer(frame, wanted));
                if round > 0 {
                    times[index].push(time);
                    continue;
                }
                results[index].stats += answer.stats;
                results[index].pairs.push(match wanted {
                    Wanted::All => answer.pairs.len(),
                    Wanted::Any => answer.touching.iter().filter(|&&touches| touches).count(),
                });
                let first = expected.get_or_insert_with(|| answer.clone());
                let same = first.touching == answer.touching
                    && (wanted == Wanted::Any || first.pairs == answer.pairs);
                assert!(same, "{} disagrees with {} on frame {number}", results[index].name, results[0].name);
            }
        }
        for (result, times) in results.iter_mut().zip(times) {
            result.times.push(median(times));
        }
    }
    results
}

/// The papers' engine.
pub struct Reference<V: Volume> {
    name: String,
    bodies: Vec<supple_papers::Body<V>>,
    /// How trees are walked.
    pub frame_stamps: bool,
}

impl<V: Volume> Reference<V> {
    /// A number of bodies of a model, all alike.
    pub fn new(
        name: impl Into<String>,
        model: &Arc<Model>,
        skinning: Skinning,
        tree: Tree,
        method: Method,
        count: usize,
    ) -> Self {
        Self::of(name, vec![reference_body(model, skinning, tree, method); count])
    }

    /// These bodies.
    pub fn of(name: impl Into<String>, bodies: Vec<supple_papers::Body<V>>) -> Self {
        Self { name: name.into(), bodies, frame_stamps: true }
    }
}

/// A body of the papers' engine at rest.
pub fn reference_body<V: Volume>(
    model: &Arc<Model>,
    skinning: Skinning,
    tree: Tree,
    method: Method,
) -> supple_papers::Body<V> {
    let shape = supple_papers::Shape::<V>::new(model, skinning, tree, method).expect("the method applies");
    supple_papers::Body::new(&Arc::new(shape)).expect("joints at rest are rigid")
}

impl<V: Volume> Side for Reference<V> {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&mut self, frame: &Frame, wanted: Wanted) -> FrameAnswer {
        for (body, (pose, placement)) in self.bodies.iter_mut().zip(frame.poses.iter().zip(&frame.placements))
        {
            body.set_pose(pose, placement).expect("the pose fits");
        }
        let walk = Walk { first: wanted == Wanted::Any, frame_stamps: self.frame_stamps };
        all_pairs(&mut self.bodies, |a, b, answer| {
            let (pairs, stats) = supple_papers::collide(a, b, walk);
            answer.touching.push(!pairs.is_empty());
            answer.pairs.extend(pairs);
            answer.stats += stats;
        })
    }
}

/// The library: on demand from poses, or from all vertices by one of the classic updates.
pub struct Library {
    name: String,
    bodies: Vec<Body>,
    update: Option<VertexUpdate>,
    /// Posed vertices of one body.
    positions: Vec<glam::Vec3>,
}

impl Library {
    /// A number of bodies, posed by joints and coefficients; with an update, by vertices that are computed for every frame.
    pub fn new(
        name: impl Into<String>,
        shape: &Arc<Shape>,
        skinning: Skinning,
        update: Option<VertexUpdate>,
        count: usize,
    ) -> Self {
        let body = Body::new(shape, skinning).expect("the rest pose fits");
        Self::of(name, vec![body; count], update)
    }

    /// These bodies. What is rigid is posed by its joint in any case.
    pub fn of(name: impl Into<String>, bodies: Vec<Body>, update: Option<VertexUpdate>) -> Self {
        Self { name: name.into(), bodies, update, positions: Vec::new() }
    }
}

impl Side for Library {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&mut self, frame: &Frame, wanted: Wanted) -> FrameAnswer {
        for (body, (pose, placement)) in self.bodies.iter_mut().zip(frame.poses.iter().zip(&frame.placements))
        {
            let shape = Arc::clone(body.shape());
            let model = shape.model();
            let rigid = matches!(model.rest(), Rest::Plain) && model.skin().joint_count() == 1;
            match self.update.filter(|_| !rigid) {
                None => body.set_pose_at(pose, *placement).expect("the pose fits"),
                Some(update) => {
                    let posed = model.posed_at(pose, body.skinning(), *placement).expect("the pose fits");
                    self.positions.resize(model.mesh().positions().len(), glam::Vec3::ZERO);
                    posed.positions_into(&mut self.positions);
                    body.set_vertices(&self.positions, update).expect("posed vertices are finite");
                }
            }
        }
        let mut pairs = Vec::new();
        all_pairs(&mut self.bodies, |a, b, answer| match wanted {
            Wanted::All => {
                answer.stats += collide_into(a, b, &mut pairs);
                answer.touching.push(!pairs.is_empty());
                answer.pairs.extend(&pairs);
            }
            Wanted::Any => {
                let any = collide_any(a, b);
                answer.stats += any.stats;
                answer.touching.push(any.found.is_some());
            }
        })
    }
}

fn all_pairs<B>(bodies: &mut [B], mut ask: impl FnMut(&mut B, &mut B, &mut FrameAnswer)) -> FrameAnswer {
    let mut answer = FrameAnswer::default();
    for second in 1..bodies.len() {
        let (before, after) = bodies.split_at_mut(second);
        before.iter_mut().for_each(|first| ask(first, &mut after[0], &mut answer));
    }
    answer
}
