//! A human head as lumps, in centimetres around the point between the ears.
//!
//! The head is 23 cm high and looks along +Z; chin at y = -11, crown at y = 12.

use glam::DVec3;

use super::recipe::Recipe;
use crate::sculpt::Primitive;

/// Where a head is and how large.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeadFrame {
    pub center: DVec3,
    /// 1 for an adult.
    pub scale: f64,
}

impl HeadFrame {
    /// A lump given in centimetres, placed.
    pub fn put(&self, lump: Primitive) -> Primitive {
        lump.placed(self.center, 0.01 * self.scale)
    }

    /// A point given in centimetres, placed.
    pub fn at(&self, x: f64, y: f64, z: f64) -> DVec3 {
        self.center + DVec3::new(x, y, z) * (0.01 * self.scale)
    }
}

/// Adds skull, face and ears to one joint, and finer triangles around them (relative to the body's).
pub(crate) fn add_head(recipe: &mut Recipe, frame: HeadFrame, joint: &str, fineness: f64) {
    let v = DVec3::new;
    let mut middle = |lump: Primitive| recipe.lump(joint, frame.put(lump));
    // Skull, face, chin.
    middle(Primitive::ellipsoid(v(0.0, 3.2, -1.3), v(7.6, 8.8, 9.6)).blend(3.0));
    middle(Primitive::cone(v(0.0, 1.8, 2.4), v(0.0, -6.0, 4.1), 6.2, 3.9).blend(3.0));
    middle(Primitive::sphere(v(0.0, -8.9, 6.3), 1.8).stretched(DVec3::X, 1.4).blend(2.4));
    // Nose and lips.
    middle(Primitive::cone(v(0.0, 1.6, 7.9), v(0.0, -2.3, 10.1), 0.7, 1.05).blend(1.5));
    middle(Primitive::sphere(v(0.0, -5.3, 7.75), 0.6).stretched(DVec3::X, 3.0).blend(1.0));
    middle(Primitive::sphere(v(0.0, -6.6, 7.6), 0.7).stretched(DVec3::X, 2.4).blend(1.0));
    let mut both = |lump: Primitive| recipe.pair(joint, frame.put(lump));
    both(Primitive::sphere(v(1.15, -2.8, 8.9), 0.75).blend(0.8));
    // Brow, cheek, jaw.
    both(Primitive::cone(v(1.3, 2.7, 7.6), v(4.6, 2.5, 6.0), 1.0, 0.9).blend(1.8));
    both(Primitive::sphere(v(4.3, -1.9, 5.2), 1.7).blend(2.5));
    both(Primitive::cone(v(4.9, -4.0, 0.4), v(1.6, -8.5, 5.6), 1.6, 1.5).blend(2.6));
    // Sockets, and the eyes in them.
    both(Primitive::ellipsoid(v(3.2, 0.5, 9.0), v(2.0, 1.4, 2.2)).blend(1.2).carved());
    both(Primitive::ellipsoid(v(3.2, 0.5, 6.2), v(1.5, 1.1, 1.3)).blend(0.5).late());
    // Ears.
    both(Primitive::ellipsoid(v(7.7, 0.2, -1.0), v(0.9, 3.2, 2.0)).blend(0.9));
    let (at, cm) = (|x, y, z| frame.at(x, y, z), 0.01 * frame.scale);
    recipe.focus(at(0.0, -3.0, 7.0), 6.0 * cm, 0.32 * fineness);
    recipe.focus(at(7.8, 0.0, -1.0), 3.0 * cm, 0.3 * fineness);
    recipe.focus(at(0.0, 0.0, 0.0), 10.0 * cm, 0.5 * fineness);
}
