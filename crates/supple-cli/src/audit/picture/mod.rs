//! A picture of a place where a surface goes through another: close up, and the whole body beside it.
//!
//! In: a posed mesh, which triangles belong to the two body parts in contact, and the intersecting triangles. Out: PNG bytes.
//! Both parts are solid and tinted, the triangles that intersect are vivid and shine through, the rest of the body is faded, so
//! that one always sees where it is. A frame on the whole body is what the close-up shows; both are seen from the same side.
//! Must hold: marks of both sides are in the picture.

mod direction;
mod place;

use glam::Vec3;
use supple_draw::{Camera, Colour, DrawError, Facets, Image, Kind, SeeThrough};

use self::direction::{Best, best_direction};
use self::place::Place;

/// Pixels of the close-up, of the whole body beside it, and of the gap between them.
const SIZE: (u32, u32) = (420, 340);
const BODY_SIZE: (u32, u32) = (156, SIZE.1);
const GAP: u32 = 4;

/// Triangles in pairs, the rest of the two body parts, and everything else.
pub const MARKS: [Colour; 2] = [Colour::hex(0xf57c00), Colour::hex(0x1f5fd6)];
pub const TINTS: [Colour; 2] = [Colour::hex(0xe6cda9), Colour::hex(0xafc6e6)];
pub const BODY: Colour = Colour::hex(0xe8eaed);

/// Behind everything, and around.
const BACKGROUND: Colour = Colour::WHITE;
const FRAME: Colour = Colour::hex(0xd0202a);

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub positions: &'a [Vec3],
    pub triangles: &'a [[u32; 3]],
    /// For each triangle: 0 or 1 for the two body parts in contact, none for others.
    pub side_of: &'a [Option<u8>],
    /// Intersecting triangles, that of the first side first.
    pub pairs: &'a [[u32; 2]],
}

/// The bytes of a PNG. Equal pictures have equal bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Picture {
    pub png: Vec<u8>,
}

/// Draws.
pub fn picture(subject: &Subject) -> Result<Picture, DrawError> {
    Ok(Picture { png: image(subject)?.to_small_png_bytes()? })
}

fn image(subject: &Subject) -> Result<Image, DrawError> {
    let mut paint = Paint::new(subject);
    let place = Place::new(subject);
    let Best { direction, behind_the_other } = best_direction(subject, &paint, &place)?;
    if let Some(side) = behind_the_other {
        paint.make_solid(1 - side);
    }
    let facets = Facets { positions: subject.positions, triangles: subject.triangles, kinds: &paint.kinds };
    let colour = |triangle: usize| paint.colours[triangle];

    let close_up = SeeThrough::new(&place.camera(direction), SIZE, facets)?.with_lines(&place.lines);
    let body_camera = Camera::framing_points(subject.positions.iter().copied(), direction);
    let body = SeeThrough::new(&body_camera, BODY_SIZE, facets)?;

    let mut image = Image::new(SIZE.0 + GAP + BODY_SIZE.0, SIZE.1, BACKGROUND)?;
    image.paste(&close_up.image(BACKGROUND, &colour)?, 0, 0);
    let mut small = body.image(BACKGROUND, &colour)?;
    draw_frame(&mut small, &body, &place, direction);
    image.paste(&small, SIZE.0 + GAP, 0);
    Ok(image)
}

/// Kinds and colours of all triangles.
#[derive(Clone, Debug)]
pub struct Paint {
    pub kinds: Vec<Kind>,
    pub colours: Vec<Colour>,
    /// Of every triangle, the side that it marks.
    pub marks: Vec<Option<u8>>,
}

impl Paint {
    pub fn new(subject: &Subject) -> Self {
        let count = subject.triangles.len();
        let mut marks = vec![None; count];
        for (side, triangle) in subject.pairs.iter().flat_map(|pair| (0..).zip(pair)) {
            if let Some(mark) = marks.get_mut(*triangle as usize) {
                mark.get_or_insert(side);
            }
        }
        let side = |triangle: usize| subject.side_of.get(triangle).copied().flatten();
        let look = |triangle: usize| match (marks[triangle], side(triangle)) {
            (Some(mark), _) => (Kind::Mark, MARKS[usize::from(mark).min(1)]),
            (None, Some(side)) => (Kind::Solid, TINTS[usize::from(side).min(1)]),
            (None, None) => (Kind::Faded, BODY),
        };
        let (kinds, colours) = (0..count).map(look).unzip();
        Self { kinds, colours, marks }
    }

    /// Makes the marks of a side solid, so that those of the other shine through them.
    fn make_solid(&mut self, side: u8) {
        for (kind, mark) in self.kinds.iter_mut().zip(&self.marks) {
            if *mark == Some(side) {
                *kind = Kind::Solid;
            }
        }
    }
}

/// Frames what the close-up shows.
fn draw_frame(image: &mut Image, body: &SeeThrough, place: &Place, direction: Vec3) {
    let aside = direction.any_orthonormal_vector() * place.room;
    let (Some(middle), Some(edge)) = (body.project(place.center), body.project(place.center + aside)) else {
        return;
    };
    let high = middle.distance(edge).max(7.0);
    let half = glam::Vec2::new(high * SIZE.0 as f32 / SIZE.1 as f32, high);
    let limit = glam::Vec2::new(BODY_SIZE.0 as f32, BODY_SIZE.1 as f32);
    let [low, high] = [(middle - half).max(glam::Vec2::ZERO), (middle + half).min(limit)]
        .map(|corner| corner.round().as_ivec2().to_array());
    let thick = 2;
    image.fill(low, [high[0], low[1] + thick], FRAME);
    image.fill([low[0], high[1] - thick], high, FRAME);
    image.fill(low, [low[0] + thick, high[1]], FRAME);
    image.fill([high[0] - thick, low[1]], high, FRAME);
}

#[cfg(test)]
mod tests {
    //! Pictures of made-up contacts: every one shows both sides.

    use glam::{Quat, Vec3};

    use super::*;

    /// Boxes with a side each.
    #[derive(Default)]
    struct Boxes {
        positions: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        side_of: Vec<Option<u8>>,
    }

    const CUBE: [[u32; 3]; 12] = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];

    impl Boxes {
        fn with(mut self, center: [f32; 3], half: [f32; 3], turn: f32, side: Option<u8>) -> Self {
            let first = self.positions.len() as u32;
            let corner = |bits: u32| {
                let sign = |axis: u32| if bits >> axis & 1 == 1 { 1.0 } else { -1.0 };
                let corner = Vec3::new(sign(0), sign(1), sign(2)) * Vec3::from(half);
                Vec3::from(center) + Quat::from_rotation_z(turn) * corner
            };
            self.positions.extend((0..8).map(corner));
            self.triangles.extend(CUBE.map(|triangle| triangle.map(|vertex| first + vertex)));
            self.side_of.extend([side; 12]);
            self
        }

        /// Pairs of sides 0 and 1 that intersect, by brute force.
        fn pairs(&self) -> Vec<[u32; 2]> {
            let corners = |t: u32| self.triangles[t as usize].map(|v| self.positions[v as usize]);
            let of_side = |side: u8| {
                (0..self.triangles.len() as u32).filter(move |&t| self.side_of[t as usize] == Some(side))
            };
            let all = of_side(0).flat_map(|a| of_side(1).map(move |b| [a, b]));
            all.filter(|&[a, b]| supple::narrow::contact(&corners(a), &corners(b)).is_some()).collect()
        }

        fn subject<'a>(&'a self, pairs: &'a [[u32; 2]]) -> Subject<'a> {
            Subject { positions: &self.positions, triangles: &self.triangles, side_of: &self.side_of, pairs }
        }
    }

    /// A torso with a head and legs, and an arm that goes into it from a side.
    fn body(arm: [f32; 3], turn: f32) -> Boxes {
        Boxes::default()
            .with([0.0, 1.0, 0.0], [0.2, 0.35, 0.12], 0.0, Some(0))
            .with([0.0, 1.55, 0.0], [0.1, 0.12, 0.1], 0.0, None)
            .with([0.1, 0.3, 0.0], [0.07, 0.3, 0.07], 0.0, None)
            .with([-0.1, 0.3, 0.0], [0.07, 0.3, 0.07], 0.0, None)
            .with(arm, [0.04, 0.3, 0.05], turn, Some(1))
    }

    /// Pixels of the close-up that are at least this much more red than blue, or more blue than red.
    fn vivid(image: &Image, [orange, blue]: [i32; 2]) -> [usize; 2] {
        let mut counts = [0, 0];
        for (x, y) in (0..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| (x, y))) {
            let Colour { r, b, .. } = image.pixel(x, y).unwrap();
            let warmth = i32::from(r) - i32::from(b);
            counts[0] += usize::from(warmth >= orange);
            counts[1] += usize::from(-warmth >= blue);
        }
        counts
    }

    /// More than any tint has.
    const VIVID: [i32; 2] = [80, 80];

    fn decoded(picture: &Picture) -> (u32, u32) {
        assert!(picture.png.starts_with(b"\x89PNG"));
        let word = |at: usize| u32::from_be_bytes(picture.png[at..at + 4].try_into().unwrap());
        (word(16), word(20))
    }

    #[test]
    fn both_sides_are_seen_wherever_they_meet() {
        for (arm, turn) in [
            ([0.24, 1.0, 0.0], 0.3),
            ([-0.24, 1.0, 0.0], -0.3),
            ([0.0, 1.0, 0.14], 0.4),
            ([0.0, 1.0, -0.14], 0.4),
            ([0.0, 1.35, 0.0], 0.0),
            ([0.0, 0.5, 0.0], 0.0),
        ] {
            let boxes = body(arm, turn);
            let pairs = boxes.pairs();
            assert!(!pairs.is_empty());
            let counts = vivid(&image(&boxes.subject(&pairs)).unwrap(), VIVID);
            assert!(counts[0] > 300 && counts[1] > 300, "{counts:?} pixels at {arm:?}");
        }
    }

    #[test]
    fn what_is_wholly_inside_something_else_shines_through() {
        // Two crossing bars in a closed box of the first side, which is in a box of another part.
        let boxes = Boxes::default()
            .with([0.0; 3], [0.1, 0.02, 0.02], 0.5, Some(0))
            .with([0.0; 3], [0.02, 0.1, 0.02], 0.5, Some(1))
            .with([0.0; 3], [0.5, 0.5, 0.5], 0.0, Some(0))
            .with([0.0; 3], [0.6, 0.9, 0.6], 0.0, None);
        let pairs = boxes.pairs();
        // All that is not a mark is warm or grey, and nothing is that warm.
        let counts = |pairs: &[[u32; 2]]| vivid(&image(&boxes.subject(pairs)).unwrap(), [72, 20]);
        let ([orange, blue], none) = (counts(&pairs), counts(&[]));
        assert!(orange > 100 && blue > 100 && none == [0, 0], "{orange} {blue} {none:?}");
    }

    #[test]
    fn marks_shine_through_those_of_the_other_side() {
        for [outer, inner] in [[0, 1], [1, 0]] {
            let boxes = Boxes::default().with([0.0; 3], [0.2, 0.2, 0.2], 0.0, Some(outer)).with(
                [0.0; 3],
                [0.1, 0.1, 0.1],
                0.3,
                Some(inner),
            );
            let all: Vec<[u32; 2]> =
                (0..12).map(|t| if outer == 0 { [t, 12 + t] } else { [12 + t, t] }).collect();
            let counts = vivid(&image(&boxes.subject(&all)).unwrap(), [50, 10]);
            assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}, side {outer} is around the other");
        }
    }

    #[test]
    fn the_eye_is_where_the_contact_is() {
        for (arm, turn, towards) in [
            ([0.0, 1.0, 0.14], 0.4, Vec3::Z),
            ([0.0, 1.0, -0.14], 0.4, Vec3::NEG_Z),
            ([0.3, 1.0, 0.0], 0.45, Vec3::X),
            ([-0.3, 1.0, 0.0], -0.45, Vec3::NEG_X),
        ] {
            let boxes = body(arm, turn);
            let pairs = boxes.pairs();
            let subject = boxes.subject(&pairs);
            let best = best_direction(&subject, &Paint::new(&subject), &Place::new(&subject)).unwrap();
            let direction = best.direction;
            assert!(direction.dot(towards) > 0.2, "the eye is at {direction} for an arm at {arm:?}");
        }
    }

    #[test]
    fn equal_subjects_give_equal_pictures_and_others_do_not() {
        let (one, other) = (body([0.24, 1.0, 0.0], 0.3), body([0.24, 1.05, 0.0], 0.3));
        let draw = |boxes: &Boxes| picture(&boxes.subject(&boxes.pairs())).unwrap();
        let drawn = draw(&one);
        assert_eq!(decoded(&drawn), (SIZE.0 + GAP + BODY_SIZE.0, SIZE.1));
        assert!(drawn.png.len() < 40_000, "{} bytes", drawn.png.len());
        assert_eq!(drawn, draw(&one));
        assert_ne!(drawn, draw(&other));
    }

    #[test]
    fn nonsense_is_drawn_as_far_as_it_goes() {
        let boxes = body([0.24, 1.0, 0.0], 0.3);
        let pairs = boxes.pairs();
        let mut broken = Boxes { positions: boxes.positions.clone(), ..body([0.24, 1.0, 0.0], 0.3) };
        broken.positions[0] = Vec3::NAN;
        broken.positions[9] = Vec3::INFINITY;
        broken.triangles[3] = [0, 1, u32::MAX];
        let huge = Boxes {
            positions: boxes.positions.iter().map(|p| *p * 1e37).collect(),
            ..body([0.24, 1.0, 0.0], 0.3)
        };
        for subject in [
            boxes.subject(&[]),
            boxes.subject(&[[u32::MAX, 0], [1, 1]]),
            broken.subject(&pairs),
            huge.subject(&pairs),
            Subject { side_of: &[], ..boxes.subject(&pairs) },
            Subject { positions: &[], ..boxes.subject(&pairs) },
            Subject { positions: &[], triangles: &[], side_of: &[], pairs: &[] },
        ] {
            picture(&subject).unwrap();
        }
    }
}
