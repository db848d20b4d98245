//! One vibration mode between two kicks: a damped oscillator, exactly.
//!
//! In: coefficient and speed. Out: both a step later, whatever the frequency and the step.
//! Must hold: the energy `w^2 q^2 + q'^2` never grows.
//!
//! ```text
//! q'' + 2 z w q' + w^2 q = 0,   0 <= z < 1,   d = w sqrt(1 - z^2)
//!
//! q(h)  = e^(-z w h) (q cos(d h) + (q' + z w q) / d  sin(d h))
//! q'(h) = e^(-z w h) (q' cos(d h) - (z q' + w q) w / d  sin(d h))
//! ```

/// The 2 x 2 matrix that takes `(q, q')` a step further.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    /// Row by row.
    matrix: [[f64; 2]; 2],
}

impl Oscillator {
    /// Of an angular frequency in 1/s, a damping ratio in `0..1` and a step in seconds.
    pub fn new(frequency: f64, damping: f64, step: f64) -> Self {
        let (w, z) = (frequency, damping);
        let d = w * (1.0 - z * z).sqrt();
        let (sin, cos) = (d * step).sin_cos();
        let decay = (-z * w * step).exp();
        // sin(d h) / d, also where nothing pulls back.
        let over = if d > 0.0 { sin / d } else { step };
        Self {
            matrix: [
                [decay * (cos + z * w * over), decay * over],
                [-decay * w * w * over, decay * (cos - z * w * over)],
            ],
        }
    }

    /// Coefficient and speed a step later.
    pub fn after(&self, [q, speed]: [f64; 2]) -> [f64; 2] {
        self.matrix.map(|row| row[0] * q + row[1] * speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_small_steps_are_one_large_one() {
        let (frequency, damping) = (37.0, 0.1);
        let large = Oscillator::new(frequency, damping, 0.1).after([0.3, -2.0]);
        let mut small = [0.3, -2.0];
        for _ in 0..1000 {
            small = Oscillator::new(frequency, damping, 1e-4).after(small);
        }
        assert!((large[0] - small[0]).abs() < 1e-10 && (large[1] - small[1]).abs() < 1e-8);
        // And they solve the equation: the third value from the first two by its differences.
        let h = 1e-5;
        let later = Oscillator::new(frequency, damping, h).after([0.3, -2.0]);
        let acceleration = (later[1] + 2.0) / h;
        let expected = -2.0 * damping * frequency * -2.0 - frequency * frequency * 0.3;
        assert!((acceleration - expected).abs() < 1e-2 * expected.abs(), "{acceleration} {expected}");
    }

    #[test]
    fn energy_never_grows_at_any_frequency() {
        for frequency in [0.0, 1e-3, 1.0, 300.0, 1e5] {
            for damping in [0.0, 0.02, 0.9] {
                let oscillator = Oscillator::new(frequency, damping, 1.0 / 150.0);
                let energy = |[q, speed]: [f64; 2]| frequency * frequency * q * q + speed * speed;
                for start in [[1.0, 0.0], [0.0, 1.0], [0.5, -200.0]] {
                    let (before, after) = (energy(start), energy(oscillator.after(start)));
                    assert!(after <= before * (1.0 + 1e-12), "{frequency} {damping}: {before} {after}");
                }
            }
        }
    }
}
