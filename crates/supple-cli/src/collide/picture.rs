//! The frame with the most touching triangles, as a picture: both bodies from in front, and closer where they touch; touching triangles marked.
//!
//! In: a meeting that was played, and what was found. Out: PNG bytes.

use std::collections::BTreeSet;

use glam::Vec3;
use supple::Aabb;
use supple_draw::{Camera, Canvas, Colour, DrawError, Style, THREE_QUARTER};

use super::meeting::Meeting;
use super::play::Frame;
use crate::failure::{Blame, Failure, OrBlame};

const BODIES: [Colour; 2] = [Colour::hex(0x9db7d9), Colour::hex(0xd9c3ae)];
const TOUCHING: [Colour; 2] = [Colour::RED, Colour::ORANGE];
/// Pixels of each of the two views.
const SIZE: [u32; 2] = [560, 620];
const GAP: u32 = 6;
/// The close-up shows this many times the size of what touches.
const AROUND_CONTACT: f32 = 1.5;

/// The bytes of a PNG; of the first frame where nothing touches in any.
pub fn png(meeting: &mut Meeting, frames: &[Frame]) -> Result<Vec<u8>, Failure> {
    let mut chosen = &frames[0];
    for frame in &frames[1..] {
        if frame.pairs.len() > chosen.pairs.len() {
            chosen = frame;
        }
    }
    for actor in [&mut meeting.a, &mut meeting.b] {
        actor.sample(chosen.time)?;
    }
    let positions = [meeting.a.positions()?, meeting.b.positions()?];
    drawn(meeting, &positions, &chosen.pairs).and_then(|canvas| canvas.to_png_bytes()).or_blame(Blame::Output)
}

fn drawn(meeting: &Meeting, positions: &[Vec<Vec3>; 2], pairs: &[[u32; 2]]) -> Result<Canvas, DrawError> {
    let touching = [0, 1].map(|side| pairs.iter().map(|pair| pair[side] as usize).collect::<BTreeSet<_>>());
    let meshes = [&meeting.a, &meeting.b].map(|actor| actor.body.shape().model().mesh().triangles());
    let view = |camera: &Camera| -> Result<Canvas, DrawError> {
        let mut canvas = Canvas::new(SIZE[0], SIZE[1])?;
        for side in [0, 1] {
            let marks = |triangle: usize| touching[side].contains(&triangle).then_some(TOUCHING[side]);
            canvas.draw_mesh(
                camera,
                &positions[side],
                meshes[side],
                &Style::smooth(BODIES[side]).with_marks(&marks),
            );
        }
        Ok(canvas)
    };
    let direction = across(positions);
    let whole = view(&framing(positions.iter().flatten().copied(), 1.0, direction))?;
    let corners = [0, 1].map(|side| {
        touching[side].iter().flat_map(move |&t| meshes[side][t]).map(move |v| positions[side][v as usize])
    });
    let points: Vec<Vec3> = corners.into_iter().flatten().collect();
    if points.is_empty() {
        return Ok(whole);
    }
    let mut canvas = Canvas::with_background(2 * SIZE[0] + GAP, SIZE[1], Colour::WHITE, Colour::WHITE)?;
    canvas.paste(&whole, 0, 0);
    canvas.paste(&view(&framing(points.into_iter(), AROUND_CONTACT, direction))?, (SIZE[0] + GAP) as i32, 0);
    Ok(canvas)
}

/// Where to look from so that neither body stands before the other: across the line between them, from in front, a little from above.
fn across(positions: &[Vec<Vec3>; 2]) -> Vec3 {
    let [a, b] = positions.each_ref().map(|points| Aabb::from_points(points.iter().copied()).center());
    let aside = (b - a).cross(Vec3::Y).normalize_or_zero();
    let in_front = if aside.z < 0.0 { -aside } else { aside };
    if in_front == Vec3::ZERO { THREE_QUARTER } else { in_front + 0.2 * Vec3::Y }
}

/// Shows points, with room around them.
fn framing(points: impl Iterator<Item = Vec3>, room: f32, direction: Vec3) -> Camera {
    let bounds = Aabb::from_points(points);
    let (center, half) = (bounds.center(), bounds.half_extents());
    // What is long and thin keeps some of its surroundings.
    let half = half.max(Vec3::splat(0.25 * half.max_element())) * room;
    Camera::framing(center - half, center + half, direction)
}
