//! A picture of a place where a surface goes through another: close up, and the whole body beside it.
//!
//! In: a posed mesh, which triangles belong to the two body parts in contact, and the intersecting triangles. Out: PNG bytes.
//! Both parts are solid and tinted, the triangles that intersect are vivid and shine through, the rest of the body is faded, so
//! that one always sees where it is. A frame on the whole body is what the close-up shows; both are seen from the same side.
//! Must hold: marks of both sides are in the picture.

mod direction;
mod place;
#[cfg(test)]
mod tests;

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
