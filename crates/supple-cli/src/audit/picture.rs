//! A picture of two bones that intersect: close up from where it is seen best, and the whole body beside it.
//!
//! In: a posed mesh, the two bones and their intersecting triangles. Out: PNG bytes.
//! The direction is found by trying: of many small pictures the one that shows most of both bones' marked triangles wins,
//! the first of equals. Where the marks are hidden from every side, the rest of the body is left out.

use glam::Vec3;
use rayon::prelude::*;
use supple::Aabb;
use supple::narrow::contact;
use supple_draw::{Camera, Canvas, Colour, DrawError, Style, THREE_QUARTER};

/// Pixels of the picture, of the whole body beside it and the gap between them, and of pictures that are only tried.
const SIZE: (u32, u32) = (460, 340);
const BODY_SIZE: (u32, u32) = (120, SIZE.1);
const GAP: u32 = 3;
const TRIAL: (u32, u32) = (96, 72);

/// Marks that cover fewer pixels than this in every trial are hidden.
const FEWEST_PIXELS: usize = 60;

/// Turns about the vertical axis and heights of the eye that are tried.
const TURNS: usize = 10;
const HEIGHTS: [f32; 4] = [0.25, 0.0, 0.8, -0.5];

/// Triangles in pairs, the rest of their bones, and everything else.
const MARKS: [Colour; 2] = [Colour::hex(0xf0820f), Colour::hex(0x2b6cd6)];
const TINTS: [Colour; 2] = [Colour::hex(0xdccbb8), Colour::hex(0xb9c4d6)];
const BODY: Colour = Colour::hex(0xc4c7cc);

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub positions: &'a [Vec3],
    pub triangles: &'a [[u32; 3]],
    /// The node of the bone of each triangle.
    pub owners: &'a [usize],
    /// The nodes of the two bones.
    pub bones: [usize; 2],
    /// Intersecting triangles, that of the first bone first.
    pub pairs: &'a [[u32; 2]],
}

/// The bytes of a PNG.
#[derive(Clone, Debug)]
pub struct Picture {
    pub png: Vec<u8>,
    /// Whether all but the two bones was left out.
    pub alone: bool,
}

/// Draws.
pub fn picture(subject: &Subject) -> Result<Picture, DrawError> {
    let lines = contact_lines(subject);
    let surroundings = surroundings(subject, &lines);
    let mut mesh = Painted::new(subject, false);
    let (score, mut direction) = best_direction(&mesh, &surroundings)?;
    let alone = score < FEWEST_PIXELS;
    if alone {
        mesh = Painted::new(subject, true);
        direction = best_direction(&mesh, &surroundings)?.1;
    }
    let camera = Camera::framing(surroundings.min, surroundings.max, direction);
    let mut close_up = Canvas::new(SIZE.0, SIZE.1)?;
    mesh.draw(&mut close_up, &camera, Some(Colour::hex(0x8b9099)));
    for [from, to] in &lines {
        close_up.draw_line(&camera, *from, *to, 2.0, Colour::INK);
    }
    let width = SIZE.0 + GAP + BODY_SIZE.0;
    let mut canvas = Canvas::with_background(width, SIZE.1, Colour::WHITE, Colour::WHITE)?;
    canvas.paste(&close_up, 0, 0);
    canvas.paste(&whole_body(subject, &surroundings, direction)?, (SIZE.0 + GAP) as i32, 0);
    Ok(Picture { png: canvas.to_png_bytes()?, alone })
}

/// Triangles and their colours.
struct Painted<'a> {
    positions: &'a [Vec3],
    triangles: Vec<[u32; 3]>,
    colours: Vec<Colour>,
}

impl<'a> Painted<'a> {
    /// The whole body, or only the two bones.
    fn new(subject: &Subject<'a>, alone: bool) -> Self {
        let mut colours: Vec<Colour> = subject
            .owners
            .iter()
            .map(|&owner| {
                subject.bones.iter().position(|&bone| bone == owner).map_or(BODY, |side| TINTS[side])
            })
            .collect();
        for pair in subject.pairs {
            for (triangle, mark) in pair.iter().zip(MARKS) {
                colours[*triangle as usize] = mark;
            }
        }
        let kept = |colour: &Colour| !alone || *colour != BODY;
        let (triangles, colours) =
            subject.triangles.iter().copied().zip(colours).filter(|(_, colour)| kept(colour)).unzip();
        Self { positions: subject.positions, triangles, colours }
    }

    fn draw(&self, canvas: &mut Canvas, camera: &Camera, edges: Option<Colour>) {
        let marks = |triangle: usize| Some(self.colours[triangle]);
        let style = Style { edges, ..Style::flat(BODY).with_marks(&marks) };
        canvas.draw_mesh(camera, self.positions, &self.triangles, &style);
    }
}

/// The direction in which a small picture shows most marks, and its score.
fn best_direction(mesh: &Painted, surroundings: &Aabb) -> Result<(usize, Vec3), DrawError> {
    let turned = |turn: usize| (std::f32::consts::TAU * turn as f32 / TURNS as f32).sin_cos();
    let directions: Vec<Vec3> = HEIGHTS
        .iter()
        .flat_map(|&height| (0..TURNS).map(turned).map(move |(sin, cos)| Vec3::new(sin, height, cos)))
        .collect();
    let score_from = |direction: &Vec3| {
        let mut canvas = Canvas::new(TRIAL.0, TRIAL.1)?;
        mesh.draw(&mut canvas, &Camera::framing(surroundings.min, surroundings.max, *direction), None);
        Ok(score(&canvas))
    };
    let scores: Vec<usize> = directions.par_iter().map(score_from).collect::<Result<_, DrawError>>()?;
    let mut best = (0, THREE_QUARTER);
    for (score, direction) in scores.into_iter().zip(directions) {
        if score > best.0 {
            best = (score, direction);
        }
    }
    Ok(best)
}

/// Pixels of marks; those of the rarer colour count three times, so that both are seen.
fn score(canvas: &Canvas) -> usize {
    let mut counts = [0, 0];
    for [r, g, b] in canvas.to_rgb_bytes().as_chunks().0 {
        // Marks are vivid, tints and grey are not.
        if r.max(g).max(b) - r.min(g).min(b) > 96 {
            counts[usize::from(b > r)] += 1;
        }
    }
    counts[0] + counts[1] + 2 * counts[0].min(counts[1])
}

/// Where triangles cross.
fn contact_lines(subject: &Subject) -> Vec<[Vec3; 2]> {
    let corners = |t: u32| subject.triangles[t as usize].map(|v| subject.positions[v as usize]);
    subject.pairs.iter().filter_map(|&[a, b]| contact(&corners(a), &corners(b))).map(|c| c.points).collect()
}

/// A box around the contact with room for what is around it: at least a tenth of the body on each side.
fn surroundings(subject: &Subject, lines: &[[Vec3; 2]]) -> Aabb {
    let body = Aabb::from_points(subject.positions.iter().copied());
    let contact = Aabb::from_points(lines.iter().flatten().copied());
    let room = (1.5 * contact.half_extents().max_element()).max(body.half_extents().max_element() / 5.0);
    let room = room.max(f32::MIN_POSITIVE);
    Aabb { min: contact.center() - room, max: contact.center() + room }
}

/// The whole body from the same side, with a ring of light around the surroundings.
fn whole_body(subject: &Subject, surroundings: &Aabb, direction: Vec3) -> Result<Canvas, DrawError> {
    let body = Aabb::from_points(subject.positions.iter().copied());
    let camera = Camera::framing(body.min, body.max, direction);
    let mut canvas = Canvas::new(BODY_SIZE.0, BODY_SIZE.1)?;
    Painted::new(subject, false).draw(&mut canvas, &camera, None);
    canvas.draw_sphere(
        &camera,
        surroundings.center(),
        surroundings.half_extents().max_element(),
        Colour::RED,
        0.35,
    );
    Ok(canvas)
}
