//! A moment of a world, kept to be shown.

use supple::Isometry;

use crate::state::State;
use crate::world::World;

/// Where everything is at a time.
#[derive(Clone, Debug)]
pub struct Frame {
    /// In seconds.
    pub time: f64,
    /// Frame of the model and coefficients of its fields, body by body.
    pub bodies: Vec<(Isometry, Vec<f32>)>,
    /// Coefficients of the backdrop.
    pub backdrop: Vec<f32>,
}

impl World {
    /// What there is to see now.
    pub fn frame(&self) -> Frame {
        let (prop, backdrop) = (self.cast().prop(), self.cast().backdrop());
        let body = |state: &State| (state.placement(prop), state.coefficients().collect());
        Frame {
            time: self.time(),
            bodies: self.states().iter().map(body).collect(),
            backdrop: backdrop.map_or_else(Vec::new, |backdrop| backdrop.coefficients_at(self.time())),
        }
    }
}
