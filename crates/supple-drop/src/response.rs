//! Impulses at touches: a Kelvin-Voigt penalty along the normal, friction across it.
//!
//! In: touches, and how bodies move. Out: velocities.
//! Must hold: damping and friction never add energy, springs part bodies with no more than [`PUSH`], and nothing depends on the
//! number of threads.
//!
//! # The rule
//!
//! A spring and a damper act between two pieces for a step `h`:
//!
//! ```text
//! f = max(0, k d - c u)              d depth beyond what is allowed, u speed at which the pieces part
//! k = A m / h^2,   c = m / h         hence  h f = m max(0, A d / h - u)
//! 1/m = sum over both bodies of  1/M + (r x n) I^-1 (r x n) + sum_j (n . U_j)^2 / m_j
//! ```
//!
//! `m` is what the touch has to move, modes included; so the damper alone stops the two pieces, and no stiffness can be too much
//! for the step. Two bodies touch at hundreds of spheres, and all at once they would push hundreds of times; so they act one after another,
//! the deepest first, each on what those before it have left of `u`. Most then find nothing to do.
//!
//! *Energy.* A damper that stops two pieces is a projection: it takes energy away. Friction stops at most what slides, and takes at most
//! the cone of Coulomb: so it takes energy away. A spring adds at most what parts two pieces at `A d / h`, which is at most
//! [`PUSH`]; the depth that it works off was made by a fall that lost more.
//!
//! *Threads.* Groups of touches are coloured greedily, in order, so that in a round every body appears once; a round's groups
//! are worked off side by side. That is the same on any number of threads.

use std::collections::BTreeSet;

use glam::{DMat3, DVec3};
use rayon::prelude::*;
use supple::NodeId;

use crate::prop::Prop;
use crate::state::State;
use crate::touch::{Group, Touch};

/// `A`: the part of its depth that a spring works off in a step.
const STIFFNESS: f64 = 0.1;
/// Depth in metres that is left alone, so that what lies keeps touching.
const ALLOWED_DEPTH: f64 = 0.002;
/// Speed in m/s with which springs part pieces at most.
pub const PUSH: f64 = 0.3;
/// Coulomb's coefficient, of plastic on plastic.
const FRICTION: f64 = 0.4;
/// How often all groups are gone through: once for what falls, a second time for what lies on it.
const PASSES: usize = 2;

/// Velocities of a body that touches change, and what they need to know of it.
#[derive(Clone, Debug)]
struct Moving<'a> {
    prop: &'a Prop,
    position: DVec3,
    from_rest: DMat3,
    to_rest: DMat3,
    inverse_inertia: DMat3,
    motion: Motion,
}

#[derive(Clone, Debug, Default)]
struct Motion {
    linear: DVec3,
    angular: DVec3,
    modes: Vec<f64>,
}

impl<'a> Moving<'a> {
    fn new(prop: &'a Prop, state: &State) -> Self {
        let from_rest = DMat3::from_quat(state.rotation);
        let inverse_inertia = state.inverse_inertia(prop);
        let motion = Motion {
            linear: state.velocity,
            angular: inverse_inertia * state.angular_momentum,
            modes: state.modes.iter().map(|mode| mode[1]).collect(),
        };
        let to_rest = from_rest.transpose();
        Self { prop, position: state.position, from_rest, to_rest, inverse_inertia, motion }
    }
}

/// One side of a touch.
struct Side<'a> {
    body: &'a Moving<'a>,
    /// From the center of mass.
    arm: DVec3,
    /// How far each mode moves the piece, at rest.
    displacements: &'a [DVec3],
}

impl<'a> Side<'a> {
    fn new(body: &'a Moving<'a>, node: NodeId, point: DVec3) -> Self {
        Self { body, arm: point - body.position, displacements: body.prop.displacements(node) }
    }

    /// Rigid motion and modes together.
    fn velocity(&self, motion: &Motion) -> DVec3 {
        let flex: DVec3 =
            motion.modes.iter().zip(self.displacements).map(|(speed, moved)| *moved * *speed).sum();
        motion.linear + motion.angular.cross(self.arm) + self.body.from_rest * flex
    }

    /// How much speed along a direction an impulse along it gives, per Ns.
    fn compliance(&self, direction: DVec3) -> f64 {
        let turn = self.arm.cross(direction);
        let rigid = 1.0 / self.body.prop.mass() + turn.dot(self.body.inverse_inertia * turn);
        let at_rest = self.body.to_rest * direction;
        let modes = self.body.prop.modes().iter().zip(self.displacements);
        rigid + modes.map(|(mode, moved)| at_rest.dot(*moved).powi(2) / mode.mass).sum::<f64>()
    }

    fn push(&self, impulse: DVec3, motion: &mut Motion) {
        motion.linear += impulse / self.body.prop.mass();
        motion.angular += self.body.inverse_inertia * self.arm.cross(impulse);
        let at_rest = self.body.to_rest * impulse;
        let modes = self.body.prop.modes().iter().zip(self.displacements);
        for (speed, (mode, moved)) in motion.modes.iter_mut().zip(modes) {
            *speed += at_rest.dot(*moved) / mode.mass;
        }
    }
}

/// Changes the velocities of all bodies that touch something.
pub(crate) fn respond(prop: &Prop, states: &mut [State], groups: &mut [Group], step: f64) {
    groups
        .par_iter_mut()
        .with_min_len(16)
        .for_each(|group| group.touches.sort_by(|a, b| b.depth.total_cmp(&a.depth)));
    let groups = &*groups;
    let mut bodies: Vec<Moving> = states.iter().map(|state| Moving::new(prop, state)).collect();
    let rounds = rounds(groups, bodies.len());
    for round in (0..PASSES).flat_map(|_| &rounds) {
        let moved: Vec<[Motion; 2]> =
            round.par_iter().with_min_len(4).map(|&group| after(&bodies, &groups[group], step)).collect();
        for (&group, [first, second]) in round.iter().zip(moved) {
            let (a, b) = groups[group].bodies;
            bodies[a].motion = first;
            if let Some(b) = b {
                bodies[b].motion = second;
            }
        }
    }
    // Others keep theirs, in every bit.
    let touched: BTreeSet<usize> =
        groups.iter().flat_map(|g| [Some(g.bodies.0), g.bodies.1]).flatten().collect();
    for body in touched {
        let (state, motion) = (&mut states[body], &bodies[body].motion);
        state.velocity = motion.linear;
        state.set_angular_velocity(motion.angular, prop);
        state.modes.iter_mut().zip(&motion.modes).for_each(|(mode, speed)| mode[1] = *speed);
    }
}

/// Numbers of groups, round by round: each in the first round in which neither of its bodies is busy.
fn rounds(groups: &[Group], bodies: usize) -> Vec<Vec<usize>> {
    let mut busy: Vec<Vec<bool>> = vec![Vec::new(); bodies];
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for (number, Group { bodies: (a, b), .. }) in groups.iter().enumerate() {
        let both = [Some(*a), *b];
        let is_busy = |body: usize, round: usize| busy[body].get(round).is_some_and(|&busy| busy);
        let mut round = 0;
        while both.iter().flatten().any(|&body| is_busy(body, round)) {
            round += 1;
        }
        for &body in both.iter().flatten() {
            let length = busy[body].len().max(round + 1);
            busy[body].resize(length, false);
            busy[body][round] = true;
        }
        if rounds.len() <= round {
            rounds.resize(round + 1, Vec::new());
        }
        rounds[round].push(number);
    }
    rounds
}

/// How the bodies of a group move after its touches.
fn after(bodies: &[Moving<'_>], group: &Group, step: f64) -> [Motion; 2] {
    let first = &bodies[group.bodies.0];
    let second = group.bodies.1.map(|body| &bodies[body]);
    let mut motions = [first.motion.clone(), second.map_or_else(Motion::default, |b| b.motion.clone())];
    for touch in &group.touches {
        let a = Side::new(first, touch.nodes[0], touch.point);
        let b = second.map(|second| Side::new(second, touch.nodes[1], touch.point));
        if let Some(impulse) = impulse(touch, &a, b.as_ref(), &motions, step) {
            a.push(impulse, &mut motions[0]);
            if let Some(b) = b {
                b.push(-impulse, &mut motions[1]);
            }
        }
    }
    motions
}

/// The impulse on the first side; none where the pieces part fast enough by themselves.
fn impulse(touch: &Touch, a: &Side, b: Option<&Side>, motions: &[Motion; 2], step: f64) -> Option<DVec3> {
    let velocity = a.velocity(&motions[0]) - b.map_or(touch.velocity, |side| side.velocity(&motions[1]));
    let parting = velocity.dot(touch.normal);
    let spring = (STIFFNESS * (touch.depth - ALLOWED_DEPTH).max(0.0) / step).min(PUSH);
    if parting >= spring {
        return None;
    }
    let mass =
        |direction: DVec3| 1.0 / (a.compliance(direction) + b.map_or(0.0, |side| side.compliance(direction)));
    let normal = mass(touch.normal) * (spring - parting);
    let sliding = velocity - touch.normal * parting;
    let speed = sliding.length();
    if speed == 0.0 {
        return Some(touch.normal * normal);
    }
    let across = sliding / speed;
    let friction = (FRICTION * normal).min(mass(across) * speed);
    Some(touch.normal * normal - across * friction)
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    const STEP: f64 = 1.0 / 300.0;

    /// Two spheres of 0.1 m whose middles are a little less than 0.2 m apart, along x.
    fn meeting(velocities: [DVec3; 2], spins: [DVec3; 2]) -> (Prop, Vec<State>, Vec<Group>) {
        let sphere = Prop::sphere(0.1, 500.0).unwrap();
        let state = |body: usize| {
            let mut state = State::new(&sphere, DVec3::X * (0.19 * body as f64), DQuat::IDENTITY);
            state.velocity = velocities[body];
            state.set_angular_velocity(spins[body], &sphere);
            state
        };
        let touch = Touch {
            nodes: [NodeId(0); 2],
            point: DVec3::X * 0.095,
            normal: DVec3::NEG_X,
            depth: 0.01,
            velocity: DVec3::ZERO,
        };
        let states = vec![state(0), state(1)];
        // The same touch many times over must not push more than once.
        (sphere, states, vec![Group { bodies: (0, Some(1)), touches: vec![touch; 50] }])
    }

    #[test]
    fn momenta_stay_and_energy_does_not_grow() {
        let spins = [DVec3::new(3.0, -20.0, 5.0), DVec3::new(0.0, 7.0, -30.0)];
        let (sphere, mut states, mut groups) =
            meeting([DVec3::new(2.0, 0.5, -1.0), DVec3::new(-3.0, 0.0, 1.0)], spins);
        let sums = |states: &[State]| {
            let linear: DVec3 = states.iter().map(|s| s.velocity * sphere.mass()).sum();
            let arms =
                states.iter().map(|s| s.position.cross(s.velocity * sphere.mass()) + s.angular_momentum);
            (linear, arms.sum::<DVec3>(), states.iter().map(|s| s.energy(&sphere, 0.0).total()).sum::<f64>())
        };
        let before = sums(&states);
        respond(&sphere, &mut states, &mut groups, STEP);
        let after = sums(&states);
        assert!(before.0.abs_diff_eq(after.0, 1e-12) && before.1.abs_diff_eq(after.1, 1e-12));
        assert!(after.2 < before.2, "{} to {}", before.2, after.2);
        // They part as fast as the spring says, not faster.
        let parting = (states[1].velocity - states[0].velocity).x;
        assert!((parting - STIFFNESS * (0.01 - ALLOWED_DEPTH) / STEP).abs() < 1e-9, "{parting}");
    }

    #[test]
    fn friction_slows_down_and_never_turns_back() {
        for speed in [0.01, 0.5, 20.0] {
            let (sphere, mut states, mut groups) =
                meeting([DVec3::new(1.0, speed, 0.0), DVec3::ZERO], [DVec3::ZERO; 2]);
            respond(&sphere, &mut states, &mut groups, STEP);
            // At the touch: rolling counts.
            let spin = |s: &State| s.inverse_inertia(&sphere) * s.angular_momentum;
            let at = |s: &State| s.velocity + spin(s).cross(DVec3::X * 0.095 - s.position);
            let sliding = (at(&states[0]) - at(&states[1])).y;
            assert!((-1e-9..speed).contains(&sliding), "{speed} to {sliding}");
        }
    }

    #[test]
    fn what_parts_by_itself_is_left_alone() {
        let (sphere, mut states, mut groups) = meeting([DVec3::NEG_X, DVec3::X], [DVec3::ZERO; 2]);
        let before = states.clone();
        respond(&sphere, &mut states, &mut groups, STEP);
        assert_eq!(
            states.iter().map(|s| s.velocity).collect::<Vec<_>>(),
            [before[0].velocity, before[1].velocity]
        );
    }

    #[test]
    fn no_body_is_twice_in_a_round() {
        let group = |a, b| Group { bodies: (a, b), touches: Vec::new() };
        let groups = [
            group(0, Some(1)),
            group(1, Some(2)),
            group(2, Some(3)),
            group(0, Some(3)),
            group(0, None),
            group(1, None),
        ];
        let rounds = rounds(&groups, 4);
        assert_eq!(rounds, [vec![0, 2], vec![1, 3], vec![4, 5]]);
    }
}
