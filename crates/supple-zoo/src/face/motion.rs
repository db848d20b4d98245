//! What a blend shape does to a point: pushes of soft regions, turns of the jaw, lids and eyes.
//!
//! In: a rest position in centimetres. Out: a displacement in centimetres. Must hold: smooth, and exactly zero outside of
//! the region. A motion is modelled on the left side; the right one is its mirror image.

use glam::{Quat, Vec3};

/// One piece of a blend shape.
#[derive(Clone, Copy, Debug)]
pub(super) enum Motion {
    /// Moves a soft ellipsoid: `by * (1 - r^2)^3` for `r < 1`.
    Push { at: Vec3, reach: Vec3, by: Vec3 },
    /// Turns the lower jaw about its joint (radians: open, left) and moves it.
    Jaw { open: f32, left: f32, by: Vec3 },
    /// Moves the surface between the lips around `x`: forwards or into the mouth.
    Between { x: f32, half_width: f32, by: Vec3 },
    /// Moves the edge of the left upper lid by a share of the opening: 1 closes, negative widens.
    UpperLid { share: f32 },
    /// The same for the lower lid.
    LowerLid { share: f32 },
    /// Turns the left eye: outwards and up, in radians.
    Look { out: f32, up: f32 },
}

/// The middle of the left eyeball.
const EYE: Vec3 = Vec3::new(3.2, 0.0, 6.80);
/// Both jaw joints lie on this axis.
const JAW_JOINT: Vec3 = Vec3::new(0.0, -2.0, 0.5);
/// Half the width of the mouth.
const MOUTH_CORNER: f32 = 2.65;

impl Motion {
    /// Displacement of a point.
    pub fn displacement(&self, p: Vec3) -> Vec3 {
        match *self {
            Self::Push { at, reach, by } => by * soft_sphere((p - at) / reach),
            Self::Jaw { open, left, by } => {
                let turn = Quat::from_rotation_y(left) * Quat::from_rotation_x(open);
                let from_joint = p - JAW_JOINT;
                (turn * from_joint - from_joint + by) * jaw_weight(p)
            }
            Self::Between { x, half_width, by } => by * between_lips(p, x, half_width),
            Self::UpperLid { share } => lid(p, share, UPPER_EDGE, LOWER_EDGE, 1.5),
            Self::LowerLid { share } => lid(p, share, LOWER_EDGE, UPPER_EDGE, -1.35),
            Self::Look { out, up } => look(p, out, up),
        }
    }
}

/// Whether a point lies on or between the lips, where neighbours may move very differently.
pub(super) fn is_mouth(p: Vec3) -> bool {
    p.x.abs() < 3.2 && (p.y - mouth_line(p)).abs() < 0.9 && p.z > 6.5
}

/// Height of the line where the lips meet; it rises a little in the middle.
fn mouth_line(p: Vec3) -> f32 {
    -7.26 + 0.10 * (1.0 - (p.x / MOUTH_CORNER).powi(2)).max(0.0)
}

/// 1 on the lower jaw, 0 above the mouth line, on the neck and behind the joints.
///
/// The step lies in the groove between the lips, as narrow as the groove; towards the corners and over the
/// cheeks it widens, which makes the open mouth round.
fn jaw_weight(p: Vec3) -> f32 {
    let beyond_corner = ((p.x.abs() - 1.0) / 3.6).clamp(0.0, 1.0);
    let behind = ((7.0 - p.z) / 4.0).clamp(0.0, 1.0);
    let half_step = 0.26 + 2.4 * smooth(beyond_corner.max(behind));
    let below = smooth((mouth_line(p) - p.y) / half_step * 0.5 + 0.5);
    let above_neck = smooth((p.y + 14.0) / 3.5);
    below * above_neck * smooth((p.z - 0.5) / 4.0)
}

/// 1 in the groove between the lips, 0 on the lips.
fn between_lips(p: Vec3, x: f32, half_width: f32) -> f32 {
    let off = Vec3::new((p.x - x) / half_width, (p.y - mouth_line(p)) / 0.50, (p.z - 8.3) / 1.6);
    soft_sphere(off)
}

/// Elevations of the lid edges in the middle of the eye, in radians.
const UPPER_EDGE: f32 = 0.52;
const LOWER_EDGE: f32 = -0.42;

/// Slides a lid over the eyeball: elevations between the other lid's edge and `socket` are mapped to themselves,
/// monotonously, such that `edge` moves towards `other` by the share.
fn lid(p: Vec3, share: f32, edge: f32, other: f32, socket: f32) -> Vec3 {
    let from_eye = p - EYE;
    // Only the eyeball and the skin next to it.
    let across = from_eye.x / 2.0;
    let depth = soft_sphere(Vec3::new(across, 0.0, (from_eye.z - 1.0) / 1.9))
        * smooth((2.5 - from_eye.length()) / 0.8);
    if depth == 0.0 {
        return Vec3::ZERO;
    }
    // The edges come together in the corners.
    let closing = (1.0 - (from_eye.x / 1.62).powi(2)).max(0.0);
    let (edge, other) = (edge * closing, other * closing);
    let elevation = from_eye.y.atan2(from_eye.z.max(0.05));
    // How far between `other` (0), `edge` (s = 1) and `socket` (0 again).
    let s = if (elevation - edge) * (socket - edge).signum() <= 0.0 {
        (elevation - other) / (edge - other + 0.01 * edge.signum())
    } else {
        (socket - elevation) / (socket - edge)
    };
    let turn = share * 0.94 * (other - edge) * s.clamp(0.0, 1.0) * depth.sqrt();
    // Up is a negative turn about +X.
    let turned = Quat::from_rotation_x(-turn) * from_eye - from_eye;
    // The lid glides over the bulge of the cornea.
    turned + Vec3::Z * (0.10 * share.max(0.0) * s.clamp(0.0, 1.0) * depth)
}

fn look(p: Vec3, out: f32, up: f32) -> Vec3 {
    let from_eye = p - EYE;
    let weight = soft_sphere(Vec3::new(from_eye.x / 1.3, from_eye.y / 0.85, (from_eye.z - 1.3) / 0.9));
    let turned = Quat::from_rotation_y(out) * Quat::from_rotation_x(-up) * from_eye;
    (turned - from_eye) * weight.sqrt()
}

/// `(1 - r^2)^3` inside of the unit sphere, 0 outside: two continuous derivatives.
fn soft_sphere(r: Vec3) -> f32 {
    (1.0 - r.length_squared()).max(0.0).powi(3)
}

/// 0 below 0, 1 above 1, with flat ends.
fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
