//! The implicit surface: all lumps, melted together.
//!
//! In: a point. Out: a signed distance estimate, negative inside. Lumps of one group are joined by a smooth minimum in
//! their order, groups likewise; then carving lumps are taken away, and late lumps are added.
//!
//! ```text
//! smooth_min(a, b, k) = min(a, b) - k/4 h^2,   h = max(k - |a - b|, 0) / k
//! ```
//!
//! Based on: Inigo Quilez, Smooth minimum (quadratic), 2013.

use glam::DVec3;

use super::Primitive;

/// Lumps, and for blocks of space the few of them that matter there.
#[derive(Debug)]
pub(crate) struct Clay {
    primitives: Vec<Primitive>,
    min: DVec3,
    max: DVec3,
    block: f64,
    blocks: [usize; 3],
    /// What matters in each block, x fastest.
    near: Vec<Near>,
}

/// What is near a block of space.
#[derive(Clone, Debug)]
pub(crate) enum Near {
    /// The surface is not here; the field has the sign of this value.
    Nothing(f64),
    /// Lumps that can make surface here, ascending.
    Lumps(Vec<u32>),
}

/// Blocks are looked at in regions of this many along each axis, so that empty space costs little.
const REGION: usize = 4;

impl Clay {
    /// Sorts the lumps by group and fills the blocks, which have the given edge length.
    pub fn new(mut primitives: Vec<Primitive>, block: f64) -> Self {
        primitives.sort_by_key(|p| (p.is_late, p.carves, p.group));
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for (low, high) in primitives.iter().filter(|p| !p.carves).map(Primitive::bounds) {
            (min, max) = (min.min(low), max.max(high));
        }
        // Room for what smooth seams add.
        (min, max) = (min - 0.5 * block, max + 0.5 * block);
        let blocks = ((max - min) / block).to_array().map(|n| n.ceil() as usize + 1);
        let near = vec![Near::Nothing(1.0); blocks.iter().product()];
        let mut clay = Self { primitives, min, max, block, blocks, near };
        let all: Vec<u32> = (0..clay.primitives.len() as u32).collect();
        for region in triples(blocks.map(|n| n.div_ceil(REGION))) {
            clay.fill_region(region.map(|i| i * REGION), &all);
        }
        clay
    }

    pub fn primitives(&self) -> &[Primitive] {
        &self.primitives
    }

    /// Number of blocks along each axis.
    pub fn blocks(&self) -> [usize; 3] {
        self.blocks
    }

    /// Lower corner of a block.
    pub fn corner(&self, block: [usize; 3]) -> DVec3 {
        self.min + DVec3::from_array(block.map(|i| i as f64)) * self.block
    }

    /// What is near a block.
    pub fn near(&self, [x, y, z]: [usize; 3]) -> &Near {
        &self.near[(z * self.blocks[1] + y) * self.blocks[0] + x]
    }

    /// Signed distance estimate by some lumps only, which must ascend.
    pub fn distance_to(&self, lumps: &[u32], p: DVec3) -> f64 {
        self.level(lumps, p).value
    }

    /// Unit normal of the level set near the surface, zero far away.
    pub fn normal(&self, p: DVec3) -> DVec3 {
        self.lumps_at(p).map_or(DVec3::ZERO, |lumps| self.level(lumps, p).gradient.normalize_or_zero())
    }

    /// The point moved onto the surface by Newton steps along the gradient; a step is at most `longest`.
    pub fn project(&self, mut p: DVec3, longest: f64) -> DVec3 {
        for _ in 0..4 {
            let Some(lumps) = self.lumps_at(p) else {
                break;
            };
            let level = self.level(lumps, p);
            let slope_sq = level.gradient.length_squared();
            if level.value.abs() < 1e-8 || slope_sq < 1e-6 {
                break;
            }
            p -= (level.gradient * (level.value / slope_sq)).clamp_length_max(longest);
        }
        p
    }

    fn level(&self, lumps: &[u32], p: DVec3) -> Level {
        let (mut all, mut melted) = (Level::NOTHING, Level::NOTHING);
        let (mut group, mut seam) = (u32::MAX, 0.0);
        for lump in lumps.iter().map(|&i| &self.primitives[i as usize]) {
            let (value, gradient) = lump.distance_and_normal(p);
            let level = Level { value, gradient };
            if lump.carves {
                all = all.melted(melted, seam);
                melted = Level::NOTHING;
                all = all.negated().melted(level, lump.blend).negated();
            } else if lump.group == group {
                melted = melted.melted(level, lump.blend);
            } else {
                all = all.melted(melted, seam);
                // The first lump of a group says how the group joins the others.
                (group, seam, melted) = (lump.group, lump.blend, level);
            }
        }
        all.melted(melted, seam)
    }

    fn lumps_at(&self, p: DVec3) -> Option<&[u32]> {
        let cell = (p - self.min) / self.block;
        if cell.min_element() < 0.0 || p.cmpge(self.max).any() {
            return None;
        }
        match self.near(cell.to_array().map(|x| x as usize)) {
            Near::Lumps(lumps) => Some(lumps),
            Near::Nothing(_) => None,
        }
    }

    fn fill_region(&mut self, first: [usize; 3], all: &[u32]) {
        let size = self.block * REGION as f64;
        let region = self.look_around(self.corner(first) + size * 0.5, size, all);
        for local in triples([REGION; 3]) {
            let at = [0, 1, 2].map(|axis| first[axis] + local[axis]);
            if (0..3).any(|axis| at[axis] >= self.blocks[axis]) {
                continue;
            }
            let near = match &region {
                Near::Nothing(sign) => Near::Nothing(*sign),
                Near::Lumps(lumps) => self.look_around(self.corner(at) + self.block * 0.5, self.block, lumps),
            };
            self.near[(at[2] * self.blocks[1] + at[1]) * self.blocks[0] + at[0]] = near;
        }
    }

    /// Which of the candidates can make surface in the cube of that size.
    fn look_around(&self, center: DVec3, size: f64, candidates: &[u32]) -> Near {
        let half_diagonal = size * 0.5 * 3f64.sqrt();
        let distance = self.distance_to(candidates, center);
        // Stretched lumps overestimate distances, inside by at most their stretch; 2.5 covers those in use.
        if distance > 1.6 * half_diagonal || distance < -2.5 * half_diagonal {
            return Near::Nothing(distance.clamp(-1.0, 1.0));
        }
        let is_near = |i: &u32| {
            let lump = &self.primitives[*i as usize];
            lump.distance(center) < 1.8 * half_diagonal + lump.blend
        };
        let lumps: Vec<u32> = candidates.iter().copied().filter(is_near).collect();
        if lumps.is_empty() { Near::Nothing(1.0) } else { Near::Lumps(lumps) }
    }
}

/// All index triples below the counts, x fastest.
pub(crate) fn triples([nx, ny, nz]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}

/// Value and gradient of the field at a point.
#[derive(Clone, Copy, Debug)]
struct Level {
    value: f64,
    gradient: DVec3,
}

impl Level {
    const NOTHING: Self = Self { value: f64::INFINITY, gradient: DVec3::ZERO };

    /// The smooth minimum; its gradient goes from one to the other as `h / 2`.
    fn melted(self, other: Self, k: f64) -> Self {
        let (near, far) = if self.value <= other.value { (self, other) } else { (other, self) };
        let gap = far.value - near.value;
        // Also the way out for infinite values.
        if gap >= k || gap.is_nan() {
            return near;
        }
        let h = (k - gap) / k;
        Self {
            value: near.value - 0.25 * k * h * h,
            gradient: near.gradient + (far.gradient - near.gradient) * (0.5 * h),
        }
    }

    fn negated(self) -> Self {
        Self { value: -self.value, gradient: -self.gradient }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lumps_melt_and_carving_takes_away() {
        let sphere = |x: f64| Primitive::sphere(DVec3::X * x, 1.0).blend(0.5);
        let clay = Clay::new(vec![sphere(-0.9), sphere(0.9)], 0.25);
        let seam = clay.project(DVec3::Y * 0.6, 0.1);
        let all = [0, 1];
        assert!(clay.distance_to(&all, seam).abs() < 1e-7 && seam.y > (1.0f64 - 0.81).sqrt() + 0.05);
        let carved = Clay::new(vec![sphere(0.0), sphere(1.0).carved()], 0.25);
        assert!(
            carved.distance_to(&all, DVec3::X * 0.5) > 0.0 && carved.distance_to(&all, DVec3::X * -0.9) < 0.0
        );
    }
}
