//! A world of bodies that fall, step by step.
//!
//! A step, with the library's part of it:
//!
//! ```text
//! pose    Body::set_pose_at for all bodies: a frame and a few coefficients each
//! near    Scene::pairs: bodies whose bounds overlap
//! touch   Scene::ask_pairs with ball_contacts, ball_plane_contacts, ball_triangle_contacts: bounds are refitted in there
//! kick    weight and impulses change velocities          (response)
//! drift   velocities change places                        (state)
//! ```
//!
//! Must hold: the same cast, count, seed and rate give the same numbers in every bit, on any number of threads.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use supple::{Body, BodyId, Groups, Plane, Pose, QueryStats, Scene, Skinning, sphere_contacts, sphere_plane_contacts, sphere_triangle_contacts};

use crate::error::DropError;
use crate::oscillator::Oscillator;
use crate::response::respond;
use crate::scene_kind::SceneKind;
use crate::scenes::Cast;
use crate::state::{Energy, State};
use crate::statistics::{SAMPLED, Statistics};
use crate::touch::{Group, Touch};

/// m/s^2.
const GRAVITY: f64 = 9.81;

/// Steps per second, if nothing else is said: the paper has 150, which lets a chair fall through a leg's thickness.
pub const STEPS_PER_SECOND: f64 = 300.0;

/// Bodies that fall, and what they fall on.
///
/// ```no_run
/// use supple_drop::{Cast, STEPS_PER_SECOND, SceneKind, World};
///
/// let chairs = Cast::new(SceneKind::Chairs, None)?;
/// let mut world = World::new(&chairs, 12, 0, STEPS_PER_SECOND)?;
/// while world.time() < 2.0 {
///     world.step()?;
/// }
/// println!("{} contacts, {:.1} J left", world.statistics().contacts, world.energy().total());
/// # Ok::<(), supple_drop::DropError>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    cast: Cast,
    states: Vec<State>,
    /// Poses to be overwritten, one per body.
    poses: Vec<Pose>,
    scene: Scene,
    /// Ascending, in the order of the states.
    ids: Vec<BodyId>,
    oscillators: Vec<Oscillator>,
    ground: Plane,
    step: f64,
    statistics: Statistics,
}

/// Whether a scene takes so many bodies, at such a rate.
///
/// # Errors
/// A count or a rate out of range.
pub fn check(scene: SceneKind, count: usize, steps_per_second: f64) -> Result<(), DropError> {
    let most = scene.most();
    if !(1..=most).contains(&count) {
        return Err(DropError::Count { count, scene, most });
    }
    if !(30.0..=10_000.0).contains(&steps_per_second) {
        return Err(DropError::StepRate(steps_per_second));
    }
    Ok(())
}

impl World {
    /// So many bodies of a cast, where a seed puts them.
    ///
    /// # Errors
    /// A count or a rate out of range.
    pub fn new(cast: &Cast, count: usize, seed: u64, steps_per_second: f64) -> Result<Self, DropError> {
        check(cast.kind(), count, steps_per_second)?;
        let step = 1.0 / steps_per_second;
        let prop = &cast.prop;
        let states = cast.states(count, seed);
        let mut scene = Scene::new();
        let body = Body::new(prop.shape(), Skinning::Linear)?;
        let ids = states.iter().map(|_| scene.insert(body.clone(), Groups::ALL)).collect();
        let mut world = Self {
            poses: vec![prop.model().rest_pose(); count],
            oscillators: prop.modes().iter().map(|m| Oscillator::new(m.frequency, m.damping, step)).collect(),
            cast: cast.clone(),
            states,
            scene,
            ids,
            ground: Plane::new(Vec3::Y, 0.0).expect("upwards is a direction"),
            step,
            statistics: Statistics::default(),
        };
        world.pose()?;
        Ok(world)
    }

    /// Takes a step.
    ///
    /// # Errors
    /// A body left the world that f32 can hold; that would be a mistake in here.
    pub fn step(&mut self) -> Result<(), DropError> {
        let start = Instant::now();
        self.pose()?;
        let posed = Instant::now();
        let pairs = self.scene.pairs(|_, _| true);
        let paired = Instant::now();
        let (mut groups, queries) = self.ask(&pairs);
        let asked = Instant::now();
        self.move_on(&mut groups);
        let done = Instant::now();

        let sampled = self.statistics.steps.is_multiple_of(SAMPLED);
        let statistics = &mut self.statistics;
        statistics.posing += posed - start;
        statistics.broad_phase += paired - posed;
        statistics.queried += asked - paired;
        statistics.response += done - asked;
        statistics.steps += 1;
        statistics.pairs += pairs.len();
        statistics.contacts += groups.iter().map(|group| group.touches.len()).sum::<usize>();
        statistics.queries += queries;
        if sampled {
            // Bodies still have the pose in which they were asked.
            let again = Instant::now();
            drop(self.ask(&pairs));
            self.statistics.asked[0] += asked - paired;
            self.statistics.asked[1] += again.elapsed();
        }
        Ok(())
    }

    /// Puts bodies and backdrop where the states say.
    fn pose(&mut self) -> Result<(), DropError> {
        let time = self.time();
        let prop = &self.cast.prop;
        let bodies: Vec<&mut Body> = self.scene.bodies_mut().map(|(_, body)| body).collect();
        bodies.into_par_iter().zip(&mut self.poses).zip(&self.states).try_for_each(
            |((body, pose), state)| {
                pose.coefficients.clear();
                pose.coefficients.extend(state.coefficients());
                body.set_pose_at(pose, state.placement(prop))
            },
        )?;
        if let Some(backdrop) = &mut self.cast.backdrop {
            backdrop.set_time(time, self.step)?;
        }
        Ok(())
    }

    /// All touches, in an order that depends on nothing but the states.
    fn ask(&mut self, pairs: &[[BodyId; 2]]) -> (Vec<Group>, QueryStats) {
        let level = self.cast.prop.level();
        let number = |id: BodyId| self.ids.binary_search(&id).expect("pairs are of bodies of this scene");
        let found = self.scene.ask_pairs(pairs, |[a, b], first, second| {
            let mut contacts = Vec::new();
            let stats = ball_contacts(first, second, [level; 2], &mut contacts);
            let touches = contacts.iter().map(Touch::of_balls).collect();
            (Group { bodies: (number(a), Some(number(b))), touches }, stats)
        });
        let mut found: Vec<(Group, QueryStats)> = found.into_iter().flatten().collect();
        let mut bodies: Vec<&mut Body> = self.scene.bodies_mut().map(|(_, body)| body).collect();
        let ground = &self.ground;
        found.par_extend(bodies.par_iter_mut().enumerate().map(|(number, body)| {
            let mut contacts = Vec::new();
            let stats = ball_plane_contacts(body, level, ground, &mut contacts);
            let touches = contacts.iter().map(Touch::of_ground).collect();
            (Group { bodies: (number, None), touches }, stats)
        }));
        if let Some(backdrop) = &mut self.cast.backdrop {
            let mut copies = std::mem::take(&mut backdrop.copies);
            let size = bodies.len().div_ceil(copies.len());
            let chunks = bodies.par_chunks_mut(size).zip(&mut copies).enumerate();
            let of_chunks = chunks.map(|(chunk, (bodies, copy))| {
                let reach = |(place, body): (usize, &mut &mut Body)| {
                    let mut contacts = Vec::new();
                    let stats = ball_triangle_contacts(body, level, copy, &mut contacts);
                    let touch = |c| Touch::of_triangle(c, backdrop.velocity(c.triangle));
                    let touches = contacts.iter().map(touch).collect();
                    (Group { bodies: (chunk * size + place, None), touches }, stats)
                };
                bodies.iter_mut().enumerate().map(reach).collect::<Vec<_>>()
            });
            found.extend(of_chunks.collect::<Vec<_>>().into_iter().flatten());
            backdrop.copies = copies;
        }
        let mut queries = QueryStats::default();
        found.iter().for_each(|(_, stats)| queries += *stats);
        let touching = found.into_iter().map(|(group, _)| group).filter(|group| !group.touches.is_empty());
        (touching.collect(), queries)
    }

    /// Weight and impulses, then a step of free motion.
    fn move_on(&mut self, groups: &mut [Group]) {
        let Self { cast, states, oscillators, step, .. } = self;
        let (prop, step) = (&*cast.prop, *step);
        states.iter_mut().for_each(|state| state.velocity -= DVec3::Y * (GRAVITY * step));
        respond(prop, states, groups, step);
        states.par_iter_mut().with_min_len(16).for_each(|state| state.drift(step, prop, oscillators));
    }

    /// Simulated seconds.
    pub fn time(&self) -> f64 {
        self.statistics.steps as f64 * self.step
    }

    /// The cast.
    pub fn cast(&self) -> &Cast {
        &self.cast
    }

    /// How bodies move.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// What all steps together took.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Of all bodies. Springs of touches are not in it: what they hold, they have taken from the bodies.
    pub fn energy(&self) -> Energy {
        let mut sum = Energy::default();
        self.states.iter().for_each(|state| sum += state.energy(&self.cast.prop, GRAVITY));
        sum
    }

    /// A number that differs where any bit of any state differs.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.states.iter().flat_map(State::numbers).for_each(|number| number.to_bits().hash(&mut hasher));
        hasher.finish()
    }

    /// Bytes of memory that bodies take, besides the shapes they share.
    pub fn memory_bytes(&self) -> usize {
        let copies = self.cast.backdrop.iter().flat_map(|backdrop| &backdrop.copies);
        self.scene.memory_bytes() + copies.map(Body::memory_bytes).sum::<usize>()
    }
}
