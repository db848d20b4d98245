//! The chair as a solid: signed distance, negative inside, in metres.
//!
//! Panels are surfaces `y(x, z)` or `z(x, y)` with a thickness and an outline; legs and arms are tapered bars. Everything
//! melts together, as moulded plastic does.

use glam::{DVec2, DVec3};

/// A box around the chair with room for the cells.
pub(super) const BOUNDS: [DVec3; 2] = [DVec3::new(-0.34, -0.04, -0.42), DVec3::new(0.34, 0.88, 0.34)];

const HALF_THICKNESS: f64 = 0.009;
const RIM_RADIUS: f64 = 0.0155;

/// Signed distance to the chair, first-order exact near its surface.
pub(super) fn distance(p: DVec3) -> f64 {
    // Left and right are mirror images.
    let p = DVec3::new(p.x.abs(), p.y, p.z);
    let panels = smooth_min(seat(p), back(p), 0.030);
    let frame = smooth_min(panels, seat_rim(p), 0.012);
    let with_legs =
        [front_leg(p), back_leg(p), arm(p)].into_iter().fold(frame, |d, bar| smooth_min(d, bar, 0.022));
    // Feet are cut flat.
    smooth_max(with_legs, -p.y, 0.006)
}

/// Dished, with a rim that rolls down in front.
fn seat(p: DVec3) -> f64 {
    let slab = (p.y - seat_height(p)).abs() - HALF_THICKNESS;
    smooth_max(slab, seat_outline(p), 0.012)
}

fn seat_height(p: DVec3) -> f64 {
    let dish = 0.024 / (1.0 + (p.x / 0.19).powi(2) + ((p.z + 0.03) / 0.20).powi(2)).powi(2);
    let roll = 2.6 * (p.z - 0.11).max(0.0).powi(2);
    0.43 - dish - roll
}

fn seat_outline(p: DVec3) -> f64 {
    // Wider in front.
    let half = DVec2::new(0.215 + 0.08 * p.z, 0.215);
    rounded_box(DVec2::new(p.x, p.z - 0.005), half, 0.07)
}

/// A rolled edge all around the seat that stiffens it.
fn seat_rim(p: DVec3) -> f64 {
    DVec2::new(seat_outline(p) + 0.010, p.y - seat_height(p)).length() - RIM_RADIUS
}

/// Leaning backwards, wrapped around the sitter, with upright slots and a rolled edge.
fn back(p: DVec3) -> f64 {
    let up = p.y - 0.43;
    let behind = -0.196 - 0.20 * up - 0.12 * up * up + 0.75 * p.x * p.x;
    // The panel is inclined: a step in z is 0.96 of a step along its normal.
    let off = (p.z - behind) * 0.96;
    let crown = 0.025 * (1.0 - (p.x / 0.2).powi(2));
    let outline = rounded_box(DVec2::new(p.x, p.y - 0.600 - crown), DVec2::new(0.212, 0.205), 0.09);
    let panel = smooth_max(smooth_max(off.abs() - HALF_THICKNESS, outline, 0.012), -slots(p), 0.012);
    let rim = DVec2::new(outline + 0.010, off).length() - RIM_RADIUS;
    smooth_min(panel, rim, 0.012)
}

/// Slots at x = 0, 0.060 and 0.120 (and their mirror images), shorter towards the sides.
fn slots(p: DVec3) -> f64 {
    let slot = |x: f64, half_length: f64| {
        let across = DVec2::new(p.x - x, (p.y - 0.635).abs() - half_length);
        DVec2::new(across.x, across.y.max(0.0)).length() - 0.0135
    };
    slot(0.0, 0.105).min(slot(0.060, 0.100)).min(slot(0.120, 0.085))
}

fn front_leg(p: DVec3) -> f64 {
    bar(p, DVec3::new(0.205, 0.41, 0.165), DVec3::new(0.245, -0.01, 0.225), [0.034, 0.024], [0.026, 0.018])
}

fn back_leg(p: DVec3) -> f64 {
    bar(p, DVec3::new(0.180, 0.42, -0.175), DVec3::new(0.235, -0.01, -0.290), [0.032, 0.024], [0.028, 0.018])
}

/// A post on the side of the seat and a plank that swings in to the back.
fn arm(p: DVec3) -> f64 {
    let post = bar(
        p,
        DVec3::new(0.218, 0.40, 0.140),
        DVec3::new(0.262, 0.650, 0.105),
        [0.015, 0.015],
        [0.034, 0.028],
    );
    let inwards = (-0.02 - p.z).max(0.0);
    let middle = 0.264 - 1.4 * inwards * inwards;
    let outline = rounded_box(DVec2::new(p.x - middle, p.z + 0.040), DVec2::new(0.030, 0.200), 0.029);
    let plank = smooth_max((p.y - 0.660).abs() - 0.011, outline, 0.014);
    smooth_min(post, plank, 0.02)
}

/// A bar from `a` to `b` with an elliptic section: half sizes `across` (towards x) and `along` (the other way) at both ends.
fn bar(p: DVec3, a: DVec3, b: DVec3, across: [f64; 2], along: [f64; 2]) -> f64 {
    // Far away the distance to a sphere around the bar will do; seams reach only a few centimetres.
    let far = p.distance((a + b) * 0.5) - 0.5 * a.distance(b) - 0.04;
    if far > 0.05 {
        return far;
    }
    let axis = (b - a).normalize();
    let side = (DVec3::X - axis * axis.x).normalize();
    let other = axis.cross(side);
    let length = a.distance(b);
    let q = p - a;
    let share = (q.dot(axis) / length).clamp(0.0, 1.0);
    let half = DVec2::new(across[0], along[0]).lerp(DVec2::new(across[1], along[1]), share);
    let beyond = q.dot(axis) - share * length;
    let section = DVec2::new(q.dot(side), q.dot(other));
    // f = |s / h| - 1 divided by its slope: the distance to an ellipse to first order.
    let scaled = section / half;
    let to_section = if scaled.length() > 1e-9 {
        (scaled.length() - 1.0) * scaled.length() / (scaled / half).length()
    } else {
        -half.min_element()
    };
    let round = half.min_element();
    // Ends are round.
    if beyond == 0.0 {
        to_section
    } else {
        DVec2::new((to_section + round).max(0.0), beyond).length() - round
    }
}

fn rounded_box(p: DVec2, half: DVec2, radius: f64) -> f64 {
    let q = p.abs() - half + radius;
    q.max(DVec2::ZERO).length() + q.max_element().min(0.0) - radius
}

/// `min(a, b)` with a seam of width `k` filled in.
fn smooth_min(a: f64, b: f64, k: f64) -> f64 {
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - 0.25 * k * h * h
}

/// `max(a, b)` with an edge of width `k` rounded off.
fn smooth_max(a: f64, b: f64, k: f64) -> f64 {
    -smooth_min(-a, -b, k)
}
