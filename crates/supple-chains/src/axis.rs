//! The line along which a disk of rays moves through a region: from joint to joint, and on to the ends of the region.

use glam::{DMat3, DVec3};

use supple::math::SymmetricEigen;

/// A line of straight pieces, by arc length.
pub(crate) struct Axis {
    points: Vec<DVec3>,
    /// Arc length at each point.
    at: Vec<f64>,
}

impl Axis {
    /// Through joints, or where they all coincide, along the longest direction of the region; as long as the region.
    pub fn new(joints: &[DVec3], region: &[DVec3]) -> Self {
        let size = region.iter().map(|p| p.distance(region[0])).fold(0.0, f64::max);
        let mut points: Vec<DVec3> = Vec::new();
        for &joint in joints {
            if points.last().is_none_or(|last| last.distance(joint) > 1e-3 * size) {
                points.push(joint);
            }
        }
        if points.len() < 2 {
            let middle = region.iter().sum::<DVec3>() / region.len() as f64;
            let along = longest_direction(region, middle);
            // Upwards where that makes sense, so that levels are numbered from the bottom.
            let along = if along.y < 0.0 { -along } else { along };
            points = vec![middle, middle + along * 1e-3 * size.max(f64::MIN_POSITIVE)];
        }
        let last = points.len() - 1;
        let outwards = [
            (points[0] - points[1]).normalize_or_zero(),
            (points[last] - points[last - 1]).normalize_or_zero(),
        ];
        // Only what is nearest to an end lies beyond it: a bent limb may come back.
        let mut beyond = [0.0f64; 2];
        for &p in region {
            let nearest = nearest_on_line(&points, p);
            for (end, tip_on_line) in [(0, 0.0), (1, last as f64)] {
                if nearest == tip_on_line {
                    let tip = points[end * last];
                    beyond[end] = beyond[end].max((p - tip).dot(outwards[end]));
                }
            }
        }
        points[0] += outwards[0] * beyond[0];
        points[last] += outwards[1] * beyond[1];
        let mut at = vec![0.0];
        for pair in points.windows(2) {
            at.push(at[at.len() - 1] + pair[0].distance(pair[1]));
        }
        Self { points, at }
    }

    pub fn length(&self) -> f64 {
        self.at[self.at.len() - 1]
    }

    pub fn point(&self, along: f64) -> DVec3 {
        let last = self.points.len() - 2;
        let piece = (0..last).find(|&piece| along <= self.at[piece + 1]).unwrap_or(last);
        let length = self.at[piece + 1] - self.at[piece];
        let share = if length > 0.0 { (along - self.at[piece]) / length } else { 0.0 };
        self.points[piece].lerp(self.points[piece + 1], share)
    }

    /// The direction of the line, averaged over some length: bends are rounded.
    pub fn direction(&self, along: f64, over: f64) -> DVec3 {
        let (before, after) = ((along - over).max(0.0), (along + over).min(self.length()));
        (self.point(after) - self.point(before)).normalize_or(DVec3::Y)
    }
}

/// The longest direction of some points.
pub(crate) fn longest_direction(points: &[DVec3], middle: DVec3) -> DVec3 {
    let spread = points.iter().fold(DMat3::ZERO, |sum, &p| {
        let d = p - middle;
        sum + DMat3::from_cols(d * d.x, d * d.y, d * d.z)
    });
    SymmetricEigen::new(spread).vectors.x_axis
}

/// Where a line is nearest to a point: number of the piece plus how far along it.
fn nearest_on_line(line: &[DVec3], point: DVec3) -> f64 {
    let mut best = (f64::INFINITY, 0.0);
    for (piece, ends) in line.windows(2).enumerate() {
        let along = ends[1] - ends[0];
        let share = ((point - ends[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let distance = point.distance_squared(ends[0] + along * share);
        if distance < best.0 {
            best = (distance, piece as f64 + share);
        }
    }
    best.1
}
