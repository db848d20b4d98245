//! Draws a ball three times: smooth, with marked triangles and edges, and with a bounding sphere.
//!
//! `cargo run --release -p supple-draw --example ball [OUT.png]`

use glam::Vec3;
use supple_draw::{Camera, Canvas, Colour, DrawError, FRONT, Style, THREE_QUARTER, text_size};

const SIDE: u32 = 420;

fn main() -> Result<(), DrawError> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "ball.png".to_owned());
    let (positions, triangles) = ball(24, 48);
    let (min, max) = (Vec3::splat(-1.25), Vec3::splat(1.25));
    let camera = Camera::framing_perspective(min, max, THREE_QUARTER, 0.6);

    let mut smooth = Canvas::new(SIDE, SIDE)?;
    let front = Camera::framing(min, max, FRONT);
    smooth.draw_mesh(&front, &positions, &triangles, &Style::smooth(Colour::CLAY));
    label(&mut smooth, "smooth, from the front");

    let mut marked = Canvas::new(SIDE, SIDE)?;
    let touched = Vec3::new(0.2, 0.4, 0.9).normalize();
    let marks = |triangle: usize| {
        let nearest = triangles[triangle].map(|corner| positions[corner as usize].distance(touched));
        let is_near = |reach: f32| nearest.iter().any(|&distance| distance < reach);
        match (is_near(0.22), is_near(0.45)) {
            (true, _) => Some(Colour::RED),
            (_, true) => Some(Colour::ORANGE),
            _ => None,
        }
    };
    let style = Style::flat(Colour::GREY).with_marks(&marks).with_edges(Colour::INK);
    marked.draw_mesh(&camera, &positions, &triangles, &style);
    label(&mut marked, "flat, marks and edges");

    let mut bounded = Canvas::new(SIDE, SIDE)?;
    bounded.draw_mesh(&camera, &positions, &triangles, &Style::smooth(Colour::GREY));
    for axis in Vec3::AXES {
        bounded.draw_line(&camera, -1.3 * axis, 1.3 * axis, 2.0, Colour::INK);
    }
    bounded.draw_sphere(&camera, Vec3::new(0.75, 0.5, 0.75), 0.28, Colour::ORANGE, 1.0);
    bounded.draw_sphere(&camera, Vec3::ZERO, 1.25, Colour::BLUE, 0.15);
    label(&mut bounded, "inside a bounding sphere");

    let mut sheet = Canvas::with_background(3 * SIDE + 20, SIDE, Colour::WHITE, Colour::WHITE)?;
    for (place, view) in [smooth, marked, bounded].iter().enumerate() {
        sheet.paste(view, place as i32 * (SIDE as i32 + 10), 0);
    }
    sheet.write_png(&path)?;
    println!("{path}: {} x {} pixels", sheet.width(), sheet.height());
    Ok(())
}

fn label(canvas: &mut Canvas, text: &str) {
    let (wide, high) = text_size(text, 2);
    let (x, y) = (canvas.width().saturating_sub(wide) / 2, canvas.height().saturating_sub(high + 10));
    canvas.draw_text(x as i32, y as i32, 2, text, Colour::INK);
}

/// A unit ball of `rings` times `sectors` quads, with a seam.
fn ball(rings: u32, sectors: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut positions = Vec::new();
    for ring in 0..=rings {
        for sector in 0..=sectors {
            let polar = std::f32::consts::PI * ring as f32 / rings as f32;
            // The last sector lies exactly on the first: a seam to weld.
            let turn = std::f32::consts::TAU * (sector % sectors) as f32 / sectors as f32;
            positions.push(Vec3::new(polar.sin() * turn.sin(), polar.cos(), polar.sin() * turn.cos()));
        }
    }
    let mut triangles = Vec::new();
    for ring in 0..rings {
        for sector in 0..sectors {
            let a = ring * (sectors + 1) + sector;
            let (b, c, d) = (a + sectors + 1, a + sectors + 2, a + 1);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (positions, triangles)
}
