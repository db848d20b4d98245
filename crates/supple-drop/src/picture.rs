//! A recording as a picture: some of its frames side by side, from one point of view.

use glam::Vec3;
use supple::{Pose, Skinning};
use supple_draw::{Camera, Canvas, Colour, Style, text_size};

use crate::error::DropError;
use crate::frame::Frame;
use crate::scene_kind::SceneKind;
use crate::scenes::Cast;
use crate::stand_in::StandIn;

/// Width and height of a panel in pixels.
const PANEL: [u32; 2] = [960, 560];
/// Panels in a row.
const COLUMNS: usize = 2;
/// Panels at most.
const PANELS: usize = 6;
/// Triangles of all bodies in a panel; beyond that coarser meshes stand for them.
const TRIANGLES: usize = 1_000_000;
/// Cells of stand-ins, from fine to coarse.
const CELLS: [usize; 4] = [48, 32, 22, 15];

const COLOURS: [Colour; 6] = [
    Colour::hex(0xe9e4d8),
    Colour::hex(0x6fa8c9),
    Colour::hex(0xd98f5c),
    Colour::hex(0x86b277),
    Colour::hex(0xc9707a),
    Colour::hex(0xe3c464),
];

/// Draws up to six of the frames, first and last among them.
///
/// # Errors
/// No frames.
pub fn picture(cast: &Cast, frames: &[Frame]) -> Result<Canvas, DropError> {
    let last = frames.len().checked_sub(1).ok_or(DropError::NoFrames)?;
    let shown = frames.len().min(PANELS);
    let columns = shown.min(COLUMNS);
    let rows = shown.div_ceil(columns);
    let mut sheet = Canvas::new(PANEL[0] * columns as u32, PANEL[1] * rows as u32)?;
    let camera = camera(cast, frames);
    let puppet = Puppet::new(cast, frames[0].bodies.len());
    for panel in 0..shown {
        let frame = &frames[panel * last / (shown - 1).max(1)];
        let canvas = drawn(cast, &puppet, frame, &camera)?;
        let [x, y] = [panel % columns, panel / columns];
        sheet.paste(&canvas, (x as u32 * PANEL[0]) as i32, (y as u32 * PANEL[1]) as i32);
    }
    Ok(sheet)
}

/// How a body is drawn.
enum Puppet {
    /// All of it.
    Whole,
    /// As something like it.
    Coarse(StandIn),
}

impl Puppet {
    fn new(cast: &Cast, count: usize) -> Self {
        let model = cast.prop().model();
        if model.mesh().triangles().len() * count <= TRIANGLES {
            return Self::Whole;
        }
        let mut coarse = StandIn::new(model, CELLS[0]);
        for cells in &CELLS[1..] {
            if coarse.triangles.len() * count > TRIANGLES {
                coarse = StandIn::new(model, *cells);
            }
        }
        Self::Coarse(coarse)
    }
}

fn drawn(cast: &Cast, puppet: &Puppet, frame: &Frame, camera: &Camera) -> Result<Canvas, DropError> {
    let mut canvas = Canvas::new(PANEL[0], PANEL[1])?;
    draw_ground(&mut canvas, camera, frame);
    if let Some(backdrop) = cast.backdrop() {
        let model = backdrop.model();
        let pose = Pose { coefficients: frame.backdrop.clone(), ..model.rest_pose() };
        let positions = model.posed(&pose, Skinning::Linear)?.positions();
        canvas.draw_mesh(camera, &positions, model.mesh().triangles(), &Style::flat(Colour::GREY));
    }
    let model = cast.prop().model();
    for (number, (placement, coefficients)) in frame.bodies.iter().enumerate() {
        // Neighbours in a grid shall differ, however wide it is.
        let colour = COLOURS[(number as u32).wrapping_mul(0x9e37_79b9) as usize / 7 % COLOURS.len()];
        match puppet {
            Puppet::Whole => {
                let pose = Pose { coefficients: coefficients.clone(), ..model.rest_pose() };
                let positions = model.posed_at(&pose, Skinning::Linear, *placement)?.positions();
                canvas.draw_mesh(camera, &positions, model.mesh().triangles(), &Style::smooth(colour));
            }
            Puppet::Coarse(coarse) => {
                let positions = coarse.posed(placement, coefficients);
                canvas.draw_mesh(camera, &positions, &coarse.triangles, &Style::flat(colour));
            }
        }
    }
    let label = format!("{:.2} s", frame.time);
    let (_, height) = text_size(&label, 2);
    canvas.draw_text(10, (PANEL[1] - height - 10) as i32, 2, &label, Colour::INK);
    Ok(canvas)
}

/// Tiles around the bodies, so that heights can be judged.
fn draw_ground(canvas: &mut Canvas, camera: &Camera, frame: &Frame) {
    const TILES: i32 = 24;
    let [min, max] = extent(std::slice::from_ref(frame));
    let middle = ((min + max) * 0.5).with_y(0.0);
    let tile = ((max - min).max_element().max(2.0) / 12.0).ceil();
    for x in -TILES..TILES {
        for z in -TILES..TILES {
            let corner = middle.floor() + Vec3::new(x as f32, 0.0, z as f32) * tile;
            let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]
                .map(|[x, z]| corner + Vec3::new(x, -0.001, z) * tile);
            let colour = Colour::hex(if (x + z) % 2 == 0 { 0xd4d8dd } else { 0xc8cdd3 });
            canvas.draw_mesh(camera, &corners, &[[0, 1, 2], [0, 2, 3]], &Style::flat(colour));
        }
    }
}

/// A box around the middles of all bodies in some frames.
fn extent(frames: &[Frame]) -> [Vec3; 2] {
    let middles = frames.iter().flat_map(|frame| &frame.bodies).map(|body| body.0.translation.as_vec3());
    middles.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[min, max], p| [min.min(p), max.max(p)])
}

/// Sees what the bodies do from start to end.
fn camera(cast: &Cast, frames: &[Frame]) -> Camera {
    let [min, max] = extent(frames);
    let (min, max, direction) = match cast.kind() {
        SceneKind::Chairs => {
            // Corners of the box are empty in most directions.
            let (middle, half) = (0.5 * (min + max), 0.5 * (max - min) * 0.88 + 0.4);
            (middle - half, middle + half, Vec3::new(0.55, 0.42, 0.8))
        }
        // Bridges are long: some of it is enough.
        SceneKind::Fish => {
            let z = Vec3::new(0.0, 0.0, (max.z - min.z).min(14.0) * 0.5);
            let y = Vec3::new(0.0, max.y.max(12.0), 0.0);
            (Vec3::new(-4.0, 8.0, 0.0) - z, Vec3::new(4.0, 0.5, 0.0) + y + z, Vec3::new(0.75, 0.45, 0.6))
        }
        SceneKind::Curtain => {
            (Vec3::new(-1.3, 0.0, -0.5), Vec3::new(1.3, 2.3, 1.6), Vec3::new(0.9, 0.25, 0.7))
        }
    };
    Camera::framing_perspective(min, max, direction, 0.6)
}
