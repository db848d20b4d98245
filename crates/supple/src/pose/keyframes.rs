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
#[path = "../../tests/inside/pose/keyframes.rs"]
mod tests;
