//! The path of one foot through a step: on the ground from front to back, through the air from back to front.
//!
//! In: numbers of a gait and a phase from 0 to 1 that starts when the foot touches the ground. Out: where the sole is,
//! how far it is lifted and how it is pitched. Speeds match at touch-down and lift-off.

/// Numbers of a gait; lengths in leg lengths, angles in degrees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gait {
    pub seconds: f64,
    /// Part of the period in which a foot stands.
    pub stance: f64,
    /// How far in front of and behind the rest position a foot stands at most.
    pub reach: [f64; 2],
    /// Height of the foot in mid-swing.
    pub lift: f64,
    /// Toes up at touch-down, heel up at lift-off.
    pub pitch: [f64; 2],
}

/// A foot at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Forwards from the rest position.
    pub forwards: f64,
    /// Above the ground.
    pub up: f64,
    /// Degrees; positive lifts the toes and turns about the heel, negative lifts the heel and turns about the ball.
    pub pitch: f64,
    /// 0 on the ground, 1 in the air; smooth between.
    pub flight: f64,
}

impl Gait {
    pub fn step(&self, phase: f64) -> Step {
        let phase = phase.rem_euclid(1.0);
        let [front, back] = self.reach;
        if phase < self.stance {
            let t = phase / self.stance;
            let heel = self.pitch[1] * smooth((t - 0.55) / 0.45);
            let toes = self.pitch[0] * (1.0 - smooth(t / 0.25));
            return Step { forwards: front - (front + back) * t, up: 0.0, pitch: toes - heel, flight: 0.0 };
        }
        let t = (phase - self.stance) / (1.0 - self.stance);
        // Cubic Hermite from back to front; the slope at both ends is that of the standing foot.
        let slope = -(front + back) * (1.0 - self.stance) / self.stance;
        let (t2, t3) = (t * t, t * t * t);
        let forwards = -back + (front + back) * (3.0 * t2 - 2.0 * t3) + slope * (2.0 * t3 - 3.0 * t2 + t);
        let pitch = self.pitch[0] * smooth((t - 0.4) / 0.6) - self.pitch[1] * (1.0 - smooth(t / 0.6));
        let bump = 4.0 * t * (1.0 - t);
        Step {
            forwards,
            up: self.lift * bump * bump.sqrt(),
            pitch,
            flight: smooth(t * 4.0) * smooth((1.0 - t) * 4.0),
        }
    }
}

/// 0 below 0, 1 above 1, `3t^2 - 2t^3` between.
pub(crate) fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_continuous_and_stay_above_the_ground() {
        let gait = Gait { seconds: 1.0, stance: 0.6, reach: [0.3, 0.35], lift: 0.1, pitch: [20.0, 40.0] };
        for i in 0..1000 {
            let (a, b) = (gait.step(f64::from(i) * 1e-3), gait.step(f64::from(i + 1) * 1e-3));
            assert!((a.forwards - b.forwards).abs() < 0.01 && (a.up - b.up).abs() < 0.01, "{a:?} {b:?}");
            assert!((a.pitch - b.pitch).abs() < 2.0 && a.up >= 0.0);
        }
        assert!(gait.step(0.8).up > 0.09);
    }
}
