//! What the face does: blink, talk, expressions, and faces at random.
//!
//! In: the names of the coefficients. Out: clips that start and end with the same face, so that they loop.

use supple::pose::{Channel, Interpolation, Target};
use supple::{Clip, ModelError};

/// Coefficients by name, at a time in seconds; everything else is 0.
type Key = (f32, &'static [(&'static str, f32)]);

/// All clips over the coefficients of these names.
pub(super) fn all(names: &[&str]) -> Result<Vec<Clip>, ModelError> {
    let named = |keys: &[Key]| keys.iter().map(|&(time, face)| (time, coefficients(names, face))).collect();
    Ok(vec![
        clip("expressions", named(EXPRESSIONS))?,
        clip("talk", named(TALK))?,
        clip("blink", named(BLINK))?,
        clip("random", random_faces(names.len()))?,
    ])
}

const REST: &[(&str, f32)] = &[];
const CLOSED: &[(&str, f32)] = &[("eyeBlinkLeft", 1.0), ("eyeBlinkRight", 1.0)];
const BLINK: &[Key] = &[
    (0.0, REST),
    (1.0, REST),
    (1.1, CLOSED),
    (1.15, CLOSED),
    (1.35, REST),
    (2.6, REST),
    (2.7, CLOSED),
    (2.75, CLOSED),
    (2.95, REST),
    (4.0, REST),
];

#[rustfmt::skip]
const SMILE: &[(&str, f32)] = &[
    ("mouthSmileLeft", 1.0), ("mouthSmileRight", 1.0), ("cheekSquintLeft", 0.7), ("cheekSquintRight", 0.7),
    ("mouthUpperUpLeft", 0.4), ("mouthUpperUpRight", 0.4), ("jawOpen", 0.15), ("browOuterUpLeft", 0.3),
    ("browOuterUpRight", 0.3),
];
#[rustfmt::skip]
const SURPRISE: &[(&str, f32)] = &[
    ("browInnerUp", 1.0), ("browOuterUpLeft", 1.0), ("browOuterUpRight", 1.0), ("eyeWideLeft", 1.0),
    ("eyeWideRight", 1.0), ("jawOpen", 0.85), ("mouthFunnel", 0.5),
];
#[rustfmt::skip]
const ANGER: &[(&str, f32)] = &[
    ("browDownLeft", 1.0), ("browDownRight", 1.0), ("eyeSquintLeft", 0.6), ("eyeSquintRight", 0.6),
    ("noseSneerLeft", 0.8), ("noseSneerRight", 0.8), ("mouthPressLeft", 0.9), ("mouthPressRight", 0.9),
    ("mouthFrownLeft", 0.5), ("mouthFrownRight", 0.5), ("jawForward", 0.4),
];
#[rustfmt::skip]
const SORROW: &[(&str, f32)] = &[
    ("browInnerUp", 1.0), ("mouthFrownLeft", 1.0), ("mouthFrownRight", 1.0), ("mouthShrugLower", 0.7),
    ("eyeBlinkLeft", 0.35), ("eyeBlinkRight", 0.35), ("eyeLookDownLeft", 0.8), ("eyeLookDownRight", 0.8),
];
#[rustfmt::skip]
const KISS: &[(&str, f32)] = &[
    ("mouthPucker", 1.0), ("eyeBlinkLeft", 1.0), ("eyeBlinkRight", 1.0), ("browOuterUpRight", 0.5),
];
#[rustfmt::skip]
const TEASE: &[(&str, f32)] = &[
    ("jawOpen", 0.5), ("tongueOut", 1.0), ("eyeBlinkLeft", 1.0), ("mouthSmileLeft", 0.7), ("browOuterUpRight", 0.9),
    ("eyeLookInRight", 0.5),
];
const EXPRESSIONS: &[Key] = &[
    (0.0, REST),
    (0.5, SMILE),
    (1.2, SMILE),
    (1.8, SURPRISE),
    (2.5, SURPRISE),
    (3.1, ANGER),
    (3.8, ANGER),
    (4.4, SORROW),
    (5.1, SORROW),
    (5.7, KISS),
    (6.2, KISS),
    (6.8, TEASE),
    (7.4, TEASE),
    (8.0, REST),
];

const AH: &[(&str, f32)] = &[("jawOpen", 0.7), ("mouthLowerDownLeft", 0.3), ("mouthLowerDownRight", 0.3)];
const EE: &[(&str, f32)] = &[
    ("jawOpen", 0.18),
    ("mouthStretchLeft", 0.7),
    ("mouthStretchRight", 0.7),
    ("mouthUpperUpLeft", 0.4),
    ("mouthUpperUpRight", 0.4),
];
const OO: &[(&str, f32)] = &[("jawOpen", 0.22), ("mouthFunnel", 0.5), ("mouthPucker", 0.7)];
const OH: &[(&str, f32)] = &[("jawOpen", 0.5), ("mouthFunnel", 0.9)];
const MM: &[(&str, f32)] = &[("mouthPressLeft", 0.8), ("mouthPressRight", 0.8), ("mouthRollLower", 0.3)];
const FF: &[(&str, f32)] =
    &[("jawOpen", 0.08), ("mouthRollLower", 0.8), ("mouthUpperUpLeft", 0.5), ("mouthUpperUpRight", 0.5)];
const TALK: &[Key] = &[
    (0.0, REST),
    (0.12, MM),
    (0.30, AH),
    (0.48, EE),
    (0.62, FF),
    (0.80, OH),
    (0.95, MM),
    (1.10, OO),
    (1.30, AH),
    (1.45, REST),
    (1.75, EE),
    (1.90, MM),
    (2.08, AH),
    (2.25, OO),
    (2.40, FF),
    (2.60, EE),
    (2.85, OH),
    (3.0, MM),
    (3.4, REST),
];

/// Nine faces of a few coefficients each, from a fixed seed.
fn random_faces(count: usize) -> Vec<(f32, Vec<f32>)> {
    const FACES: usize = 9;
    let mut state = 2004u32;
    let mut next = || {
        // Numerical Recipes' linear congruential generator; the upper bits are good enough for faces.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let mut keys = vec![(0.0, vec![0.0; count])];
    for face in 1..=FACES {
        let mut coefficients = vec![0.0; count];
        for _ in 0..7 {
            coefficients[(next() * count as f32) as usize % count] = 0.3 + 0.7 * next();
        }
        keys.push((0.7 * face as f32, coefficients));
    }
    keys.push((0.7 * (FACES + 1) as f32, vec![0.0; count]));
    keys
}

fn coefficients(names: &[&str], face: &[(&str, f32)]) -> Vec<f32> {
    let value = |name: &&str| face.iter().find(|(n, _)| n == name).map_or(0.0, |(_, value)| *value);
    names.iter().map(value).collect()
}

/// Keys with smooth starts and stops between them.
fn clip(name: &str, keys: Vec<(f32, Vec<f32>)>) -> Result<Clip, ModelError> {
    let (mut times, mut values) = (Vec::new(), Vec::new());
    let width = keys[0].1.len();
    for (time, face) in keys {
        times.push(time);
        let still = vec![0.0; width];
        values.extend([still.clone(), face, still].concat());
    }
    let target = Target::Coefficients(0..width);
    let channel = Channel { target, interpolation: Interpolation::CubicSpline, times, values };
    Ok(Clip::new(name, vec![channel])?)
}
