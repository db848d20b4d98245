//! Pictures for the page: models side by side, as PNG bytes.

use supple_draw::panels;

pub use supple_draw::panels::{ColouredSphere, Panel, View};

/// A drawn picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What is seen, from left to right.
    pub caption: String,
    /// The bytes of a PNG.
    pub png: Vec<u8>,
}

/// Draws panels in one row.
///
/// # Panics
/// There is no panel, or a side is 0 or above 16,384 pixels.
pub fn side_by_side(caption: impl Into<String>, view: &View, panels: &[Panel]) -> Picture {
    let canvas = panels::side_by_side(view, panels).expect("panels have a size that can be drawn");
    Picture {
        caption: caption.into(),
        png: canvas.to_png_bytes().expect("a picture in memory can be written"),
    }
}
