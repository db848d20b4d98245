//! What is asked of vibration modes.

use glam::DVec3;

use super::ReduceError;

/// How a mesh vibrates. Lengths are metres, as in glTF; other units only mean other units of everything else.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModeOptions {
    /// How many modes, from the lowest frequency upwards.
    pub count: usize,
    /// How far a coefficient of 1 moves the vertex that moves farthest; a tenth of the longest side if nothing is said.
    pub amplitude: Option<f64>,
    /// Cells of the lattice along the longest side. What is thinner than a cell bends as if it were as thick as the cell and
    /// lighter: shapes of modes hardly notice, frequencies are too high by about the ratio.
    pub resolution: usize,
    /// Mass of a cubic metre, in kg.
    pub density: f64,
    /// Young's modulus, in Pa.
    pub young: f64,
    /// Poisson's ratio, 0 to 0.49.
    pub poisson: f64,
    /// How thick a surface is that is not closed; a hundredth of the longest side if nothing is said.
    pub thickness: Option<f64>,
    /// Boxes (least and greatest corner, which may be infinite) in which nothing moves. Without any, the mesh flies freely: its six
    /// rigid motions are no modes.
    pub held: Vec<[DVec3; 2]>,
}

impl Default for ModeOptions {
    /// Ten modes of a free thing out of soft plastic.
    fn default() -> Self {
        Self {
            count: 10,
            amplitude: None,
            resolution: 24,
            density: 1000.0,
            young: 1e9,
            poisson: 0.3,
            thickness: None,
            held: Vec::new(),
        }
    }
}

impl ModeOptions {
    /// The same with another [`count`](Self::count).
    #[must_use]
    pub fn with_count(mut self, count: usize) -> Self {
        self.count = count;
        self
    }

    /// The same with another [`amplitude`](Self::amplitude).
    #[must_use]
    pub fn with_amplitude(mut self, amplitude: Option<f64>) -> Self {
        self.amplitude = amplitude;
        self
    }

    /// The same with another [`resolution`](Self::resolution).
    #[must_use]
    pub fn with_resolution(mut self, resolution: usize) -> Self {
        self.resolution = resolution;
        self
    }

    /// The same with another [`density`](Self::density).
    #[must_use]
    pub fn with_density(mut self, density: f64) -> Self {
        self.density = density;
        self
    }

    /// The same with another [`young`](Self::young).
    #[must_use]
    pub fn with_young(mut self, young: f64) -> Self {
        self.young = young;
        self
    }

    /// The same with another [`poisson`](Self::poisson).
    #[must_use]
    pub fn with_poisson(mut self, poisson: f64) -> Self {
        self.poisson = poisson;
        self
    }

    /// The same with another [`thickness`](Self::thickness).
    #[must_use]
    pub fn with_thickness(mut self, thickness: Option<f64>) -> Self {
        self.thickness = thickness;
        self
    }

    /// The same with another [`held`](Self::held).
    #[must_use]
    pub fn with_held(mut self, held: Vec<[DVec3; 2]>) -> Self {
        self.held = held;
        self
    }
}

impl ModeOptions {
    pub(super) fn check(&self) -> Result<(), ReduceError> {
        let bad = |option, value, expected| Err(ReduceError::BadOption { option, value, expected });
        if self.count == 0 {
            return bad("count", 0.0, "at least 1");
        }
        if self.resolution == 0 {
            return bad("resolution", 0.0, "at least 1");
        }
        // Products and quotients of these must stay finite and not vanish.
        let sensible = |value: f64| (1e-12..=1e15).contains(&value);
        let lengths = [("amplitude", self.amplitude), ("thickness", self.thickness)];
        let given = lengths.into_iter().filter_map(|(name, value)| value.map(|value| (name, value)));
        for (option, value) in given.chain([("density", self.density), ("young", self.young)]) {
            if !sensible(value) {
                return bad(option, value, "more than 0: from 1e-12 to 1e15");
            }
        }
        if !(0.0..=0.49).contains(&self.poisson) {
            return bad("poisson", self.poisson, "0 to 0.49");
        }
        let in_order = |[min, max]: &[DVec3; 2]| min.cmple(*max).all();
        match self.held.iter().position(|corners| !in_order(corners)) {
            Some(index) => Err(ReduceError::BadBox { index }),
            None => Ok(()),
        }
    }
}
