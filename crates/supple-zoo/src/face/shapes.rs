//! The 52 blend shapes, named and ordered as ARKit does.
//!
//! Each is a list of motions in centimetres, modelled on the face's left (+X).
//!
//! Based on: Apple, ARKit documentation, `ARFaceAnchor.BlendShapeLocation`.

use glam::Vec3;

use super::motion::Motion::{self, Between, Jaw, Look, LowerLid, Push, UpperLid};

/// A blend shape.
pub(super) struct Shape {
    pub name: &'static str,
    side: Side,
    motions: &'static [Motion],
}

/// Which side of the face the motions are for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    /// As modelled.
    Left,
    /// The mirror image.
    Right,
    /// As modelled and its mirror image.
    Both,
    /// As modelled, over the middle.
    Middle,
}

impl Shape {
    /// Displacement of a point, both in centimetres.
    pub fn displacement(&self, p: Vec3) -> Vec3 {
        let left = |p: Vec3| self.motions.iter().map(|motion| motion.displacement(p)).sum::<Vec3>();
        let mirrored = |p: Vec3| mirror(left(mirror(p)));
        match self.side {
            Side::Left | Side::Middle => left(p),
            Side::Right => mirrored(p),
            Side::Both => left(p) + mirrored(p),
        }
    }
}

/// All shapes, in the order of the coefficients.
pub(super) fn all() -> Vec<Shape> {
    let shape = |&(name, side, motions): &Row| Shape { name, side, motions };
    EYES.iter().chain(JAW_AND_MOUTH).chain(SIDES_OF_MOUTH).chain(BROW_TO_TONGUE).map(shape).collect()
}

/// Names of all shapes.
pub(super) fn names() -> Vec<&'static str> {
    all().iter().map(|shape| shape.name).collect()
}

fn mirror(p: Vec3) -> Vec3 {
    Vec3::new(-p.x, p.y, p.z)
}

const fn push(at: [f32; 3], reach: [f32; 3], by: [f32; 3]) -> Motion {
    Push { at: Vec3::from_array(at), reach: Vec3::from_array(reach), by: Vec3::from_array(by) }
}

type Row = (&'static str, Side, &'static [Motion]);

const BLINK: &[Motion] = &[UpperLid { share: 1.0 }];
const LOOK_DOWN: &[Motion] = &[Look { out: 0.0, up: -0.30 }, UpperLid { share: 0.30 }];
const LOOK_IN: &[Motion] = &[Look { out: -0.42, up: 0.0 }];
const LOOK_OUT: &[Motion] = &[Look { out: 0.42, up: 0.0 }];
const LOOK_UP: &[Motion] = &[Look { out: 0.0, up: 0.28 }, UpperLid { share: -0.22 }];
const SQUINT: &[Motion] = &[
    LowerLid { share: 0.45 },
    UpperLid { share: 0.22 },
    push([3.6, -1.6, 7.0], [2.2, 1.3, 2.5], [0.0, 0.25, 0.1]),
];
const WIDE: &[Motion] = &[UpperLid { share: -0.38 }, LowerLid { share: -0.15 }];

#[rustfmt::skip]
const EYES: &[Row] = &[
    ("eyeBlinkLeft", Side::Left, BLINK),
    ("eyeLookDownLeft", Side::Left, LOOK_DOWN),
    ("eyeLookInLeft", Side::Left, LOOK_IN),
    ("eyeLookOutLeft", Side::Left, LOOK_OUT),
    ("eyeLookUpLeft", Side::Left, LOOK_UP),
    ("eyeSquintLeft", Side::Left, SQUINT),
    ("eyeWideLeft", Side::Left, WIDE),
    ("eyeBlinkRight", Side::Right, BLINK),
    ("eyeLookDownRight", Side::Right, LOOK_DOWN),
    ("eyeLookInRight", Side::Right, LOOK_IN),
    ("eyeLookOutRight", Side::Right, LOOK_OUT),
    ("eyeLookUpRight", Side::Right, LOOK_UP),
    ("eyeSquintRight", Side::Right, SQUINT),
    ("eyeWideRight", Side::Right, WIDE),
];

/// Regions of the lips: the whole mouth, its lips, and one corner.
const UPPER_LIP: [f32; 3] = [0.0, -6.55, 8.6];
const LOWER_LIP: [f32; 3] = [0.0, -7.95, 8.6];
const LIP_REACH: [f32; 3] = [2.6, 0.95, 2.2];
const CORNER: [f32; 3] = [2.6, -7.25, 7.5];

#[rustfmt::skip]
const JAW_AND_MOUTH: &[Row] = &[
    ("jawForward", Side::Middle, &[Jaw { open: 0.0, left: 0.0, by: Vec3::new(0.0, 0.0, 0.8) }]),
    ("jawLeft", Side::Middle, &[Jaw { open: 0.0, left: 0.09, by: Vec3::new(0.2, 0.0, 0.0) }]),
    ("jawRight", Side::Middle, &[Jaw { open: 0.0, left: -0.09, by: Vec3::new(-0.2, 0.0, 0.0) }]),
    ("jawOpen", Side::Middle, &[
        Jaw { open: 0.30, left: 0.0, by: Vec3::ZERO },
        Between { x: 0.0, half_width: 2.6, by: Vec3::new(0.0, -0.2, -3.2) },
    ]),
    // Closes the lips of an open jaw.
    ("mouthClose", Side::Middle, &[
        push(LOWER_LIP, [2.7, 1.3, 2.4], [0.0, 1.5, 0.3]),
        push(UPPER_LIP, LIP_REACH, [0.0, -0.35, 0.0]),
        Between { x: 0.0, half_width: 2.6, by: Vec3::new(0.0, 0.3, 2.4) },
    ]),
    ("mouthFunnel", Side::Both, &[
        push([0.0, -6.5, 8.6], LIP_REACH, [0.0, 0.22, 0.45]),
        push([0.0, -8.0, 8.6], LIP_REACH, [0.0, -0.25, 0.45]),
        push(CORNER, [1.7, 1.5, 2.0], [-0.75, 0.0, 0.55]),
        Between { x: 0.0, half_width: 1.8, by: Vec3::new(0.0, 0.0, -0.6) },
    ]),
    ("mouthPucker", Side::Both, &[
        push([0.0, -7.2, 8.6], [2.8, 1.9, 2.4], [0.0, 0.0, 0.45]),
        push(CORNER, [1.9, 1.6, 2.2], [-1.0, 0.0, 0.8]),
    ]),
    ("mouthLeft", Side::Middle, &[push([0.0, -7.2, 8.0], [4.2, 2.6, 3.2], [0.9, 0.05, -0.05])]),
    ("mouthRight", Side::Middle, &[push([0.0, -7.2, 8.0], [4.2, 2.6, 3.2], [-0.9, 0.05, -0.05])]),
    ("mouthRollLower", Side::Middle, &[
        push([0.0, -7.75, 8.8], [2.4, 0.75, 1.4], [0.0, 0.28, -0.55]),
    ]),
    ("mouthRollUpper", Side::Middle, &[
        push([0.0, -6.70, 8.8], [2.4, 0.65, 1.4], [0.0, -0.24, -0.55]),
    ]),
    ("mouthShrugLower", Side::Middle, &[
        push([0.0, -8.3, 8.3], [2.9, 1.7, 2.4], [0.0, 0.55, 0.35]),
        push([0.0, -10.0, 7.8], [2.2, 1.6, 2.2], [0.0, 0.40, 0.1]),
    ]),
    ("mouthShrugUpper", Side::Middle, &[push([0.0, -6.45, 8.5], [2.8, 1.2, 2.4], [0.0, 0.40, 0.25])]),
];

const SMILE: &[Motion] = &[
    push(CORNER, [2.7, 2.3, 3.0], [0.70, 0.80, -0.40]),
    push([4.0, -4.2, 6.4], [2.6, 2.4, 2.6], [0.15, 0.45, 0.30]),
];
const FROWN: &[Motion] = &[push(CORNER, [2.4, 2.2, 2.8], [0.15, -0.80, -0.1])];
const DIMPLE: &[Motion] = &[push([2.9, -7.1, 7.0], [1.5, 1.4, 2.0], [0.35, 0.1, -0.55])];
const STRETCH: &[Motion] = &[push([2.7, -7.5, 7.2], [2.4, 1.9, 2.6], [0.95, -0.30, -0.45])];
const PRESS: &[Motion] = &[
    push([1.3, -6.75, 8.3], [1.6, 0.70, 1.6], [0.0, -0.20, -0.2]),
    push([1.3, -7.75, 8.3], [1.6, 0.75, 1.6], [0.0, 0.25, -0.2]),
];
const LOWER_DOWN: &[Motion] = &[
    push([1.1, -7.95, 8.4], [1.7, 0.85, 2.0], [0.0, -0.60, 0.05]),
    Between { x: 1.1, half_width: 1.5, by: Vec3::new(0.0, 0.0, -0.5) },
];
const UPPER_UP: &[Motion] = &[
    push([1.1, -6.50, 8.4], [1.7, 0.90, 2.0], [0.0, 0.55, 0.1]),
    Between { x: 1.1, half_width: 1.5, by: Vec3::new(0.0, 0.0, -0.5) },
];

#[rustfmt::skip]
const SIDES_OF_MOUTH: &[Row] = &[
    ("mouthSmileLeft", Side::Left, SMILE),
    ("mouthSmileRight", Side::Right, SMILE),
    ("mouthFrownLeft", Side::Left, FROWN),
    ("mouthFrownRight", Side::Right, FROWN),
    ("mouthDimpleLeft", Side::Left, DIMPLE),
    ("mouthDimpleRight", Side::Right, DIMPLE),
    ("mouthStretchLeft", Side::Left, STRETCH),
    ("mouthStretchRight", Side::Right, STRETCH),
    ("mouthPressLeft", Side::Left, PRESS),
    ("mouthPressRight", Side::Right, PRESS),
    ("mouthLowerDownLeft", Side::Left, LOWER_DOWN),
    ("mouthLowerDownRight", Side::Right, LOWER_DOWN),
    ("mouthUpperUpLeft", Side::Left, UPPER_UP),
    ("mouthUpperUpRight", Side::Right, UPPER_UP),
];

const BROW_DOWN: &[Motion] = &[
    push([2.2, 1.9, 7.9], [2.8, 1.6, 2.4], [-0.25, -0.60, 0.15]),
    push([4.3, 1.9, 7.0], [1.8, 1.4, 2.0], [-0.05, -0.25, 0.0]),
];
const BROW_OUTER_UP: &[Motion] = &[push([4.3, 2.2, 6.8], [2.2, 2.0, 2.6], [0.05, 0.75, 0.0])];
const CHEEK_SQUINT: &[Motion] =
    &[push([3.9, -2.0, 6.8], [2.2, 1.6, 2.4], [0.0, 0.50, 0.25]), LowerLid { share: 0.25 }];
const SNEER: &[Motion] = &[
    push([1.3, -4.2, 9.0], [1.5, 1.3, 1.8], [0.15, 0.50, 0.05]),
    push([1.9, -5.6, 8.0], [1.5, 1.2, 1.8], [0.10, 0.40, 0.1]),
];

#[rustfmt::skip]
const BROW_TO_TONGUE: &[Row] = &[
    ("browDownLeft", Side::Left, BROW_DOWN),
    ("browDownRight", Side::Right, BROW_DOWN),
    ("browInnerUp", Side::Both, &[push([1.4, 2.2, 8.0], [2.0, 2.0, 2.6], [0.0, 0.70, 0.05])]),
    ("browOuterUpLeft", Side::Left, BROW_OUTER_UP),
    ("browOuterUpRight", Side::Right, BROW_OUTER_UP),
    ("cheekPuff", Side::Both, &[push([4.2, -6.4, 5.6], [2.5, 2.6, 3.0], [1.1, 0.0, 0.7])]),
    ("cheekSquintLeft", Side::Left, CHEEK_SQUINT),
    ("cheekSquintRight", Side::Right, CHEEK_SQUINT),
    ("noseSneerLeft", Side::Left, SNEER),
    ("noseSneerRight", Side::Right, SNEER),
    // The tongue is the surface between the lips, and it pushes the lower lip aside.
    ("tongueOut", Side::Middle, &[
        Between { x: 0.0, half_width: 1.5, by: Vec3::new(0.0, -0.35, 2.4) },
        push(LOWER_LIP, LIP_REACH, [0.0, -0.35, 0.05]),
    ]),
];
