//! From where a contact is seen best.
//!
//! In: a subject and its place. Out: a direction from the model to the eye. Few directions are tried, those from which people know
//! a body (characters face +Z), each by a very small picture. The one that shows most of both sides' marks wins, the first of equals.

use glam::Vec3;
use supple_draw::{Cover, DrawError, Facets, Kind, SeeThrough};

use super::place::Place;
use super::{Paint, Subject};

/// Pixels of a picture that is only tried.
const TRIAL: (u32, u32) = (44, 34);

/// Turns about the vertical axis in degrees, 0 is the front, and how well a body is known from there.
const TURNS: [(f32, f32); 8] = [
    (35.0, 1.0),
    (-35.0, 1.0),
    (0.0, 0.97),
    (80.0, 0.9),
    (-80.0, 0.9),
    (145.0, 0.75),
    (-145.0, 0.75),
    (180.0, 0.7),
];

/// Where turns from behind begin.
const FROM_BEHIND: usize = 5;

/// Heights of the eye in degrees, likewise.
const HEIGHTS: [(f32, f32); 3] = [(12.0, 1.0), (42.0, 0.85), (-20.0, 0.75)];

/// Turns for which the other heights are tried.
const MORE_TURNS: usize = 3;

/// A side is clear to see when its samples are worth this share of all on average.
const CLEAR: f32 = 0.4;

/// A side with fewer samples than this in the small picture is not seen.
const FEW: f32 = 8.0;

/// What a sample of a mark counts by what is in front of it.
fn worth(cover: Cover) -> f32 {
    match cover {
        Cover::Open => 1.0,
        Cover::Veiled => 0.33,
        Cover::Hidden => 0.2,
    }
}

/// The direction in which a small picture shows most. While marks of a side are mostly hidden, directions from behind are tried too,
/// then the other heights of the best turns.
pub fn best_direction(subject: &Subject, paint: &Paint, place: &Place) -> Result<Best, DrawError> {
    let tried = |(turn, known): (f32, f32), (height, known_at_height): (f32, f32)| {
        let direction = direction(turn, height);
        let seen = seen(subject, paint, place, direction)?;
        Ok(Tried { turn: (turn, known), direction, seen, score: known * known_at_height * seen.score() })
    };
    // Stable, so that the first of equals goes first.
    let best_first = |a: &Tried, b: &Tried| b.score.total_cmp(&a.score);
    let mut trials = Vec::new();
    for turns in [&TURNS[..FROM_BEHIND], &TURNS[FROM_BEHIND..]] {
        for &turn in turns {
            trials.push(tried(turn, HEIGHTS[0])?);
        }
        trials.sort_by(best_first);
        if trials[0].seen.is_clear() {
            return Ok(trials[0].best());
        }
    }
    let turns: Vec<(f32, f32)> = trials.iter().take(MORE_TURNS).map(|trial| trial.turn).collect();
    for height in &HEIGHTS[1..] {
        for &turn in &turns {
            trials.push(tried(turn, *height)?);
        }
    }
    trials.sort_by(best_first);
    Ok(trials[0].best())
}

/// From where a contact is seen best.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// From the model to the eye.
    pub direction: Vec3,
    /// A side whose marks are behind those of the other side, even from there.
    pub behind_the_other: Option<u8>,
}

/// A direction and what it shows.
struct Tried {
    turn: (f32, f32),
    direction: Vec3,
    seen: SeenMarks,
    score: f32,
}

impl Tried {
    fn best(&self) -> Best {
        Best { direction: self.direction, behind_the_other: self.seen.behind_the_other() }
    }
}

/// What a trial shows of each side's marks.
#[derive(Clone, Copy, Debug, Default)]
struct SeenMarks {
    /// Samples, and what they are worth.
    samples: [f32; 2],
    worth: [f32; 2],
}

impl SeenMarks {
    /// Roots, and the smaller one three times, so that both sides are seen.
    fn score(&self) -> f32 {
        let [a, b] = self.worth.map(f32::sqrt);
        a + b + 2.0 * a.min(b)
    }

    /// The side of which almost nothing is seen because the other's marks are in front of it.
    fn behind_the_other(&self) -> Option<u8> {
        let side = u8::from(self.samples[1] < self.samples[0]);
        (self.samples[usize::from(side)] < FEW).then_some(side)
    }

    /// Whether enough of both sides is seen.
    fn is_clear(&self) -> bool {
        (0..2).all(|side| self.samples[side] > 0.0 && self.worth[side] > CLEAR * self.samples[side])
    }
}

fn direction(turn: f32, height: f32) -> Vec3 {
    let ((sin, cos), (up, level)) = (turn.to_radians().sin_cos(), height.to_radians().sin_cos());
    Vec3::new(sin * level, up, cos * level)
}

/// What a small picture from a direction shows. Triangles that face away are left out unless they are marks: they are mostly behind
/// others, and it halves the time. What is faded and far in front of the place hides it like what is solid: an eye is not looked
/// at through the back of the head.
fn seen(subject: &Subject, paint: &Paint, place: &Place, direction: Vec3) -> Result<SeenMarks, DrawError> {
    let position = |vertex: u32| subject.positions.get(vertex as usize).copied().unwrap_or(Vec3::NAN);
    let most = subject.triangles.len();
    let (mut numbers, mut triangles, mut kinds) =
        (Vec::with_capacity(most), Vec::with_capacity(most), Vec::with_capacity(most));
    for (number, (triangle, kind)) in subject.triangles.iter().zip(&paint.kinds).enumerate() {
        let [a, b, c] = [position(triangle[0]), position(triangle[1]), position(triangle[2])];
        if *kind == Kind::Mark || (b - a).cross(c - a).dot(direction) > 0.0 {
            let is_far_before = *kind == Kind::Faded && (a - place.center).dot(direction) > place.room;
            numbers.push(number);
            triangles.push(*triangle);
            kinds.push(if is_far_before { Kind::Solid } else { *kind });
        }
    }
    let facets = Facets { positions: subject.positions, triangles: &triangles, kinds: &kinds };
    let mut seen = SeenMarks::default();
    SeeThrough::new(&place.camera(direction), TRIAL, facets)?.marks(&mut |triangle, cover| {
        if let Some(side) = paint.marks[numbers[triangle as usize]] {
            seen.samples[usize::from(side)] += 1.0;
            seen.worth[usize::from(side)] += worth(cover);
        }
    });
    Ok(seen)
}
