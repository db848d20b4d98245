//! A left hand as lumps: palm, thumb and four fingers, placed at a wrist.
//!
//! Proportions are those of an adult hand of 0.19 m; fingers are slightly spread and bent, so that gaps stay open.

use glam::DVec3;

use super::recipe::Recipe;
use crate::sculpt::Primitive;

/// Where a hand is and how it is turned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandFrame {
    pub wrist: DVec3,
    /// From the wrist to the middle finger.
    pub along: DVec3,
    /// To the thumb.
    pub thumb: DVec3,
    /// Out of the palm.
    pub palm: DVec3,
    /// 1 for an adult.
    pub scale: f64,
}

impl HandFrame {
    /// A point by centimetres along, towards the thumb and out of the palm.
    pub fn at(&self, along: f64, thumb: f64, palm: f64) -> DVec3 {
        self.wrist + (self.along * along + self.thumb * thumb + self.palm * palm) * (0.01 * self.scale)
    }

    /// A point in the same centimetres as [`HandFrame::at`].
    pub fn at_point(&self, p: DVec3) -> DVec3 {
        self.at(p.x, p.y, p.z)
    }

    /// The axis about which fingers close.
    pub fn fold(&self) -> DVec3 {
        self.along.cross(self.palm)
    }

    /// The axis about which the thumb closes: over the palm.
    pub fn thumb_fold(&self) -> DVec3 {
        (self.along * 0.75 + self.thumb * 0.6).cross(self.palm * 0.75 - self.thumb * 0.65)
    }

    /// A length in centimetres.
    pub fn cm(&self, length: f64) -> f64 {
        0.01 * self.scale * length
    }
}

/// Knuckle, two joints and tip of a finger in centimetres of a [`HandFrame`], and the radius at the knuckle.
pub(crate) struct Finger {
    pub name: &'static str,
    pub points: [DVec3; 4],
    pub radius: f64,
}

/// Thumb, index, middle, ring and little finger.
pub(crate) fn fingers() -> [Finger; 5] {
    let finger = |name, knuckle: [f64; 2], spread: f64, lengths: [f64; 3], radius| {
        let mut points = [DVec3::new(knuckle[0], knuckle[1], 0.0); 4];
        // A relaxed hand: each phalanx bends a little more towards the palm.
        for (i, (length, bend)) in lengths.iter().zip([0.08, 0.2, 0.34]).enumerate() {
            let direction = DVec3::new(1.0, spread, bend).normalize();
            points[i + 1] = points[i] + direction * *length;
        }
        Finger { name, points, radius }
    };
    let thumb = [[2.2, 2.6, 0.7], [5.0, 4.9, 1.3], [7.6, 6.2, 1.7], [9.9, 6.9, 1.9]];
    [
        Finger { name: "thumb", points: thumb.map(DVec3::from_array), radius: 1.15 },
        finger("index", [9.0, 2.75], 0.20, [4.4, 2.8, 2.3], 0.9),
        finger("middle", [9.4, 0.75], 0.05, [4.9, 3.2, 2.4], 0.93),
        finger("ring", [9.0, -1.25], -0.11, [4.5, 2.9, 2.3], 0.88),
        finger("little", [8.3, -3.1], -0.29, [3.6, 2.1, 2.0], 0.8),
    ]
}

/// Adds palm and fingers; `joint_of(finger, segment)` names the joints: segment 0 is the part of the palm below the
/// finger, 1 to 3 are the phalanges.
pub(crate) fn add_hand(recipe: &mut Recipe, frame: HandFrame, joint_of: impl Fn(&str, usize) -> String) {
    let at = |p: [f64; 3]| frame.at(p[0], p[1], p[2]);
    let cm = |length| frame.cm(length);
    // Metacarpals fan out from the wrist.
    let rays = [
        ("index", [1.2, 1.2, 0.0], [8.2, 2.4, 0.0]),
        ("middle", [1.0, 0.5, -0.1], [8.6, 0.7, -0.1]),
        ("ring", [1.0, -0.4, 0.0], [8.2, -1.1, 0.0]),
        ("little", [1.2, -1.1, 0.1], [7.5, -2.7, 0.1]),
    ];
    for (finger, from, to) in rays {
        let ray = Primitive::cone(at(from), at(to), cm(1.75), cm(1.5)).stretched(frame.palm, 0.78);
        recipe.lump(&joint_of(finger, 0), ray.blend(cm(1.5)));
    }
    // The balls of thumb and little finger.
    let ball = Primitive::cone(at([2.0, 1.9, 0.5]), at([4.4, 3.6, 0.9]), cm(1.5), cm(1.35));
    recipe.lump(&joint_of("thumb", 0), ball.blend(cm(1.5)));
    let edge = Primitive::cone(at([2.2, -1.7, 0.5]), at([5.5, -2.4, 0.5]), cm(1.2), cm(1.1));
    recipe.lump(&joint_of("little", 0), edge.blend(cm(1.5)));
    for (group, finger) in (100..).zip(fingers()) {
        for phalanx in 0..3 {
            let [a, b] = [phalanx, phalanx + 1].map(|i| frame.at_point(finger.points[i]));
            let taper = 1.0 - 0.09 * phalanx as f64;
            let (ra, rb) = (cm(finger.radius * taper), cm(finger.radius * (taper - 0.09)));
            // The tip's sphere ends at the finger's end.
            let b = if phalanx == 2 { b - (b - a).normalize() * rb } else { b };
            let seam = cm(if phalanx == 0 { 0.85 } else { 0.25 });
            let lump = Primitive::cone(a, b, ra, rb).blend(seam).group(group);
            recipe.lump(&joint_of(finger.name, phalanx + 1), lump);
        }
    }
}
