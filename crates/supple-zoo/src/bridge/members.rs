//! Members: closed bars along straight or curved axes, gathered into one mesh.
//!
//! In: axes and sections. Out: positions and triangles, oriented outwards. Must hold: no two members share a vertex.

use glam::{Vec2, Vec3};

/// All members so far.
#[derive(Default)]
pub(super) struct Members {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Members {
    /// A straight bar with a rectangular section: `half` is half its size along `side` and across it. With `cuts` pieces there
    /// are `8 cuts + 4` triangles.
    pub fn bar(&mut self, [from, to]: [Vec3; 2], side: Vec3, half: Vec2, cuts: usize) {
        let axis: Vec<Vec3> = (0..=cuts).map(|cut| from.lerp(to, cut as f32 / cuts as f32)).collect();
        let corners =
            [Vec2::new(1.0, 1.0), Vec2::new(-1.0, 1.0), Vec2::new(-1.0, -1.0), Vec2::new(1.0, -1.0)];
        self.sweep(&axis, side, &corners.map(|corner| corner * half));
    }

    /// A round bar along a curve.
    pub fn cable(&mut self, axis: &[Vec3], side: Vec3, radius: f32) {
        const AROUND: usize = 8;
        let corner = |k: usize| Vec2::from_angle(std::f32::consts::TAU * k as f32 / AROUND as f32) * radius;
        self.sweep(axis, side, &std::array::from_fn::<Vec2, AROUND, _>(corner));
    }

    pub fn into_surface(self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        (self.positions, self.triangles)
    }

    /// A section, counter-clockwise and convex, carried along the axis; `side` is made perpendicular to it.
    fn sweep(&mut self, axis: &[Vec3], side: Vec3, section: &[Vec2]) {
        let first = self.positions.len() as u32;
        let around = section.len() as u32;
        for (i, &at) in axis.iter().enumerate() {
            let along = (axis[(i + 1).min(axis.len() - 1)] - axis[i.saturating_sub(1)]).normalize();
            let u = side.reject_from_normalized(along).normalize();
            let v = along.cross(u);
            self.positions.extend(section.iter().map(|corner| at + u * corner.x + v * corner.y));
        }
        let rings = axis.len() as u32;
        let vertex = |ring: u32, k: u32| first + ring * around + k % around;
        for (ring, k) in (0..rings - 1).flat_map(|ring| (0..around).map(move |k| (ring, k))) {
            let [a, b] = [vertex(ring, k), vertex(ring, k + 1)];
            let [c, d] = [vertex(ring + 1, k + 1), vertex(ring + 1, k)];
            self.triangles.extend([[a, b, c], [a, c, d]]);
        }
        // Fans over both ends.
        for k in 1..around - 1 {
            self.triangles.push([vertex(0, 0), vertex(0, k + 1), vertex(0, k)]);
            self.triangles.push([vertex(rings - 1, 0), vertex(rings - 1, k), vertex(rings - 1, k + 1)]);
        }
    }
}
