//! How well a sphere lies on points of a surface.

use glam::Vec3;
use supple::Sphere;

/// How far a sphere is from points of the surface: `F = r - |c - v|` of every point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Misfit {
    /// Mean of `|F|`.
    pub mean: f64,
    /// Largest `|F|`.
    pub worst: f64,
}

impl Misfit {
    /// Of a sphere and some points; zero where there are none.
    ///
    /// ```
    /// use glam::Vec3;
    /// use supple::Sphere;
    /// use supple_chains::Misfit;
    ///
    /// let misfit = Misfit::new(&Sphere::new(Vec3::ZERO, 2.0), [Vec3::X, Vec3::Y * 2.0]);
    /// assert_eq!(misfit, Misfit { mean: 0.5, worst: 1.0 });
    /// ```
    pub fn new(sphere: &Sphere, points: impl IntoIterator<Item = Vec3>) -> Self {
        let (mut misfit, mut count) = (Self::default(), 0usize);
        for point in points {
            let distance = sphere.center.as_dvec3().distance(point.as_dvec3());
            let f = (f64::from(sphere.radius) - distance).abs();
            misfit = Self { mean: misfit.mean + f, worst: misfit.worst.max(f) };
            count += 1;
        }
        misfit.mean /= count.max(1) as f64;
        misfit
    }
}
