//! How long edges should be where: coarse on the body, fine on hands and faces, with a gentle change between.

use glam::DVec3;

/// A sphere that wants finer triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Focus {
    pub center: DVec3,
    pub radius: f64,
    /// Edge length inside, relative to that of the body.
    pub size: f64,
}

/// Edge lengths over space: `min(base, size_i * base + grading * distance_i)`.
#[derive(Clone, Debug)]
pub(crate) struct Sizing {
    /// Edge length far from every focus.
    pub base: f64,
    pub focuses: Vec<Focus>,
}

/// Growth of the edge length per distance from a focus; above 0.5 the triangles between become slivers.
const GRADING: f64 = 0.3;

impl Sizing {
    /// The wanted edge length at a point.
    pub fn at(&self, p: DVec3) -> f64 {
        self.focuses.iter().fold(self.base, |size, focus| {
            let inside = focus.size * self.base;
            // Farther away than this the focus cannot lower the size; most foci end here.
            let reach = focus.radius + (size - inside) / GRADING;
            let away_sq = p.distance_squared(focus.center);
            if reach <= 0.0 || away_sq >= reach * reach {
                return size;
            }
            size.min(inside + GRADING * (away_sq.sqrt() - focus.radius).max(0.0))
        })
    }
}
