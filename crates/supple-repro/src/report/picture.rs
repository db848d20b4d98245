//! Pictures of models, side by side, with balls around their parts: PNG bytes for the page.
//!
//! In: posed meshes and what is to be seen of them. Out: one picture whose panels share a camera, so that sizes can be
//! compared by eye.

use glam::Vec3;
use supple_draw::{Camera, Canvas, Colour, Style, text_size};

/// A drawn picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What is seen, from left to right.
    pub caption: String,
    /// The bytes of a PNG.
    pub png: Vec<u8>,
}

/// A mesh, and balls around parts of it.
#[derive(Clone, Copy, Debug)]
pub struct Panel<'a> {
    /// Written into the lower left corner; ASCII.
    pub label: &'a str,
    /// Posed vertices.
    pub positions: &'a [Vec3],
    /// Corners.
    pub triangles: &'a [[u32; 3]],
    /// Balls, e.g. of one level of a tree, each with its colour: translucent, or solid where there are no triangles.
    pub balls: &'a [Ball],
}

/// A ball.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    /// Its middle.
    pub center: Vec3,
    /// Its radius.
    pub radius: f32,
    /// Its colour; two colours tell two kinds of bounds apart.
    pub colour: Colour,
}

/// What all panels look at.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Corners of the box that is seen.
    pub bounds: [Vec3; 2],
    /// From the model to the eye.
    pub direction: Vec3,
    /// Width and height of a panel in pixels.
    pub size: [u32; 2],
}

impl View {
    /// A box around all points, seen from a direction.
    pub fn around(points: &[Vec3], direction: Vec3, size: [u32; 2]) -> Self {
        let start = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let bounds = points.iter().fold(start, |[min, max], &p| [min.min(p), max.max(p)]);
        Self { bounds, direction, size }
    }
}

/// Pixels between panels.
const GAP: u32 = 4;

/// How much a ball hides of what is in it.
const BALL_OPACITY: f32 = 0.22;

/// Draws panels in one row.
///
/// # Panics
/// There is no panel, or a side is 0 or above 16,384 pixels.
pub fn side_by_side(caption: impl Into<String>, view: &View, panels: &[Panel]) -> Picture {
    let [width, height] = view.size;
    let count = panels.len() as u32;
    let whole = Canvas::with_background(
        count * (width + GAP) - GAP.min(count * (width + GAP)),
        height,
        Colour::WHITE,
        Colour::WHITE,
    );
    let mut canvas = whole.expect("panels have a size that can be drawn");
    for (index, panel) in panels.iter().enumerate() {
        canvas.paste(&drawn(view, panel), (index as u32 * (width + GAP)) as i32, 0);
    }
    Picture {
        caption: caption.into(),
        png: canvas.to_png_bytes().expect("a picture in memory can be written"),
    }
}

fn drawn(view: &View, panel: &Panel) -> Canvas {
    let camera = Camera::framing(view.bounds[0], view.bounds[1], view.direction);
    let mut canvas = Canvas::new(view.size[0], view.size[1]).expect("panels have a size that can be drawn");
    let style = Style::smooth(Colour::CLAY).with_edges(Colour::INK);
    canvas.draw_mesh(&camera, panel.positions, panel.triangles, &style);
    let opacity = if panel.triangles.is_empty() { 1.0 } else { BALL_OPACITY };
    for ball in panel.balls {
        canvas.draw_sphere(&camera, ball.center, ball.radius, ball.colour, opacity);
    }
    let (_, line) = text_size(panel.label, 2);
    canvas.draw_text(8, view.size[1] as i32 - line as i32 - 8, 2, panel.label, Colour::INK);
    canvas
}
