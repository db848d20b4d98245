//! The scenes: what falls on what, and where everything is at the start.
//!
//! In: a name, a number of bodies, a seed. Out: states in which no two bodies overlap, whatever their rotations.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, section 4: chairs on the ground, fish on a bridge, spheres on a curtain.

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::{DQuat, DVec3};

use crate::backdrop::Backdrop;
use crate::error::DropError;
use crate::prop::{Material, Prop};
use crate::scene_kind::SceneKind;
use crate::state::State;

/// Polypropylene, made soft: the lattice of the modes is coarser than the chair is thin, which makes it stiffer than it is.
const PLASTIC: Material = Material { density: 900.0, young: 1e8, damping: 0.04, modes: 10, amplitude: 0.08 };

/// Flesh.
const FLESH: Material = Material { density: 1000.0, young: 6e5, damping: 0.15, modes: 3, amplitude: 0.08 };

/// Copies of the backdrop that are asked side by side; enough to keep a desktop's cores busy.
const COPIES: usize = 8;

/// Who plays: the kind of body and the backdrop of a scene. Made once, used by any number of worlds.
#[derive(Clone, Debug)]
pub struct Cast {
    kind: SceneKind,
    pub(crate) prop: Arc<Prop>,
    pub(crate) backdrop: Option<Backdrop>,
}

impl Cast {
    /// The cast of a scene. Contacts of bodies are found at a level of their trees, the deepest one if there are fewer; if nothing is
    /// said, at the one that has the number of spheres nearest below the paper's (level 10 of two children for chairs, 7 for fish).
    ///
    /// # Errors
    /// None, as long as the zoo's animals have modes.
    pub fn new(kind: SceneKind, level: Option<u32>) -> Result<Self, DropError> {
        let of_zoo = |name: &str| supple_zoo::make(name, 0);
        let prop = match kind {
            SceneKind::Chairs => Prop::flexible(of_zoo("chair")?.mesh(), &PLASTIC, level.unwrap_or(4))?,
            SceneKind::Fish => Prop::flexible(of_zoo("fish")?.mesh(), &FLESH, level.unwrap_or(3))?,
            SceneKind::Curtain => Prop::sphere(0.12, 80.0)?,
        };
        let backdrop = match kind {
            SceneKind::Chairs => None,
            SceneKind::Fish => Some(Backdrop::new(of_zoo("bridge")?, COPIES)?),
            SceneKind::Curtain => Some(Backdrop::new(of_zoo("curtain")?, 1)?),
        };
        Ok(Self { kind, prop: Arc::new(prop), backdrop })
    }

    /// The same cast, with bodies that do not flex.
    ///
    /// # Errors
    /// None where the cast itself could be made.
    pub fn rigid(&self) -> Result<Self, DropError> {
        Ok(Self { prop: Arc::new(self.prop.rigid()?), ..self.clone() })
    }

    /// The scene.
    pub fn kind(&self) -> SceneKind {
        self.kind
    }

    /// The kind of body that falls.
    pub fn prop(&self) -> &Arc<Prop> {
        &self.prop
    }

    /// What does not fall.
    pub fn backdrop(&self) -> Option<&Backdrop> {
        self.backdrop.as_ref()
    }

    /// Where the bodies are at the start.
    pub(crate) fn states(&self, count: usize, seed: u64) -> Vec<State> {
        let room = 1.02 * 2.0 * self.prop.radius();
        let scatter = Scatter::new(seed);
        let state = |number: usize| {
            let mut state = match self.kind {
                SceneKind::Chairs => chair(&self.prop, room, number, count),
                SceneKind::Fish => fish(&self.prop, room, number, count),
                SceneKind::Curtain => sphere(&self.prop, room, number, count),
            };
            state.rotation = scatter.rotation(number);
            let turn = scatter.vector(number) * 2.0;
            state.angular_momentum = state.inverse_inertia(&self.prop).inverse() * turn;
            state
        };
        (0..count).map(state).collect()
    }
}

/// Layers of chairs above the ground, wider than high, already falling.
fn chair(prop: &Prop, room: f64, number: usize, count: usize) -> State {
    let layers = ((count as f64).cbrt() * 0.5).round().max(1.0) as usize;
    let [column, row, layer] = grid(number, count, layers);
    let mut state =
        State::new(prop, DVec3::new(column * room, (layer + 0.6) * room, row * room), DQuat::IDENTITY);
    state.velocity = DVec3::NEG_Y * 2.0;
    state
}

/// A position in layers of squares around the middle: column, row, layer.
fn grid(number: usize, count: usize, layers: usize) -> [f64; 3] {
    let columns = (count.div_ceil(layers) as f64).sqrt().ceil() as usize;
    let middle = 0.5 * (columns - 1) as f64;
    let (column, row) = (number % columns, number / columns % columns);
    [column as f64 - middle, row as f64 - middle, (number / (columns * columns)) as f64]
}

/// Rows of eight above the deck, which is 6 m wide and 10 m high, between the towers, 120 m apart; then further layers.
fn fish(prop: &Prop, room: f64, number: usize, count: usize) -> State {
    const ACROSS: usize = 8;
    let along = (110.0 / room) as usize;
    let rows = count.div_ceil(ACROSS).min(along);
    let (column, row) = (number % ACROSS, number / ACROSS);
    let position = DVec3::new(
        (column as f64 - 0.5 * (ACROSS - 1) as f64) * room,
        12.0 + (row / rows) as f64 * room,
        ((row % rows) as f64 - 0.5 * (rows - 1) as f64) * room,
    );
    State::new(prop, position, DQuat::IDENTITY)
}

/// A wall of spheres that fly at the curtain, which is 2.4 m wide and hangs at 2.2 m.
fn sphere(prop: &Prop, room: f64, number: usize, count: usize) -> State {
    let columns = (count as f64).sqrt().ceil() as usize;
    let across = |index: usize| (index as f64 - 0.5 * (columns - 1) as f64) * room;
    let position = DVec3::new(across(number % columns), 1.2 + across(number / columns), 1.5);
    let mut state = State::new(prop, position, DQuat::IDENTITY);
    state.velocity = DVec3::new(0.0, 2.0, -4.0);
    state
}

/// Numbers that fill space evenly, shifted by a seed.
///
/// Based on: M. Roberts, The unreasonable effectiveness of quasirandom sequences, 2018.
struct Scatter {
    shifts: [f64; 6],
}

impl Scatter {
    fn new(seed: u64) -> Self {
        // Any irrational will do; 53 bits of the seed are told apart.
        let start =
            (seed >> 11) as f64 * 0.414_213_562_373_095 + (seed & 0x7ff) as f64 * 0.732_050_807_568_877;
        Self { shifts: std::array::from_fn(|axis| (start * (axis + 1) as f64).fract()) }
    }

    /// In `0..1`, six independent ones per number.
    fn at(&self, number: usize, axis: usize) -> f64 {
        // The root of x^7 = x + 1.
        const RATIO: f64 = 1.112_775_684_278_706;
        (self.shifts[axis] + (number + 1) as f64 * RATIO.powi(-(axis as i32) - 1)).fract()
    }

    /// Uniform over all rotations (Shoemake).
    fn rotation(&self, number: usize) -> DQuat {
        let [u, a, b] = [0, 1, 2].map(|axis| self.at(number, axis));
        let ((sin_a, cos_a), (sin_b, cos_b)) = ((TAU * a).sin_cos(), (TAU * b).sin_cos());
        let (r, s) = ((1.0 - u).sqrt(), u.sqrt());
        DQuat::from_xyzw(r * sin_a, r * cos_a, s * sin_b, s * cos_b).normalize()
    }

    /// Each coordinate in -1..1.
    fn vector(&self, number: usize) -> DVec3 {
        DVec3::from_array([3, 4, 5].map(|axis| 2.0 * self.at(number, axis) - 1.0))
    }
}
