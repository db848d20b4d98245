//! Tests of what `skin/rounding` keeps to itself.

use super::*;

#[test]
fn stretches_bound_what_a_matrix_does_to_lengths() {
    for seed in 0..500 {
        let number = |i: u32| ((seed * 16 + i) as f32 * 12.9898).sin();
        let shear = if seed % 2 == 0 { 0.05 } else { 1.0 };
        let column = |i: u32| {
            let own = Vec4::new(number(i), number(i + 1), number(i + 2), 0.0) * shear;
            own + [Vec4::X, Vec4::Y, Vec4::Z][i as usize / 3] * (1.0 + number(15))
        };
        let columns = [column(0), column(3), column(6)];
        let most = f64::from(largest_stretch(columns));
        let x = glam::DVec3::new(number(9).into(), number(10).into(), number(11).into());
        let [a, b, c] = columns.map(|c| c.truncate().as_dvec3());
        let stretch = (a * x.x + b * x.y + c * x.z).length() / x.length();
        assert!(stretch <= most, "{stretch} {most}");
    }
}

/// The sums of `docs/math/rounding.md`, with the factors for terms of higher order (5 % where `|b|` is perturbed, 1/16 for
/// everything that grows with the number of operations).
#[test]
fn counts_cover_what_is_proved() {
    let products = |n: f64| n * (n - 1.0) / 2.0;
    for n in 1..=256usize {
        let k = n as f64;
        for m in [0usize, 1, 7, 100, 10_000] {
            let (taken, m_) = (f64::from(linear_count(n, m)), m as f64);
            let second_order = 1.0 + (taken * f64::from(UNIT_ROUNDOFF)) / (1.0 - 0.0625);
            let of_translation = (k + 3.0) + 5.0 * k + 3.0 * (k + 10.0);
            let of_rest = 0.5 * (6.0 * k + 3.0)
                + 1.5 * 3.0 * (k + 10.0)
                + 13.4
                + (0.5 * (m_ + 1.0) + 0.867 * (m_ + 3.0) + 37.5);
            assert!(second_order * of_translation <= taken && second_order * of_rest <= taken, "{n} {m}");
            if n < 2 {
                continue;
            }
            let taken = f64::from(rotation_count(n, m));
            let vertex = 2.05 * (k + 1.0) + 38.0;
            let bulge = 3.0 * products(k) + 8.0 * k + 130.0;
            let offset = 3.0 * products(k) + 140.0;
            let rest = 108.0 + 2.74 * m_;
            let of_translation = 5.0 * k + 3.0 * (k + 9.0) + vertex + bulge;
            // A rotation's absolute values sum to 3 and more: lengths of rest positions are a third of `A`.
            let of_rest =
                (5.0 * k + 15.6 * (k + 9.0) + 2.0 + vertex + 1.74 * bulge + 3.0 * offset + rest) / 6.0;
            assert!(1.01 * of_translation <= taken && 1.01 * of_rest <= taken, "{n} {m}");
            // With blended stretches: lengths of rest positions are at most `A`, those of boxes are measured.
            let of_rest = (10.0 * k + 15.6 * (k + 11.0) + (k + 3.0) + vertex + rest) / 2.0;
            let of_box = (3.0 * (k + 9.0) + bulge + offset) / 2.0;
            assert!(1.01 * of_rest <= taken && 1.01 * of_box <= taken, "{n} {m}");
            // A rotation center, in the bulge, the vertex and the corners.
            let of_center = bulge + 8.7 * k + 51.0;
            assert!(1.01 * of_center <= 2.0 * taken, "{n} {m}");
        }
    }
}

/// The items of `docs/math/rounding.md`, "Bends"; a hundredth for terms of higher order is part of each.
#[test]
fn bends_cover_what_is_proved() {
    for n in 2..=256usize {
        let (k, [of_rest, of_translation, of_center]) = (n as f64, bend_counts(n).map(f64::from));
        // Weights that do not sum to 1; matrices that are taken for rigid are off by 148 of rest positions, which are a third of `A` then, others by 45.
        assert!((1.01 * k + 2.05 * (k + 1.0) + 37.0 + (k + 3.0) + 50.0) / 2.0 <= of_rest, "{n}");
        assert!(1.01 * k + 2.05 * (k + 1.0) + 14.5 <= of_translation, "{n}");
        assert!(2.05 * (k + 1.0) + 38.0 + 1.74 * k + 8.0 + 2.0 * k + 3.0 <= of_center, "{n}");
    }
}

#[test]
fn lengths_of_blends_are_bounded_by_more_than_their_rounding() {
    for n in 2..=256usize {
        let (k, pairs) = (n as f64, (n * (n - 1) / 2) as f64);
        assert!(1.03 * (pairs + 2.0 + 4.0 * k + 18.0 + 2.0) <= f64::from(length_sq_count(n)), "{n}");
        assert!(1.001 * (8.0 * k + 28.0) <= f64::from(projection_count(n)), "{n}");
    }
}
