//! Interpolation of rotations: on the shortest arc, at constant speed.

use glam::DQuat;

/// Between `a` (0) and `b` (1). Rotations need not have unit length; a zero one turns nothing. Equal ends give just that.
pub(crate) fn shortest_arc(a: DQuat, b: DQuat, t: f64) -> DQuat {
    if a == b { unit(a) } else { unit(a).slerp(unit(b), t) }
}

/// The largest speed on the arc, relative to its angle: short arcs, below 0.07 radians, are interpolated by normalised chords, whose
/// speed varies by a ten thousandth.
pub(crate) const FASTEST: f64 = 1.001;

/// The angle of that arc, from 0 to pi.
pub(crate) fn arc_angle(a: DQuat, b: DQuat) -> f64 {
    if a == b {
        return 0.0;
    }
    let relative = unit(a).conjugate() * unit(b);
    2.0 * relative.xyz().length().atan2(relative.w.abs())
}

/// A quaternion from a file or a program has unit length to some precision only.
pub(crate) fn unit(q: DQuat) -> DQuat {
    if q.length() > 0.0 { q.normalize() } else { DQuat::IDENTITY }
}
