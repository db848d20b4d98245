//! Pictures checked pixel by pixel through the public API.

use glam::Vec3;
use supple_draw::{Camera, Canvas, Colour, DrawError, FRONT, SIDE, Style, THREE_QUARTER};

/// Shows -1..1 in x and y on a square canvas, seen from +Z.
fn unit_cameras() -> [Camera; 2] {
    let eye = Vec3::new(0.0, 0.0, 10.0);
    let fov = 2.0 * (0.1_f32).atan();
    [Camera::orthographic(eye, Vec3::ZERO, Vec3::Y, 2.0), Camera::perspective(eye, Vec3::ZERO, Vec3::Y, fov)]
}

fn square(half: f32, z: f32) -> [Vec3; 4] {
    [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| Vec3::new(x, y, z))
}

const QUAD: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// Pixels that differ between two pictures of the same size.
fn changed(before: &Canvas, after: &Canvas) -> Vec<(u32, u32)> {
    let places = (0..before.height()).flat_map(|y| (0..before.width()).map(move |x| (x, y)));
    places.filter(|&(x, y)| before.pixel(x, y) != after.pixel(x, y)).collect()
}

fn is_reddish(colour: Option<Colour>) -> bool {
    colour.is_some_and(|colour| u32::from(colour.r) > u32::from(colour.b) + 50)
}

#[test]
fn what_is_in_front_hides_what_is_behind_in_any_order() {
    for camera in unit_cameras() {
        let draw = |order: [usize; 2]| {
            let mut canvas = Canvas::new(50, 50).unwrap();
            let things = [(square(0.4, 0.5), Colour::RED), (square(0.8, -0.5), Colour::BLUE)];
            for index in order {
                let (positions, colour) = &things[index];
                canvas.draw_mesh(&camera, positions, &QUAD, &Style::flat(*colour));
            }
            canvas
        };
        let (forth, back) = (draw([0, 1]), draw([1, 0]));
        assert!(is_reddish(forth.pixel(25, 25)));
        assert!(!is_reddish(forth.pixel(8, 25)));
        assert_ne!(forth.pixel(8, 25), Canvas::new(50, 50).unwrap().pixel(8, 25));
        assert_eq!(forth.to_rgb_bytes(), back.to_rgb_bytes());
    }
}

#[test]
fn crossing_triangles_cut_each_other_where_they_meet() {
    // One upright square, one that leans through it: their line of intersection is x = 0.
    let leaning = square(0.9, 0.0).map(|point| point.with_z(point.x));
    for camera in unit_cameras() {
        let mut canvas = Canvas::new(100, 100).unwrap();
        canvas.draw_mesh(&camera, &leaning, &QUAD, &Style::flat(Colour::RED));
        canvas.draw_mesh(&camera, &square(0.9, 0.0), &QUAD, &Style::flat(Colour::BLUE));
        for x in 10..90 {
            if x != 49 && x != 50 {
                assert_eq!(is_reddish(canvas.pixel(x, 40)), x > 50, "column {x}");
            }
        }
    }
}

#[test]
fn a_sphere_has_its_radius() {
    for (camera, tangent) in unit_cameras().into_iter().zip([0.0_f32, 0.1]) {
        let before = Canvas::new(200, 200).unwrap();
        let mut canvas = before.clone();
        let radius = 0.6_f32;
        canvas.draw_sphere(&camera, Vec3::ZERO, radius, Colour::BLUE, 1.0);
        // Seen from 10 units away the outline is the tangent cone: r * 10 / sqrt(100 - r^2).
        let grown = if tangent > 0.0 { 10.0 / (100.0 - radius * radius).sqrt() } else { 1.0 };
        let expected = radius * 100.0 * grown;
        for (x, y) in (0..200).flat_map(|y| (0..200).map(move |x| (x, y))) {
            let distance = (x as f32 + 0.5 - 100.0).hypot(y as f32 + 0.5 - 100.0);
            let is_drawn = canvas.pixel(x, y) != before.pixel(x, y);
            if (distance - expected).abs() > 0.8 {
                assert_eq!(is_drawn, distance < expected, "pixel {x} {y}");
            }
        }
    }
}

#[test]
fn a_translucent_sphere_lets_through_and_is_hidden() {
    let camera = unit_cameras()[0];
    let mut canvas = Canvas::new(60, 60).unwrap();
    canvas.draw_mesh(&camera, &square(0.3, 0.0), &QUAD, &Style::flat(Colour::RED));
    let before = canvas.clone();
    canvas.draw_sphere(&camera, Vec3::new(0.0, 0.0, -3.0), 0.2, Colour::BLUE, 0.3);
    assert!(changed(&before, &canvas).is_empty());
    canvas.draw_sphere(&camera, Vec3::ZERO, 0.8, Colour::BLUE, 0.1);
    assert!(is_reddish(canvas.pixel(30, 30)));
    assert_ne!(canvas.pixel(30, 30), before.pixel(30, 30));
    assert_ne!(canvas.pixel(30, 10), before.pixel(30, 10));
}

#[test]
fn a_subdivided_quad_has_no_holes_and_looks_like_the_whole() {
    let cells = 23_u32;
    let point =
        |i: u32, j: u32| Vec3::new(i as f32, j as f32, 0.0) / cells as f32 * 1.7 - Vec3::new(0.85, 0.85, 0.0);
    let positions: Vec<_> = (0..=cells).flat_map(|j| (0..=cells).map(move |i| point(i, j))).collect();
    let mut triangles = Vec::new();
    for (i, j) in (0..cells).flat_map(|j| (0..cells).map(move |i| (i, j))) {
        let a = j * (cells + 1) + i;
        let (b, d) = (a + 1, a + cells + 1);
        triangles.extend([[a, b, d + 1], [a, d + 1, d]]);
    }
    let camera = unit_cameras()[0];
    let (mut fine, mut coarse) = (Canvas::new(90, 90).unwrap(), Canvas::new(90, 90).unwrap());
    fine.draw_mesh(&camera, &positions, &triangles, &Style::smooth(Colour::GREEN));
    coarse.draw_mesh(&camera, &square(0.85, 0.0), &QUAD, &Style::flat(Colour::GREEN));
    // Parallel rays and one normal: every pixel of the inside has the same colour, a hole would not.
    assert!(changed(&fine, &coarse).is_empty());
    let inside = fine.pixel(45, 45);
    assert!((8..82).all(|y| (8..82).all(|x| fine.pixel(x, y) == inside)));
}

#[test]
fn both_sides_are_lit_alike() {
    for camera in unit_cameras() {
        let (mut front, mut behind) = (Canvas::new(30, 30).unwrap(), Canvas::new(30, 30).unwrap());
        let reversed = QUAD.map(|[a, b, c]| [c, b, a]);
        front.draw_mesh(&camera, &square(0.7, 0.0), &QUAD, &Style::smooth(Colour::CLAY));
        behind.draw_mesh(&camera, &square(0.7, 0.0), &reversed, &Style::smooth(Colour::CLAY));
        assert!(!changed(&Canvas::new(30, 30).unwrap(), &front).is_empty());
        assert!(changed(&front, &behind).is_empty());
    }
}

#[test]
fn marks_colour_their_triangle_only() {
    let camera = unit_cameras()[0];
    let marks = |triangle: usize| (triangle == 1).then_some(Colour::RED);
    let mut canvas = Canvas::new(40, 40).unwrap();
    canvas.draw_mesh(&camera, &square(0.9, 0.0), &QUAD, &Style::flat(Colour::BLUE).with_marks(&marks));
    assert!(is_reddish(canvas.pixel(10, 10)));
    assert!(!is_reddish(canvas.pixel(30, 30)));
}

#[test]
fn edges_are_drawn_on_edges() {
    let camera = unit_cameras()[0];
    let mut canvas = Canvas::new(80, 80).unwrap();
    let style = Style::flat(Colour::WHITE).with_edges(Colour::BLACK);
    canvas.draw_mesh(&camera, &square(0.9, 0.0), &QUAD, &style);
    let brightness = |x, y| canvas.pixel(x, y).unwrap().g;
    // The diagonal runs from the lower left to the upper right.
    assert!(brightness(30, 49) < 180, "{}", brightness(30, 49));
    assert!(brightness(20, 30) > 200 && brightness(60, 50) > 200);
}

#[test]
fn a_line_lies_on_a_surface_and_hides_behind_it() {
    for camera in unit_cameras() {
        let mut canvas = Canvas::new(60, 60).unwrap();
        canvas.draw_mesh(&camera, &square(0.5, 0.0), &QUAD, &Style::flat(Colour::GREY));
        let (left, right) = (Vec3::new(-0.9, 0.0, 0.0), Vec3::new(0.9, 0.0, 0.0));
        let behind = Vec3::new(0.0, 0.4, -0.5);
        canvas.draw_line(&camera, left + behind, right + behind, 4.0, Colour::RED);
        assert!(!is_reddish(canvas.pixel(30, 18)));
        assert!(is_reddish(canvas.pixel(6, 18)));
        canvas.draw_line(&camera, left, right, 4.0, Colour::RED);
        assert_eq!(canvas.pixel(30, 30), Some(Colour::RED));
        assert_eq!(canvas.pixel(1, 30), Canvas::new(60, 60).unwrap().pixel(1, 30));
    }
}

#[test]
fn framing_keeps_every_point_inside_the_picture() {
    let points: Vec<_> = (0..200)
        .map(|i| {
            let angle = i as f32 * 0.7;
            Vec3::new(5.0 + angle.sin(), angle.cos() * 3.0, i as f32 * 0.02)
        })
        .collect();
    let min = points.iter().copied().reduce(Vec3::min).unwrap();
    let max = points.iter().copied().reduce(Vec3::max).unwrap();
    let canvas = Canvas::new(160, 90).unwrap();
    for direction in [FRONT, SIDE, THREE_QUARTER, -THREE_QUARTER] {
        for camera in
            [Camera::framing(min, max, direction), Camera::framing_perspective(min, max, direction, 0.8)]
        {
            for point in &points {
                let pixel = canvas.project(&camera, *point).unwrap();
                assert!(pixel.x > 0.0 && pixel.x < 160.0 && pixel.y > 0.0 && pixel.y < 90.0);
            }
        }
    }
}

#[test]
fn a_floor_under_the_eye_reaches_the_bottom_of_the_picture() {
    // Far corners in front, near corners behind the eye: only correct cutting draws the part between.
    let floor = [(-50., -50.), (50., -50.), (50., 50.), (-50., 50.)].map(|(x, z)| Vec3::new(x, -1.0, z));
    let camera = Camera::perspective(Vec3::ZERO, Vec3::NEG_Z, Vec3::Y, 1.2);
    let before = Canvas::new(64, 64).unwrap();
    let mut canvas = before.clone();
    canvas.draw_mesh(&camera, &floor, &QUAD, &Style::flat(Colour::GREEN));
    for x in 0..64 {
        assert_ne!(canvas.pixel(x, 63), before.pixel(x, 63));
        assert_ne!(canvas.pixel(x, 36), before.pixel(x, 36));
        assert_eq!(canvas.pixel(x, 30), before.pixel(x, 30));
    }
}

#[test]
fn bad_input_is_left_out() {
    let before = Canvas::new(20, 20).unwrap();
    let mut canvas = before.clone();
    let bad = [Vec3::NAN, Vec3::INFINITY, Vec3::splat(f32::MAX), Vec3::ZERO];
    let triangles = [[0, 1, 2], [0, 3, 3], [3, 3, 3], [1, 2, 3], [9, 0, u32::MAX], [2, 2, 3]];
    for camera in unit_cameras() {
        for style in [Style::flat(Colour::RED), Style::smooth(Colour::RED).with_edges(Colour::INK)] {
            canvas.draw_mesh(&camera, &bad, &triangles, &style);
            canvas.draw_mesh(&camera, &[], &triangles, &style);
        }
        for point in &bad[..2] {
            canvas.draw_sphere(&camera, *point, 1.0, Colour::RED, 0.5);
            canvas.draw_line(&camera, *point, Vec3::ZERO, 2.0, Colour::RED);
            assert!(canvas.project(&camera, *point).is_none());
        }
        for radius in [f32::NAN, -1.0, 0.0, f32::INFINITY] {
            canvas.draw_sphere(&camera, Vec3::ZERO, radius, Colour::RED, 0.5);
        }
        canvas.draw_line(&camera, Vec3::ZERO, Vec3::ONE, f32::NAN, Colour::RED);
    }
    assert!(changed(&before, &canvas).is_empty());
}

#[test]
fn impossible_sizes_are_errors() {
    for (width, height) in [(0, 5), (5, 0), (0, 0), (20_000, 1), (u32::MAX, u32::MAX), (16_000, 16_000)] {
        let error = Canvas::new(width, height).unwrap_err();
        assert!(matches!(error, DrawError::Size { .. }));
        assert!(error.to_string().contains(&format!("{width} x {height}")));
    }
}

#[test]
fn pasting_copies_pixels_and_cuts_at_the_border() {
    let tile = Canvas::with_background(10, 10, Colour::RED, Colour::BLUE).unwrap();
    let blank = Canvas::with_background(20, 15, Colour::WHITE, Colour::WHITE).unwrap();
    for (left, top) in [(3, 4), (-4, -6), (15, 12), (40, 0), (-10, 0), (i32::MAX, i32::MIN)] {
        let mut sheet = blank.clone();
        sheet.paste(&tile, left, top);
        for (x, y) in (0..15).flat_map(|y| (0..20).map(move |x| (x, y))) {
            let from = (i64::from(x) - i64::from(left), i64::from(y) - i64::from(top));
            let copied = u32::try_from(from.0).ok().zip(u32::try_from(from.1).ok());
            let expected = copied.and_then(|(x, y)| tile.pixel(x, y)).unwrap_or(Colour::WHITE);
            assert_eq!(sheet.pixel(x, y), Some(expected));
        }
    }
}

#[test]
fn a_png_reads_back_as_the_same_pixels() {
    let mut canvas = Canvas::new(33, 21).unwrap();
    canvas.draw_sphere(&unit_cameras()[0], Vec3::ZERO, 0.7, Colour::VIOLET, 0.5);
    canvas.draw_text(1, 1, 1, "png", Colour::INK);
    let bytes = canvas.to_png_bytes().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (33, 21, png::ColorType::Rgb));
    assert_eq!(pixels, canvas.to_rgb_bytes());

    let path = std::env::temp_dir().join(format!("supple-draw-{}.png", std::process::id()));
    canvas.write_png(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    std::fs::remove_file(&path).unwrap();
    let error = canvas.write_png(path.join("no/such/folder.png")).unwrap_err();
    assert!(error.to_string().contains("folder.png"));
}
