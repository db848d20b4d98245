//! Pictures in which marks shine through, checked pixel by pixel.

use glam::{Vec2, Vec3};
use supple_draw::{
    Camera, Canvas, Colour, Cover, DrawError, FRONT, Facets, Image, Kind, SIDE, SeeThrough, Style,
    THREE_QUARTER,
};

/// Shows -1..1 in x and y on a square picture, seen from +Z.
fn unit_camera() -> Camera {
    Camera::orthographic(Vec3::Z * 10.0, Vec3::ZERO, Vec3::Y, 2.0)
}

/// Squares facing +Z, each with half a side, a height and a kind.
struct Squares {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    kinds: Vec<Kind>,
}

impl Squares {
    fn new(squares: &[(f32, f32, Kind)]) -> Self {
        let mut this = Self { positions: Vec::new(), triangles: Vec::new(), kinds: Vec::new() };
        for &(half, z, kind) in squares {
            let first = this.positions.len() as u32;
            let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
            this.positions.extend(corners.map(|(x, y)| Vec3::new(x, y, z)));
            this.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
            this.kinds.extend([kind; 2]);
        }
        this
    }

    fn facets(&self) -> Facets<'_> {
        Facets { positions: &self.positions, triangles: &self.triangles, kinds: &self.kinds }
    }

    fn image(&self, side: u32) -> Image {
        let colour = |triangle: usize| match self.kinds[triangle] {
            Kind::Mark => Colour::RED,
            Kind::Solid => Colour::GREEN,
            Kind::Faded => Colour::GREY,
        };
        SeeThrough::new(&unit_camera(), (side, side), self.facets())
            .unwrap()
            .image(Colour::WHITE, &colour)
            .unwrap()
    }

    fn covers(&self) -> Vec<Cover> {
        let mut covers = Vec::new();
        let drawn = SeeThrough::new(&unit_camera(), (10, 10), self.facets()).unwrap();
        drawn.marks(&mut |_, cover| covers.push(cover));
        covers
    }
}

fn redness(colour: Option<Colour>) -> i32 {
    colour.map_or(0, |colour| i32::from(colour.r) - i32::from(colour.g))
}

#[test]
fn solid_facets_are_drawn_as_a_canvas_draws_them() {
    // Layers of triangles of all sizes, in no order; none cuts another, so that rounding cannot change who is in front.
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32
    };
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for number in 0..600_u32 {
        let size = 10_f32.powf(random() * 2.5 - 2.0);
        let z = ((number * 271) % 600) as f32 * 0.01 - 3.0;
        let center = Vec2::new(random() * 3.0 - 1.5, random() * 3.0 - 1.5);
        for _ in 0..3 {
            let corner = center + Vec2::new(random() - 0.5, random() - 0.5) * size;
            positions.push(corner.extend(z));
        }
        triangles.push([3 * number, 3 * number + 1, 3 * number + 2]);
    }
    let colour = |triangle: usize| Colour::hex(0x203040 + (triangle as u32 * 7919) % 0xc0c0c0);
    let kinds = vec![Kind::Solid; triangles.len()];
    for (camera, size) in [(unit_camera(), (130, 90)), (unit_camera(), (37, 71)), (unit_camera(), (1, 1))] {
        let mut canvas = Canvas::with_background(size.0, size.1, Colour::WHITE, Colour::WHITE).unwrap();
        let marks = |triangle: usize| Some(colour(triangle));
        canvas.draw_mesh(&camera, &positions, &triangles, &Style::flat(Colour::GREY).with_marks(&marks));
        let facets = Facets { positions: &positions, triangles: &triangles, kinds: &kinds };
        let image = SeeThrough::new(&camera, size, facets).unwrap().image(Colour::WHITE, &colour).unwrap();
        let differ = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 1;
        let different =
            canvas.to_rgb_bytes().iter().zip(image.rgb_bytes()).filter(|pair| differ(*pair)).count();
        assert_eq!(different, 0, "{size:?}");
    }
}

#[test]
fn a_mark_changes_the_picture_whatever_is_in_front_of_it() {
    for front in [vec![], vec![Kind::Solid], vec![Kind::Faded], vec![Kind::Solid, Kind::Faded]] {
        let mut squares: Vec<(f32, f32, Kind)> =
            (1..).zip(&front).map(|(layer, &kind)| (0.9, 0.5 * layer as f32, kind)).collect();
        let without = Squares::new(&squares).image(40);
        squares.push((0.3, 0.0, Kind::Mark));
        let with = Squares::new(&squares).image(40);
        assert!(redness(with.pixel(20, 20)) > redness(without.pixel(20, 20)) + 40, "behind {front:?}");
        assert_eq!(with.pixel(5, 5), without.pixel(5, 5));
    }
}

#[test]
fn solid_shines_through_faded_but_not_the_other_way() {
    let both = |solid: f32, faded: f32| {
        Squares::new(&[(0.5, solid, Kind::Solid), (0.9, faded, Kind::Faded)]).image(40).pixel(20, 20)
    };
    let solid = Squares::new(&[(0.5, 0.0, Kind::Solid)]).image(40).pixel(20, 20);
    let faded = Squares::new(&[(0.9, 0.0, Kind::Faded)]).image(40).pixel(20, 20);
    assert_eq!(both(1.0, 0.0), solid);
    let veiled = both(0.0, 1.0);
    assert!(veiled != solid && veiled != faded);
    assert!(redness(solid) < redness(veiled) && redness(veiled) < redness(faded));
}

#[test]
fn covers_tell_what_is_in_front_of_marks() {
    let cover = |others: &[(f32, f32, Kind)]| {
        let covers = Squares::new(&[&[(0.5, 0.0, Kind::Mark)], others].concat()).covers();
        // Half of the width and height of 10 x 10 pixels with 4 samples each.
        assert_eq!(covers.len(), 100);
        assert!(covers.iter().all(|cover| *cover == covers[0]));
        covers[0]
    };
    assert_eq!(cover(&[(0.9, -1.0, Kind::Solid), (0.9, -2.0, Kind::Faded)]), Cover::Open);
    assert_eq!(cover(&[(0.9, 1.0, Kind::Faded)]), Cover::Veiled);
    assert_eq!(cover(&[(0.9, 1.0, Kind::Solid), (0.9, 2.0, Kind::Faded)]), Cover::Hidden);
}

#[test]
fn lines_are_thinner_where_they_are_hidden() {
    let squares = Squares::new(&[(0.5, 0.0, Kind::Solid)]);
    let dark_rows = |z: f32| {
        let line = [Vec3::new(-0.9, 0.0, z), Vec3::new(0.9, 0.0, z)];
        let drawn = SeeThrough::new(&unit_camera(), (80, 80), squares.facets()).unwrap().with_lines(&[line]);
        let with = drawn.image(Colour::WHITE, &|_| Colour::WHITE).unwrap();
        let bare = SeeThrough::new(&unit_camera(), (80, 80), squares.facets()).unwrap();
        let without = bare.image(Colour::WHITE, &|_| Colour::WHITE).unwrap();
        // Darkness of a column in all, in the middle and where there is no square.
        [40, 10].map(|x| {
            let light = |image: &Image| (0..80).map(|y| i32::from(image.pixel(x, y).unwrap().g)).sum::<i32>();
            light(&without) - light(&with)
        })
    };
    let ([open, free], [hidden, beside]) = (dark_rows(0.0), dark_rows(-1.0));
    assert!(hidden > 40 && open > 2 * hidden, "{open} {hidden}");
    assert!(free > 300 && free == beside);
}

#[test]
fn points_are_framed_tightly_from_any_side() {
    let points = [Vec3::new(5.0, 1.0, 0.0), Vec3::new(6.0, 3.0, 1.0), Vec3::new(5.5, 2.0, -7.0), Vec3::NAN];
    let empty = Facets { positions: &[], triangles: &[], kinds: &[] };
    for direction in [FRONT, SIDE, THREE_QUARTER] {
        let camera = Camera::framing_points(points, direction);
        let view = SeeThrough::new(&camera, (100, 60), empty).unwrap();
        let pixels = points[..3].iter().map(|point| view.project(*point).unwrap());
        let (low, high) = pixels.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), pixel| {
            (low.min(pixel), high.max(pixel))
        });
        assert!(low.min_element() > 0.0 && high.x < 100.0 && high.y < 60.0);
        let filled = (high - low) / Vec2::new(100.0, 60.0);
        assert!(filled.max_element() > 0.9, "{filled}");
    }
    for points in [vec![], vec![Vec3::ONE], vec![Vec3::splat(f32::MAX), Vec3::splat(f32::MIN)]] {
        let view = SeeThrough::new(&Camera::framing_points(points, FRONT), (9, 9), empty).unwrap();
        assert!(view.project(Vec3::ZERO).is_some());
    }
}

#[test]
fn bad_input_is_left_out() {
    let positions = [Vec3::NAN, Vec3::INFINITY, Vec3::splat(f32::MAX), Vec3::ZERO];
    let triangles = [[0, 1, 2], [0, 3, 3], [3, 3, 3], [1, 2, 3], [9, 0, u32::MAX], [2, 2, 3], [3, 3, 3]];
    let facets = Facets { positions: &positions, triangles: &triangles, kinds: &[Kind::Solid; 6] };
    for camera in [unit_camera(), Camera::perspective(Vec3::ZERO, Vec3::NEG_Z, Vec3::Y, 1.0)] {
        let lines = [[Vec3::NAN, Vec3::ZERO], [Vec3::ZERO, Vec3::ZERO], [Vec3::splat(f32::MAX), Vec3::ZERO]];
        let drawn = SeeThrough::new(&camera, (20, 20), facets).unwrap().with_lines(&lines[..2]);
        let image = drawn.image(Colour::WHITE, &|_| Colour::RED).unwrap();
        assert_eq!(image, Image::new(20, 20, Colour::WHITE).unwrap());
        drawn.with_lines(&lines).image(Colour::WHITE, &|_| Colour::RED).unwrap();
    }
    let error = SeeThrough::new(&unit_camera(), (0, 5), facets).unwrap_err();
    assert!(matches!(error, DrawError::Size { width: 0, height: 5 }));
}

#[test]
fn a_small_png_reads_back_in_its_colours() {
    let image = Squares::new(&[(0.5, 0.0, Kind::Solid), (0.3, 1.0, Kind::Mark)]).image(40);
    let bytes = image.to_small_png_bytes().unwrap();
    let mut decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (40, 40, png::ColorType::Rgb));
    assert_eq!(pixels, image.rgb_bytes());
}
