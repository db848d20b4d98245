//! A small, deterministic software renderer for looking at models.
//!
//! In come plain arrays (positions and index triples), balls, lines and words; out goes a picture with
//! antialiased edges, as PNG or as bytes. The same input gives the same picture, whatever the thread or the
//! run. Conventions are glTF's: right-handed, +Y up, counter-clockwise front faces (both sides are lit and
//! drawn). Input that cannot be drawn (positions that are not finite, indices out of range) is left out,
//! never a panic.
//!
//! ```
//! use glam::Vec3;
//! use supple_draw::{Camera, Canvas, Colour, Style, THREE_QUARTER};
//!
//! let positions = [Vec3::ZERO, Vec3::X, Vec3::Y];
//! let camera = Camera::framing(Vec3::ZERO, Vec3::ONE, THREE_QUARTER);
//! let mut canvas = Canvas::new(320, 240)?;
//! canvas.draw_mesh(&camera, &positions, &[[0, 1, 2]], &Style::smooth(Colour::CLAY));
//! canvas.draw_sphere(&camera, Vec3::splat(0.3), 0.5, Colour::BLUE, 0.2);
//! canvas.draw_text(8, 8, 2, "one triangle", Colour::INK);
//! assert!(canvas.to_png_bytes()?.starts_with(b"\x89PNG"));
//! # Ok::<(), supple_draw::DrawError>(())
//! ```
//!
//! [`SeeThrough`] draws a mesh of which some triangles must be seen whatever is in front of them, and does that fast.
//!
//! Opaque things may be drawn in any order. Translucent balls blend with what is already there, so they come
//! last.

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

mod camera;
mod canvas;
mod clip;
mod colour;
mod error;
mod font;
mod image;
mod light;
mod line;
mod mesh;
mod nearest;
mod normals;
mod palette;
pub mod panels;
mod png_file;
mod raster;
mod see_through;
mod sphere;
mod text;
mod view;

pub use camera::{BACK, Camera, FRONT, SIDE, THREE_QUARTER, TOP};
pub use canvas::Canvas;
pub use colour::Colour;
pub use error::DrawError;
pub use image::Image;
pub use mesh::{Shading, Style};
pub use see_through::{Cover, Facets, Kind, SeeThrough};
pub use text::text_size;
