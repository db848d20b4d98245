//! How far a fitted model is from its sequence.
//!
//! ```text
//! percent = 100 |exact - approximated|_F / |exact - average|_F
//! ```
//!
//! where a column of each matrix holds all coordinates of a frame, and every column of `average` is the mean of all
//! frames.
//!
//! Must hold: positions are those that `supple` computes, in f32. A sequence that does not move has no average to
//! differ from; its percentage is relative to its size instead.
//!
//! Based on: D. L. James, C. D. Twigg, Skinning Mesh Animations, 2005; L. Kavan, Real-time Skeletal Animation, 2007,
//! section 7.4.

use glam::{DVec3, Vec3};

/// Errors of a fitted model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distortion {
    /// The percentage of distortion, as the papers have it.
    pub percent: f64,
    /// The largest distance of a vertex from where it should be.
    pub largest: f64,
    /// The root of the mean square distance, frame by frame.
    pub frames: Vec<f64>,
}

impl Distortion {
    /// Compares frames with what approximates them.
    ///
    /// # Panics
    /// Different numbers of frames or vertices.
    pub fn new(exact: &[Vec<Vec3>], approximated: &[Vec<Vec3>]) -> Self {
        assert_eq!(exact.len(), approximated.len(), "a frame for each");
        let pairs = || exact.iter().zip(approximated);
        let squares = |(a, b): (&Vec<Vec3>, &Vec<Vec3>)| {
            assert_eq!(a.len(), b.len(), "a vertex for each");
            let square = |(a, b): (&Vec3, &Vec3)| a.as_dvec3().distance_squared(b.as_dvec3());
            a.iter().zip(b).map(square).fold((0.0, 0.0f64), |(sum, largest), s| (sum + s, largest.max(s)))
        };
        let per_frame: Vec<(f64, f64)> = pairs().map(squares).collect();
        let total: f64 = per_frame.iter().map(|(sum, _)| sum).sum();
        let largest = per_frame.iter().fold(0.0f64, |l, &(_, s)| l.max(s)).sqrt();
        let vertices = exact.first().map_or(0, Vec::len).max(1) as f64;
        let frames = per_frame.iter().map(|(sum, _)| (sum / vertices).sqrt()).collect();
        let whole = variation(exact);
        let percent = if total == 0.0 { 0.0 } else { 100.0 * (total / whole).sqrt() };
        Self { percent, largest, frames }
    }
}

/// `|exact - average|_F^2`, or of a still sequence that of its vertices about their middle.
pub(crate) fn variation(exact: &[Vec<Vec3>]) -> f64 {
    let vertices = exact.first().map_or(0, Vec::len);
    let about = |frames: &[Vec<Vec3>], vertex: usize| {
        let mean = frames.iter().map(|f| f[vertex].as_dvec3()).sum::<DVec3>() / frames.len() as f64;
        frames.iter().map(|f| f[vertex].as_dvec3().distance_squared(mean)).sum::<f64>()
    };
    let moving: f64 = (0..vertices).map(|vertex| about(exact, vertex)).sum();
    let Some(first) = exact.first() else { return 0.0 };
    let middle = first.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / vertices.max(1) as f64;
    let size: f64 =
        first.iter().map(|p| p.as_dvec3().distance_squared(middle)).sum::<f64>() * exact.len() as f64;
    // Below this part of the size it is the rounding of f32 that moves.
    if moving > 1e-14 * size { moving } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_is_relative_to_the_motion() {
        // Two vertices, two frames; the first moves by 2, so it is 1 from its average in both frames.
        let exact = vec![vec![Vec3::ZERO, Vec3::Y], vec![Vec3::X * 2.0, Vec3::Y]];
        let near = vec![vec![Vec3::ZERO, Vec3::Y], vec![Vec3::X * 2.0, Vec3::Y * 1.5]];
        let found = Distortion::new(&exact, &near);
        assert!((found.percent - 100.0 * 0.5 / 2f64.sqrt()).abs() < 1e-12, "{found:?}");
        assert_eq!(found.largest, 0.5);
        assert!(found.frames[0] == 0.0 && (found.frames[1] - 0.125f64.sqrt()).abs() < 1e-12);
        // The average itself is 100 %.
        let average = vec![vec![Vec3::X, Vec3::Y]; 2];
        assert!((Distortion::new(&exact, &average).percent - 100.0).abs() < 1e-12);
        let still = vec![exact[0].clone(); 3];
        assert_eq!(Distortion::new(&still, &still).percent, 0.0);
        assert!(Distortion::new(&still, &vec![near[1].clone(); 3]).percent.is_finite());
    }
}
