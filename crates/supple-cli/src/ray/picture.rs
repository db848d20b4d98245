//! The view with the ray and the hit in it, and beside it a close-up from where the ray comes.
//!
//! In: a posed body and what the ray hits. Out: PNG bytes. The view has exactly the pixels that --pixel counts, so that one
//! picture tells which pixel to ask for next.
//!
//! The triangle that is hit is red, all triangles of its bone are tinted. A ring marks the hit over everything; it is dashed
//! where the body hides the hit in this view.

use glam::{Vec2, Vec3};
use supple::Aabb;
use supple::{Ray, cast_ray};
use supple_draw::{Camera, Canvas, Colour, DrawError, Style, text_size};

use super::ask::Asked;
use super::overlay::{Overlay, Pen};
use super::report::Hit;
use crate::failure::{Blame, Failure, OrBlame};

const BODY: Colour = Colour::hex(0xc9ccd1);
const BONE: Colour = Colour::hex(0xe9c79a);
const RAY: Colour = Colour::BLUE;
const HIT: Colour = Colour::RED;
/// Hits behind the first.
const LATER: Colour = Colour::VIOLET;
const EDGES: Colour = Colour::hex(0x8b9099);

/// Pixels: between the panels, around labels, and the radius of the ring.
const GAP: u32 = 4;
const PAD: i32 = 8;
const RING: f32 = 14.0;

/// The close-up shows at least this part of the body's size on each side of the hit, and this many sizes of the triangle.
const PART_OF_BODY: f32 = 0.08;
const TRIANGLES: f32 = 2.5;

/// The bytes of a PNG.
pub fn png(asked: &mut Asked) -> Result<Vec<u8>, Failure> {
    drawn(asked).and_then(|canvas| canvas.to_png_bytes()).or_blame(Blame::Output)
}

fn drawn(asked: &mut Asked) -> Result<Canvas, DrawError> {
    let view = whole(asked)?;
    let Some(hit) = asked.report.hits.first() else { return Ok(view) };
    let side = view.height().min(view.width());
    let mut canvas =
        Canvas::with_background(view.width() + GAP + side, view.height(), Colour::WHITE, Colour::WHITE)?;
    canvas.paste(&view, 0, 0);
    canvas.paste(&close_up(asked, hit, side, view.height())?, (view.width() + GAP) as i32, 0);
    Ok(canvas)
}

/// The whole model, the ray and all hits.
fn whole(asked: &mut Asked) -> Result<Canvas, DrawError> {
    let [width, height] = asked.size;
    let mut canvas = Canvas::new(width, height)?;
    draw_body(asked, &mut canvas, &asked.camera, None);
    let Some(first) = asked.report.hits.first().cloned() else {
        let seen = canvas.project(&asked.camera, asked.ray.origin());
        let far = asked.ray.origin() + asked.ray.direction().normalize_or_zero() * (4.0 * size_of(asked));
        if let (Some(from), Some(to)) = (seen, canvas.project(&asked.camera, far)) {
            Overlay::new(&mut canvas).arrow(from, to, 0.0, Pen { colour: RAY, width: 2.0, dash: 0.0 });
        }
        mark_pixel(asked, &mut canvas, RAY);
        label(&mut canvas, "the ray hits nothing");
        return Ok(canvas);
    };
    let is_seen = is_seen(asked, &canvas, &first);
    let at = |point: Vec3| canvas.project(&asked.camera, point);
    let (start, points) = (at(asked.ray.origin()), asked.report.hits.iter().map(|hit| at(hit.point.into())));
    let points: Vec<Vec2> = points.flatten().collect();
    let mut overlay = Overlay::new(&mut canvas);
    if let (Some(start), Some(&first)) = (start, points.first()) {
        overlay.arrow(start, first, RING, Pen { colour: RAY, width: 2.0, dash: 0.0 });
    }
    // Later hits under the first; those in the same pixels are one ring.
    for (index, &point) in points.iter().enumerate().skip(1) {
        if points[..index].iter().all(|other| other.distance(point) > RING) {
            overlay.line(&[points[index - 1], point], Pen { colour: RAY, width: 2.0, dash: 6.0 });
            overlay.circle(point, 0.5 * RING, Pen { colour: LATER, width: 2.0, dash: 0.0 });
        }
    }
    if let Some(&point) = points.first() {
        let dash = if is_seen { 0.0 } else { 5.0 };
        overlay.circle(point, RING, Pen { colour: HIT, width: 3.0, dash });
        for direction in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
            let ends = [point + 0.45 * RING * direction, point + 1.6 * RING * direction];
            overlay.line(&ends, Pen { colour: HIT, width: 2.0, dash: 0.0 });
        }
    }
    let joint = first.joints.first().map_or("", |joint| asked.report.short_names.cut(&joint.name));
    let hidden = if is_seen { "" } else { "\nhidden in this view" };
    let others = match asked.report.hits.len() {
        1 => String::new(),
        count => format!("\nfirst of {count} hits"),
    };
    label(&mut canvas, &format!("triangle {}, {joint}{hidden}{others}", first.triangle));
    Ok(canvas)
}

/// From where the ray comes, so near that the triangle can be told from its neighbours.
fn close_up(asked: &Asked, hit: &Hit, width: u32, height: u32) -> Result<Canvas, DrawError> {
    let point = Vec3::from(hit.point);
    let corners = asked.body.shape().model().mesh().triangles()[hit.triangle as usize];
    let triangle = Aabb::from_points(corners.map(|v| asked.positions[v as usize]));
    let room = (PART_OF_BODY * size_of(asked)).max(TRIANGLES * triangle.half_extents().length());
    // Nothing of the body is between the start of the ray and the first hit, so the eye stays there.
    let distance = (4.0 * room).min(0.999 * hit.distance).max(0.05 * room);
    let eye = point - asked.ray.direction().normalize_or_zero() * distance;
    let camera = Camera::perspective(eye, point, Vec3::Y, 2.0 * (room / distance).atan());
    let mut canvas = Canvas::new(width, height)?;
    draw_body(asked, &mut canvas, &camera, Some(EDGES));
    if let Some(at) = canvas.project(&camera, point) {
        Overlay::new(&mut canvas).circle(at, 3.0, Pen { colour: Colour::INK, width: 2.0, dash: 0.0 });
    }
    label(&mut canvas, "close-up along the ray");
    Ok(canvas)
}

fn draw_body(asked: &Asked, canvas: &mut Canvas, camera: &Camera, edges: Option<Colour>) {
    let (hits, owners) = (&asked.report.hits, asked.bones.of_triangles());
    let bone = hits.first().map(|hit| owners[hit.triangle as usize]);
    let marks = |triangle: usize| {
        let number = hits.iter().position(|hit| hit.triangle as usize == triangle);
        match number {
            Some(0) => Some(HIT),
            Some(_) => Some(LATER),
            None => (asked.bones.count() > 1 && bone == Some(owners[triangle])).then_some(BONE),
        }
    };
    let style = match edges {
        Some(edges) => Style::flat(BODY).with_edges(edges),
        None => Style::smooth(BODY),
    };
    let triangles = asked.body.shape().model().mesh().triangles();
    canvas.draw_mesh(camera, &asked.positions, triangles, &style.with_marks(&marks));
}

/// Whether the line of sight through a hit meets it first.
fn is_seen(asked: &mut Asked, canvas: &Canvas, hit: &Hit) -> bool {
    let point = Vec3::from(hit.point);
    let Some(pixel) = canvas.project(&asked.camera, point) else { return false };
    let (start, direction) = asked.camera.line_of_sight(asked.size[0], asked.size[1], pixel);
    let Ok(sight) = Ray::new(start, direction) else { return false };
    let first = cast_ray(&mut asked.body, sight).found;
    let slack = 1e-3 * size_of(asked);
    // A line of sight that misses by rounding passes at the rim of the body: nothing is in front of the hit.
    first.is_none_or(|first| first.time >= (point - start).dot(direction) - slack)
}

fn mark_pixel(asked: &Asked, canvas: &mut Canvas, colour: Colour) {
    let Some([x, y]) = asked.report.ray.pixel else { return };
    let middle = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
    Overlay::new(canvas).circle(middle, RING, Pen { colour, width: 2.0, dash: 0.0 });
}

/// The longest side of the box around the posed body.
fn size_of(asked: &Asked) -> f32 {
    let bounds = Aabb::from_points(asked.positions.iter().copied());
    (2.0 * bounds.half_extents().max_element()).max(f32::MIN_POSITIVE)
}

/// Writes into the lower left corner.
fn label(canvas: &mut Canvas, text: &str) {
    let scale = if text_size(text, 2).0 as i32 + 2 * PAD <= canvas.width() as i32 { 2 } else { 1 };
    let (_, high) = text_size(text, scale);
    canvas.draw_text(PAD, canvas.height() as i32 - high as i32 - PAD, scale, text, Colour::INK);
}
