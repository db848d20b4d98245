//! Interpolation between keyframes, as the glTF 2.0 specification (appendix C) defines it.
//!
//! In: sorted key times, flat values, a time. Out: the values at that time, in f64.
//! Must hold: before the first key the first value is held, after the last key the last.

/// How values between two keys are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Straight, or on the shortest arc for rotations.
    Linear,
    /// The value of the key before.
    Step,
    /// Cubic Hermite spline; every key has an in-tangent, a value and an out-tangent.
    CubicSpline,
}

impl Interpolation {
    /// How many tuples of values one key has.
    pub fn tuples_per_key(self) -> usize {
        match self {
            Self::Linear | Self::Step => 1,
            Self::CubicSpline => 3,
        }
    }
}

/// Where a time lies between keys: the key before, the key after, and how far between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub before: usize,
    pub after: usize,
    pub fraction: f64,
    pub seconds: f64,
}

pub(super) fn find_span(times: &[f32], time: f64) -> Span {
    let later = times.partition_point(|&t| f64::from(t) <= time);
    if later == 0 || later == times.len() {
        let key = later.saturating_sub(1);
        return Span { before: key, after: key, fraction: 0.0, seconds: 0.0 };
    }
    let (start, end) = (f64::from(times[later - 1]), f64::from(times[later]));
    let seconds = end - start;
    Span { before: later - 1, after: later, fraction: (time - start) / seconds, seconds }
}

/// Component `c` of a channel whose keys are tuples of `width` numbers.
pub(super) fn component(
    interpolation: Interpolation,
    values: &[f32],
    width: usize,
    span: Span,
    c: usize,
) -> f64 {
    let at = |tuple: usize| f64::from(values[tuple * width + c]);
    let t = span.fraction;
    match interpolation {
        Interpolation::Step => at(span.before),
        Interpolation::Linear => {
            let (a, b) = (at(span.before), at(span.after));
            a + (b - a) * t
        }
        Interpolation::CubicSpline => {
            let value = at(span.before * 3 + 1);
            if span.before == span.after {
                return value;
            }
            // p(t) = (2t^3-3t^2+1) v_k + d (t^3-2t^2+t) b_k + (-2t^3+3t^2) v_k+1 + d (t^3-t^2) a_k+1
            let out_tangent = at(span.before * 3 + 2);
            let in_tangent = at(span.after * 3);
            let next = at(span.after * 3 + 1);
            let (t2, t3) = (t * t, t * t * t);
            (2.0 * t3 - 3.0 * t2 + 1.0) * value
                + span.seconds * (t3 - 2.0 * t2 + t) * out_tangent
                + (-2.0 * t3 + 3.0 * t2) * next
                + span.seconds * (t3 - t2) * in_tangent
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_outside_the_keys_hold_the_ends() {
        let times = [1.0, 2.0, 4.0];
        for (time, before, after, fraction) in
            [(-1.0, 0, 0, 0.0), (1.0, 0, 1, 0.0), (3.0, 1, 2, 0.5), (4.0, 2, 2, 0.0), (9.0, 2, 2, 0.0)]
        {
            let span = find_span(&times, time);
            assert_eq!((span.before, span.after, span.fraction), (before, after, fraction), "{time}");
        }
    }

    #[test]
    fn splines_pass_through_their_keys_with_their_tangents() {
        // Two keys one second apart: value 1 with out-tangent 2, value 5 with in-tangent -3.
        let values = [0.0, 1.0, 2.0, -3.0, 5.0, 0.0];
        let at = |time: f64| {
            let span = find_span(&[0.0, 1.0], time);
            component(Interpolation::CubicSpline, &values, 1, span, 0)
        };
        assert_eq!(at(0.0), 1.0);
        assert_eq!(at(1.0), 5.0);
        let h = 1e-6;
        assert!(((at(h) - at(0.0)) / h - 2.0).abs() < 1e-4);
        assert!(((at(1.0) - at(1.0 - h)) / h + 3.0).abs() < 1e-4);
    }
}
