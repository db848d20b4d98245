//! Three lamps that move with the viewer, so that every view shows the shape equally well.
//!
//! In comes a surface colour, a unit normal and the unit direction to the viewer (view space, linear light),
//! out goes the light that reaches the eye: a soft ambient that is brighter from above, a key lamp (upper
//! left), a fill lamp (right), a rim lamp that lifts outlines off the background, and a weak highlight of the
//! key lamp.
//!
//! ```text
//! lamp(d) = ((1 + d) / 2)^2
//! light = colour (ambient(n.y) + KEY lamp(n.k) + FILL lamp(n.f))
//!       + RIM (1 - n.v)^3 max(n.y + 0.4, 0) + SHINE max(n.h, 0)^32
//! ```
//!
//! The lamps reach around the surface instead of stopping at n.k = 0: a hard shadow line on a round surface
//! would look like a crease of the mesh.

use glam::Vec3;

/// Light towards the viewer from a surface that faces it.
pub(crate) fn shade(colour: Vec3, normal: Vec3, to_viewer: Vec3) -> Vec3 {
    let ambient = AMBIENT_MIDDLE + AMBIENT_SLOPE * normal.y;
    let key = KEY * lamp(normal.dot(TO_KEY));
    let fill = FILL * lamp(normal.dot(TO_FILL));
    let grazing = 1.0 - normal.dot(to_viewer).clamp(0.0, 1.0);
    let rim = RIM * grazing.powi(3) * (normal.y + 0.4).max(0.0);
    let half_way = (TO_KEY + to_viewer).normalize_or_zero();
    let shine = SHINE * normal.dot(half_way).max(0.0).powi(32);
    colour * (ambient + key + fill) + (rim + shine)
}

/// The share of a lamp's light for the cosine between normal and lamp.
fn lamp(cosine: f32) -> f32 {
    let share = 0.5 + 0.5 * cosine;
    share * share
}

/// Unit directions to the lamps: x right, y up, z to the viewer.
const TO_KEY: Vec3 = Vec3::new(-0.462_910, 0.617_213, 0.636_285);
const TO_FILL: Vec3 = Vec3::new(0.832_050, 0.110_940, 0.543_500);

// Together about 1.1 on the key side, so that only highlights are cut off; at least 0.1 anywhere, so that
// nothing drowns in black.
const AMBIENT_MIDDLE: f32 = 0.17;
const AMBIENT_SLOPE: f32 = 0.06;
const KEY: f32 = 0.80;
const FILL: f32 = 0.16;
const RIM: f32 = 0.16;
const SHINE: f32 = 0.07;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lamps_are_unit_directions() {
        assert!(TO_KEY.is_normalized() && TO_FILL.is_normalized());
    }

    #[test]
    fn shape_shows_and_nothing_is_black() {
        let grey = Vec3::splat(0.5);
        let light = |normal: Vec3| shade(grey, normal.normalize(), Vec3::Z).x;
        assert!(light(TO_KEY) > 1.5 * light(Vec3::X));
        assert!(light(Vec3::X) > light(Vec3::new(0.3, -1.0, 0.2)));
        assert!(light(Vec3::NEG_Y) > 0.05);
    }
}
