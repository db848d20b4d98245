//! Where a body is and how it moves: rigid motion of its frame, coefficients of its modes and their speeds.
//!
//! In: velocities. Out: the state a step later.
//! Must hold: without forces the momenta stay as they are, and the energy of the modes never grows.

use glam::{DMat3, DQuat, DVec3};
use supple::Isometry;

use crate::oscillator::Oscillator;
use crate::prop::{Mode, Prop};

/// Coefficients stay within -this ..= this: the strain limit.
const STRAIN_LIMIT: f64 = 1.0;

/// Motion of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Of the center of mass.
    pub position: DVec3,
    /// Unit quaternion from rest to the world.
    pub rotation: DQuat,
    /// Of the center of mass.
    pub velocity: DVec3,
    /// About the center of mass, in the world. It is the angular momentum that stays the same in flight, not the speed.
    pub angular_momentum: DVec3,
    /// Coefficients of the modes and their speeds.
    pub modes: Vec<[f64; 2]>,
}

/// What a state has in joules.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of translation, rotation and vibration.
    pub kinetic: f64,
    /// Of weight, above the ground.
    pub potential: f64,
    /// Of flexed modes.
    pub elastic: f64,
}

impl Energy {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

impl std::ops::AddAssign for Energy {
    fn add_assign(&mut self, other: Self) {
        self.kinetic += other.kinetic;
        self.potential += other.potential;
        self.elastic += other.elastic;
    }
}

impl State {
    /// At rest in the undeformed shape.
    pub(crate) fn new(prop: &Prop, position: DVec3, rotation: DQuat) -> Self {
        Self {
            position,
            rotation,
            velocity: DVec3::ZERO,
            angular_momentum: DVec3::ZERO,
            modes: vec![[0.0; 2]; prop.modes().len()],
        }
    }

    /// Where the model's own frame is.
    pub fn placement(&self, prop: &Prop) -> Isometry {
        Isometry::new(self.rotation, self.position - self.rotation * prop.inertia().center)
    }

    /// Coefficients of the model's fields.
    pub fn coefficients(&self) -> impl Iterator<Item = f32> {
        self.modes.iter().map(|mode| mode[0] as f32)
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite()
            && self.rotation.is_finite()
            && self.velocity.is_finite()
            && self.angular_momentum.is_finite()
            && self.modes.iter().flatten().all(|number| number.is_finite())
    }

    /// `R I^-1 R^T` in this rotation.
    pub(crate) fn inverse_inertia(&self, prop: &Prop) -> DMat3 {
        inverse_inertia(prop, self.rotation)
    }

    /// Sets how fast the body turns.
    pub(crate) fn set_angular_velocity(&mut self, velocity: DVec3, prop: &Prop) {
        let at_rest = self.rotation.conjugate() * velocity;
        self.angular_momentum = self.rotation * (prop.inertia().about_center * at_rest);
    }

    /// Moves on for a step, free of forces.
    ///
    /// ```text
    /// x(h) = x + h v
    /// R(h) = exp(h w) R,   w = R_m I^-1 R_m^T L,   R_m = exp(h/2 R I^-1 R^T L) R      (midpoint, L stays)
    /// ```
    ///
    /// A coefficient that reaches the strain limit stops there: it loses energy and never gains any.
    pub(crate) fn drift(&mut self, step: f64, prop: &Prop, oscillators: &[Oscillator]) {
        self.position += self.velocity * step;
        let start = self.inverse_inertia(prop) * self.angular_momentum;
        let middle = DQuat::from_scaled_axis(start * (0.5 * step)) * self.rotation;
        let speed = inverse_inertia(prop, middle) * self.angular_momentum;
        self.rotation = (DQuat::from_scaled_axis(speed * step) * self.rotation).normalize();
        for (state, oscillator) in self.modes.iter_mut().zip(oscillators) {
            *state = oscillator.after(*state);
            let [q, speed] = state;
            if q.abs() > STRAIN_LIMIT {
                if *q * *speed > 0.0 {
                    *speed = 0.0;
                }
                *q = q.clamp(-STRAIN_LIMIT, STRAIN_LIMIT);
            }
        }
    }

    /// Energy under a weight of `gravity` per kg, from the height of the ground.
    pub(crate) fn energy(&self, prop: &Prop, gravity: f64) -> Energy {
        let mass = prop.inertia().mass;
        let speed = self.inverse_inertia(prop) * self.angular_momentum;
        let mut energy = Energy {
            kinetic: 0.5 * (mass * self.velocity.length_squared() + speed.dot(self.angular_momentum)),
            potential: mass * gravity * self.position.y,
            elastic: 0.0,
        };
        for ([q, speed], Mode { frequency, mass, .. }) in self.modes.iter().zip(prop.modes()) {
            energy.kinetic += 0.5 * mass * speed * speed;
            energy.elastic += 0.5 * mass * frequency * frequency * q * q;
        }
        energy
    }

    /// All numbers in a fixed order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> {
        let rigid = [self.position, self.velocity, self.angular_momentum];
        let rigid = rigid.map(|v| v.to_array()).into_iter().flatten();
        rigid.chain(self.rotation.to_array()).chain(self.modes.iter().flatten().copied())
    }
}

fn inverse_inertia(prop: &Prop, rotation: DQuat) -> DMat3 {
    let turn = DMat3::from_quat(rotation);
    turn * prop.inertia().inverse * turn.transpose()
}
