//! Colours: sRGB bytes outside, linear light inside.
//!
//! Shading, blending and antialiasing add light, so they happen in linear values; bytes are made once, at the
//! end. What must hold: a colour that goes in and comes out unblended is the same three bytes.
//! Based on: IEC 61966-2-1 (sRGB), the transfer function.

use std::sync::LazyLock;

use glam::Vec3;

/// An opaque sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour {
    /// Red, sRGB encoded.
    pub r: u8,
    /// Green, sRGB encoded.
    pub g: u8,
    /// Blue, sRGB encoded.
    pub b: u8,
}

impl Colour {
    /// White.
    pub const WHITE: Self = Self::hex(0xffffff);
    /// Black.
    pub const BLACK: Self = Self::hex(0x000000);
    /// Near black, for words and thin lines.
    pub const INK: Self = Self::hex(0x22262e);
    /// Neutral light grey, for models.
    pub const GREY: Self = Self::hex(0xc4c7cc);
    /// Warm light grey, for models.
    pub const CLAY: Self = Self::hex(0xd9c3ae);
    /// Marks: touching, wrong.
    pub const RED: Self = Self::hex(0xe0383e);
    /// Marks: second side, candidates.
    pub const ORANGE: Self = Self::hex(0xf59b23);
    /// Marks: bounds.
    pub const BLUE: Self = Self::hex(0x3a7bd5);
    /// Marks: passed, separate.
    pub const GREEN: Self = Self::hex(0x3aa35b);
    /// Marks: one more that is told apart from the others.
    pub const VIOLET: Self = Self::hex(0x8c5fc4);

    /// A colour from its three sRGB bytes.
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b }
    }

    /// A colour from `0xRRGGBB`; higher bits are ignored.
    pub const fn hex(rgb: u32) -> Self {
        Self::rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
    }

    /// Between this colour and another: `part` of the other's light, from 0 to 1.
    #[must_use]
    pub fn mixed(self, other: Self, part: f32) -> Self {
        Self::from_linear(self.to_linear().lerp(other.to_linear(), part.clamp(0.0, 1.0)))
    }

    /// Linear light in bytes, as glTF stores the colours of vertices.
    pub fn to_linear_bytes(self) -> [u8; 3] {
        self.to_linear().to_array().map(|light| (light * 255.0 + 0.5) as u8)
    }

    /// Linear light, each channel in 0..=1.
    pub(crate) fn to_linear(self) -> Vec3 {
        Vec3::new(linear_from_byte(self.r), linear_from_byte(self.g), linear_from_byte(self.b))
    }

    /// The nearest sRGB colour; light above 1 is cut off.
    pub(crate) fn from_linear(linear: Vec3) -> Self {
        let index = linear.clamp(Vec3::ZERO, Vec3::ONE) * ENCODE_STEPS as f32 + 0.5;
        Self::rgb(ENCODE[index.x as usize], ENCODE[index.y as usize], ENCODE[index.z as usize])
    }
}

/// Steps of the encoding table. sRGB is steepest at black, 12.92 * 255 bytes per unit of light: with 2^14
/// steps a byte is at least 4 steps wide there, so rounding to a step never changes a byte that came from a
/// byte.
const ENCODE_STEPS: usize = 1 << 14;

static ENCODE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    (0..=ENCODE_STEPS).map(|step| byte_from_linear(step as f32 / ENCODE_STEPS as f32)).collect()
});

fn linear_from_byte(byte: u8) -> f32 {
    let encoded = f32::from(byte) / 255.0;
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

fn byte_from_linear(linear: f32) -> u8 {
    let encoded = if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_round_trip() {
        for byte in 0..=255 {
            let colour = Colour::rgb(byte, 255 - byte, byte / 2);
            assert_eq!(Colour::from_linear(colour.to_linear()), colour);
        }
    }

    #[test]
    fn linear_bytes_keep_black_and_white() {
        assert_eq!(Colour::rgb(0, 188, 255).to_linear_bytes(), [0, 128, 255]);
    }

    #[test]
    fn half_of_white_light_is_not_half_of_the_byte() {
        assert_eq!(Colour::from_linear(Vec3::splat(0.5)), Colour::rgb(188, 188, 188));
    }
}
