//! Models side by side, with spheres around their parts.
//!
//! In: posed meshes and what is to be seen of them. Out: one picture whose panels share a camera, so that sizes can be
//! compared by eye.

use glam::Vec3;

use crate::{Camera, Canvas, Colour, DrawError, Style, text_size};

/// A mesh, and spheres around parts of it.
#[derive(Clone, Copy, Debug)]
pub struct Panel<'a> {
    /// Written into the lower left corner; ASCII.
    pub label: &'a str,
    /// Posed vertices.
    pub positions: &'a [Vec3],
    /// Corners.
    pub triangles: &'a [[u32; 3]],
    /// Spheres, e.g. of one level of a tree: translucent, or solid where there are no triangles.
    pub spheres: &'a [ColouredSphere],
}

/// A sphere with its colour.
#[derive(Clone, Copy, Debug)]
pub struct ColouredSphere {
    /// Its center.
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
pub const GAP: u32 = 4;

/// How much a sphere hides of what is in it.
const SPHERE_OPACITY: f32 = 0.22;

/// Draws panels in one row. No panel, or a size that no picture can have, is an error.
pub fn side_by_side(view: &View, panels: &[Panel]) -> Result<Canvas, DrawError> {
    let [width, height] = view.size;
    let step = width.saturating_add(GAP);
    let whole = step.saturating_mul(panels.len() as u32).saturating_sub(GAP);
    let mut canvas = Canvas::with_background(whole, height, Colour::WHITE, Colour::WHITE)?;
    for (index, panel) in panels.iter().enumerate() {
        canvas.paste(&drawn(view, panel)?, (index as u32 * step) as i32, 0);
    }
    Ok(canvas)
}

fn drawn(view: &View, panel: &Panel) -> Result<Canvas, DrawError> {
    let camera = Camera::framing(view.bounds[0], view.bounds[1], view.direction);
    let mut canvas = Canvas::new(view.size[0], view.size[1])?;
    let style = Style::smooth(Colour::CLAY).with_edges(Colour::INK);
    canvas.draw_mesh(&camera, panel.positions, panel.triangles, &style);
    let opacity = if panel.triangles.is_empty() { 1.0 } else { SPHERE_OPACITY };
    for sphere in panel.spheres {
        canvas.draw_sphere(&camera, sphere.center, sphere.radius, sphere.colour, opacity);
    }
    let (_, line) = text_size(panel.label, 2);
    canvas.draw_text(8, view.size[1] as i32 - line as i32 - 8, 2, panel.label, Colour::INK);
    Ok(canvas)
}
