//! The frame with the most touching triangles, as a picture: both bodies, and closer where they touch, from where most of that is
//! seen; touching triangles are marked.
//!
//! In: a meeting that was played, and what was found. Out: PNG bytes.

use std::collections::BTreeSet;

use glam::Vec3;
use supple::Aabb;
use supple_draw::{BACK, Camera, Canvas, Colour, DrawError, FRONT, SIDE, Style, THREE_QUARTER};

use super::meeting::Meeting;
use super::play::Frame;
use crate::failure::{Blame, Failure, OrBlame};

const BODIES: [Colour; 2] = [Colour::hex(0x9db7d9), Colour::hex(0xd9c3ae)];
const TOUCHING: [Colour; 2] = [Colour::RED, Colour::ORANGE];
/// Pixels of each of the two views.
const SIZE: [u32; 2] = [560, 620];
const GAP: u32 = 6;
/// Of the views by which the direction is chosen.
const SMALL: [u32; 2] = [140, 155];
/// From where one may look.
const DIRECTIONS: [Vec3; 6] = [
    THREE_QUARTER,
    Vec3::new(-THREE_QUARTER.x, THREE_QUARTER.y, THREE_QUARTER.z),
    FRONT,
    SIDE,
    Vec3::new(-1.0, 0.0, 0.0),
    BACK,
];
/// The close-up shows this many times the size of what touches.
const AROUND_CONTACT: f32 = 1.5;

/// The bytes of a PNG.
pub fn png(meeting: &mut Meeting, frames: &[Frame]) -> Result<Vec<u8>, Failure> {
    canvas(meeting, frames)?.to_png_bytes().or_blame(Blame::Output)
}

/// The picture itself; of the first frame where nothing touches in any.
pub fn canvas(meeting: &mut Meeting, frames: &[Frame]) -> Result<Canvas, Failure> {
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
    drawn(meeting, &positions, &chosen.pairs).or_blame(Blame::Output)
}

fn drawn(meeting: &Meeting, positions: &[Vec<Vec3>; 2], pairs: &[[u32; 2]]) -> Result<Canvas, DrawError> {
    let touching = [0, 1].map(|side| pairs.iter().map(|pair| pair[side] as usize).collect::<BTreeSet<_>>());
    let meshes = [&meeting.a, &meeting.b].map(|actor| actor.body.shape().model().mesh().triangles());
    let view = |camera: &Camera, [width, height]: [u32; 2], marked: bool| -> Result<Canvas, DrawError> {
        let mut canvas = Canvas::new(width, height)?;
        for side in [0, 1] {
            let marks =
                |triangle: usize| (marked && touching[side].contains(&triangle)).then_some(TOUCHING[side]);
            canvas.draw_mesh(
                camera,
                &positions[side],
                meshes[side],
                &Style::smooth(BODIES[side]).with_marks(&marks),
            );
        }
        Ok(canvas)
    };
    let corners = [0, 1].map(|side| {
        touching[side].iter().flat_map(move |&t| meshes[side][t]).map(move |v| positions[side][v as usize])
    });
    let points: Vec<Vec3> = corners.into_iter().flatten().collect();
    let everything = || positions.iter().flatten().copied();
    if points.is_empty() {
        return view(&framing(everything(), 1.0, THREE_QUARTER), SIZE, true);
    }
    let near = || points.iter().copied();
    let direction = best_direction(|direction| {
        let camera = framing(near(), AROUND_CONTACT, direction);
        let [with, without] = [view(&camera, SMALL, true)?, view(&camera, SMALL, false)?];
        let pixels = with.to_rgb_bytes();
        Ok(pixels.chunks(3).zip(without.to_rgb_bytes().chunks(3)).filter(|(a, b)| a != b).count())
    })?;
    let whole = view(&framing(everything(), 1.0, direction), SIZE, true)?;
    let close = view(&framing(near(), AROUND_CONTACT, direction), SIZE, true)?;
    let mut canvas = Canvas::with_background(2 * SIZE[0] + GAP, SIZE[1], Colour::WHITE, Colour::WHITE)?;
    canvas.paste(&whole, 0, 0);
    canvas.paste(&close, (SIZE[0] + GAP) as i32, 0);
    Ok(canvas)
}

/// Where to look from: of some directions, the one from which most of what touches is seen, the first of equals.
fn best_direction(seen: impl Fn(Vec3) -> Result<usize, DrawError>) -> Result<Vec3, DrawError> {
    let mut best = (0, DIRECTIONS[0]);
    for direction in DIRECTIONS {
        let pixels = seen(direction)?;
        if pixels > best.0 {
            best = (pixels, direction);
        }
    }
    Ok(best.1)
}

/// Shows points, with room around them.
fn framing(points: impl Iterator<Item = Vec3>, room: f32, direction: Vec3) -> Camera {
    let bounds = Aabb::from_points(points);
    let (center, half) = (bounds.center(), bounds.half_extents());
    // What is long and thin keeps some of its surroundings.
    let half = half.max(Vec3::splat(0.25 * half.max_element())) * room;
    Camera::framing(center - half, center + half, direction)
}
