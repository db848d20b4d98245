//! From where a contact is seen best.
//!
//! In: a subject and its place. Out: a direction from the model to the eye. Few directions are tried, those from which people know
//! a body (characters face +Z), each by a very small picture. The one that shows most
//! of both sides' marks wins, the first of equals.

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
    (80.0, 0.93),
    (-80.0, 0.93),
    (145.0, 0.86),
    (-145.0, 0.86),
    (180.0, 0.82),
];

/// Heights of the eye in degrees, likewise.
const HEIGHTS: [(f32, f32); 3] = [(12.0, 1.0), (42.0, 0.85), (-20.0, 0.75)];

/// Turns for which the other heights are tried.
const MORE_TURNS: usize = 3;

/// A side is clear to see when its samples are worth this share of all on average.
const CLEAR: f32 = 0.4;

/// What a sample of a mark counts by what is in front of it.
fn worth(cover: Cover) -> f32 {
    match cover {
        Cover::Open => 1.0,
        Cover::Veiled => 0.5,
        Cover::Hidden => 0.1,
    }
}

/// The direction in which a small picture shows most. The other heights are tried only where marks of a side are mostly hidden, and
/// only for the best turns.
pub fn best_direction(subject: &Subject, paint: &Paint, place: &Place) -> Result<Vec3, DrawError> {
    let tried = |(turn, known): (f32, f32), (height, known_at_height): (f32, f32)| {
        let direction = direction(turn, height);
        let seen = seen(subject, paint, place, direction)?;
        Ok(Tried { turn: (turn, known), direction, seen, score: known * known_at_height * seen.score() })
    };
    let mut trials =
        TURNS.map(|turn| tried(turn, HEIGHTS[0])).into_iter().collect::<Result<Vec<_>, DrawError>>()?;
    // Stable, so that the first of equals goes first.
    let best_first = |a: &Tried, b: &Tried| b.score.total_cmp(&a.score);
    trials.sort_by(best_first);
    if !trials[0].seen.is_clear() {
        let turns: Vec<(f32, f32)> = trials.iter().take(MORE_TURNS).map(|trial| trial.turn).collect();
        for height in &HEIGHTS[1..] {
            for &turn in &turns {
                trials.push(tried(turn, *height)?);
            }
        }
        trials.sort_by(best_first);
    }
    Ok(trials[0].direction)
}

/// A direction and what it shows.
struct Tried {
    turn: (f32, f32),
    direction: Vec3,
    seen: SeenMarks,
    score: f32,
}

/// What a trial shows of each side's marks.
#[derive(Clone, Copy, Debug, Default)]
struct SeenMarks {
    /// Samples, and what they are worth.
    samples: [f32; 2],
    worth: [f32; 2],
}

impl SeenMarks {
    /// Roots, so that the side of which less is seen counts more.
    fn score(&self) -> f32 {
        self.worth[0].sqrt() + self.worth[1].sqrt()
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
/// others, and it halves the time.
fn seen(subject: &Subject, paint: &Paint, place: &Place, direction: Vec3) -> Result<SeenMarks, DrawError> {
    let position = |vertex: u32| subject.positions.get(vertex as usize).copied().unwrap_or(Vec3::NAN);
    let (mut numbers, mut triangles, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (triangle, kind)) in subject.triangles.iter().zip(&paint.kinds).enumerate() {
        let [a, b, c] = [position(triangle[0]), position(triangle[1]), position(triangle[2])];
        if *kind == Kind::Mark || (b - a).cross(c - a).dot(direction) > 0.0 {
            numbers.push(number);
            triangles.push(*triangle);
            kinds.push(*kind);
        }
    }
    let facets = Facets { positions: subject.positions, triangles: &triangles, kinds: &kinds };
    let mut seen = SeenMarks::default();
    SeeThrough::new(&place.camera(direction), TRIAL, facets)?.marks(|triangle, cover| {
        if let Some(side) = paint.marks[numbers[triangle as usize]] {
            seen.samples[usize::from(side)] += 1.0;
            seen.worth[usize::from(side)] += worth(cover);
        }
    });
    Ok(seen)
}
