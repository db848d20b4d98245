//! How well the spheres of a region fill it, as shares of its surface.

use glam::DVec3;
use supple::{Body, Skinning, Sphere};

use crate::sphere_chains::SphereChains;

/// How far off, in parts of the mean radius of a region's spheres, a piece of surface may be and still count as covered. Spheres in a
/// row leave gaps of a tenth to a third of their radius.
const OFF: f64 = 0.5;

/// Beyond this share of the surface, outside and beyond together, spheres fit badly. Limbs of human characters have at most 0.28, most of them below 0.15; wings,
/// swords and flat moustaches have 0.3 to 0.9.
const BAD: f64 = 0.3;

/// From this distance on, in mean radii, triangles are too long for their spheres: human limbs have 0.1 to 0.5, those of few long
/// triangles 1 to 4.
const TOO_LONG: f64 = 1.0;

/// Which shares of a region's surface its spheres miss by more than half of their mean radius, at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Fit {
    /// The share that sticks out of all spheres of the region: what happens there is missed.
    pub outside: f64,
    /// The share that spheres reach beyond: they report what is not there.
    pub beyond: f64,
    /// How far corners of triangles are from their own sphere, on average, in mean radii.
    pub off_by: f64,
}

impl Fit {
    /// Whether answers about the region mean little.
    pub fn is_bad(&self) -> bool {
        self.misses_surface() || self.has_long_triangles()
    }

    /// Whether what sticks out and what spheres reach beyond are together too much of the surface.
    pub fn misses_surface(&self) -> bool {
        self.outside + self.beyond > BAD
    }

    /// Whether triangles reach so far out of their spheres that these cannot stand for them.
    pub fn has_long_triangles(&self) -> bool {
        self.off_by > TOO_LONG
    }
}

impl SphereChains {
    /// How well spheres fill each region, at rest; the distance of a triangle's middle from the nearest sphere of its region counts
    /// for its area. Poses the whole mesh.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// assert!(chains.fits().iter().all(|fit| !fit.is_bad()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fits(&self) -> Vec<Fit> {
        let mut body =
            Body::new(self.shape(), Skinning::Linear).expect("the chains were built from such a body");
        let (positions, triangles) = (body.positions(), self.shape().model().mesh().triangles());
        let of_region = |region: usize| {
            let own = || self.spheres().iter().filter(move |sphere| sphere.region as usize == region);
            let spheres: Vec<_> = own().map(|sphere| sphere.adjusted).collect();
            let radius =
                spheres.iter().map(|s| f64::from(s.radius)).sum::<f64>() / spheres.len().max(1) as f64;
            let (mut all, mut corners, mut fit) = (0.0, 0.0, Fit::default());
            for (sphere, &triangle) in
                own().flat_map(|own| own.triangles.iter().map(move |t| (own.adjusted, t)))
            {
                let points = triangles[triangle as usize].map(|v| positions[v as usize].as_dvec3());
                let [a, b, c] = points;
                let (area, middle) = (0.5 * (b - a).cross(c - a).length(), (a + b + c) / 3.0);
                let distance =
                    |s: &Sphere, point: DVec3| s.center.as_dvec3().distance(point) - f64::from(s.radius);
                let nearest = spheres.iter().map(|s| distance(s, middle)).fold(f64::INFINITY, f64::min);
                all += area;
                corners += 3.0;
                fit.outside += if nearest > OFF * radius { area } else { 0.0 };
                fit.beyond += if nearest < -OFF * radius { area } else { 0.0 };
                fit.off_by += points.iter().map(|&point| distance(&sphere, point).abs()).sum::<f64>();
            }
            // Spheres of a flat region are points: nothing of it is in them.
            let per = |sum: f64, of: f64| if sum > 0.0 { sum / of } else { 0.0 };
            Fit {
                outside: per(fit.outside, all),
                beyond: per(fit.beyond, all),
                off_by: per(fit.off_by, corners * radius),
            }
        };
        (0..self.regions().len()).map(of_region).collect()
    }
}
