//! A body covered by spheres, and the chains they form.

use std::sync::Arc;

use glam::{DVec3, Vec3};

use super::cover::levels;
use super::pairs::PairSet;
use super::pivots::Pivots;
use super::surroundings::Surroundings;
use super::through_trunk::chains;
use super::{ChainError, Regions};
use crate::math::Sphere;
use crate::refit::Body;
use crate::skin::Skinning;
use crate::tree::{Partition, Shape, Tree, sets_with_groups};

/// How a body is covered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainOptions {
    /// Rays of a disk; at least 8.
    pub rays: usize,
    /// How far the disk moves at a time, as a part of the body's size.
    pub step: f64,
    /// How far neighbouring levels overlap, as a share of their radii, from 0 (they touch) to 0.9.
    pub overlap: f64,
    /// Spheres side by side in the trunk.
    pub spheres_per_level: usize,
    /// Triangles that a sphere follows.
    pub pivots: usize,
    /// Leave out pairs of spheres that overlap at rest already, as planners for robots do: nothing is to be learned from them.
    pub ignore_resting: bool,
}

impl Default for ChainOptions {
    /// As in the paper: 80 rays, two spheres per level, 30 % overlap, four pivots.
    fn default() -> Self {
        Self { rays: 80, step: 0.004, overlap: 0.3, spheres_per_level: 2, pivots: 4, ignore_resting: true }
    }
}

impl ChainOptions {
    fn check(&self) -> Result<(), ChainError> {
        let bad = |option, value: f64, range| Err(ChainError::BadOption { option, value, range });
        if !(8..=4096).contains(&self.rays) {
            return bad("the number of rays", self.rays as f64, "from 8 to 4096");
        }
        if !(self.step >= 1e-4 && self.step <= 0.5) {
            return bad("the step of the disk", self.step, "from 0.0001 to 0.5 of the body's size");
        }
        if !(self.overlap >= 0.0 && self.overlap <= 0.9) {
            return bad("the overlap of levels", self.overlap, "from 0 to 0.9");
        }
        if !(1..=64).contains(&self.spheres_per_level) {
            return bad("the number of spheres per level", self.spheres_per_level as f64, "from 1 to 64");
        }
        if !(1..=1024).contains(&self.pivots) {
            return bad("the number of pivots", self.pivots as f64, "from 1 to 1024");
        }
        Ok(())
    }
}

/// A sphere of a body at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainSphere {
    /// Number of its region.
    pub region: u32,
    /// Level within the region, from its beginning.
    pub level: u32,
    /// The sphere.
    pub ball: Sphere,
    /// Before it was adjusted: around all hits, about the middle of them.
    pub unadjusted: Sphere,
    /// Where the rays of the disk met the surface.
    pub hits: Vec<Vec3>,
    /// Its surrounding region: triangles of its region that are nearer to it than to others.
    pub triangles: Vec<u32>,
}

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
    pub fn new(ball: &Sphere, points: impl IntoIterator<Item = Vec3>) -> Self {
        let (mut misfit, mut count) = (Self::default(), 0usize);
        for point in points {
            let distance = ball.center.as_dvec3().distance(point.as_dvec3());
            let f = (f64::from(ball.radius) - distance).abs();
            misfit = Self { mean: misfit.mean + f, worst: misfit.worst.max(f) };
            count += 1;
        }
        misfit.mean /= count.max(1) as f64;
        misfit
    }
}

/// A row of joined spheres from one limb through the trunk to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Numbers of the two limbs.
    pub limbs: [u32; 2],
    /// Their spheres, and those of the trunk on the shortest way between them; ascending.
    pub spheres: Vec<u32>,
    /// Pairs that are left out, by place in the chain.
    pub(super) excluded: PairSet,
}

/// A body covered by spheres.
///
/// ```
/// use std::sync::Arc;
/// use supple::chains::{Balls, ChainOptions, Grouping, Regions, SphereChains, Testing};
/// use supple::{Body, BuildOptions, Shape, Skinning};
///
/// let man = Arc::new(supple_zoo::make("man", 0)?);
/// let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
///
/// let (mut body, mut balls) = (Body::new(&shape, Skinning::Linear)?, Balls::default());
/// let (clip, mut touching) = (man.clip("random")?, 0);
/// for frame in 0..30 {
///     body.set_pose(&man.sample(clip, f64::from(frame) / 5.0)?)?;
///     chains.follow(&mut body, &mut balls); // poses a few hundred vertices
///     let near = chains.overlaps(&balls, Grouping::All, Testing::Lanes);
///     for [a, b] in chains.regions_of(&near.pairs) {
///         let name = |region: u32| &chains.regions()[region as usize].name;
///         println!("frame {frame}: {} is near {}", name(a), name(b));
///     }
///     touching += chains.self_collide(&mut body, &near.pairs).pairs.len(); // triangles, but only there
/// }
/// assert!(touching > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SphereChains {
    pub(super) shape: Arc<Shape>,
    regions: Regions,
    spheres: Vec<ChainSphere>,
    chains: Vec<Chain>,
    pub(super) pivots: Vec<Pivots>,
    /// Pairs that are left out.
    pub(super) excluded: PairSet,
    /// The sphere of each triangle.
    pub(super) of_triangle: Vec<u32>,
    /// One node with groups per sphere.
    pub(super) bounds: Tree,
    /// Spheres of the shape's nodes.
    pub(super) partition: Partition,
}

impl SphereChains {
    /// Covers a shape in its rest pose.
    ///
    /// # Errors
    /// Options out of range, regions of another model, a surface that is open where rays look for it.
    pub fn build(shape: &Arc<Shape>, regions: &Regions, options: &ChainOptions) -> Result<Self, ChainError> {
        options.check()?;
        let model = shape.model();
        let (of_regions, triangles) = (regions.of_triangles().len(), model.mesh().triangles().len());
        if of_regions != triangles {
            return Err(ChainError::OtherModel { regions: of_regions, triangles });
        }
        let mut body = Body::new(shape, Skinning::Linear).map_err(|_| ChainError::RestPose)?;
        let worlds = model.skeleton().world_matrices(&model.rest_pose()).map_err(|_| ChainError::RestPose)?;
        let extent = body.bound();
        let step = options.step * f64::from((extent.max - extent.min).length());
        let mut spheres = Vec::new();
        for (number, region) in regions.iter().enumerate() {
            let joints: Vec<DVec3> = region
                .path
                .iter()
                .filter_map(|&node| worlds.get(node))
                .map(|world| world.translation)
                .collect();
            let levels = levels(&mut body, regions, number, &joints, step, options)?;
            for (level, fitted) in (0..).zip(levels) {
                spheres.extend(fitted.into_iter().map(|fitted| ChainSphere {
                    region: number as u32,
                    level,
                    ball: fitted.adjusted,
                    unadjusted: fitted.first,
                    hits: fitted.hits,
                    triangles: Vec::new(),
                }));
            }
        }
        let positions = body.positions();
        let surroundings = Surroundings::new(model, &positions, regions, &mut spheres);
        let pivots = surroundings.pivots(&spheres, options.pivots);
        let mut excluded = surroundings.neighbours(model, spheres.len());
        let chains = chains(regions, &spheres, &excluded);
        if options.ignore_resting {
            for (i, a) in spheres.iter().enumerate() {
                let overlapping = spheres[..i].iter().enumerate().filter(|(_, b)| a.ball.intersects(&b.ball));
                overlapping.for_each(|(j, _)| excluded.insert(i, j));
            }
        }
        let chain = |(limbs, spheres): ([u32; 2], Vec<u32>)| {
            let excluded = excluded.among(&spheres);
            Chain { limbs, spheres, excluded }
        };
        let sets: Vec<&[u32]> = spheres.iter().map(|sphere| &sphere.triangles[..]).collect();
        Ok(Self {
            chains: chains.into_iter().map(chain).collect(),
            bounds: sets_with_groups(model, &sets).ok_or(ChainError::RestPose)?,
            partition: Partition::new(shape.tree(), &surroundings.of_triangle, spheres.len()),
            shape: Arc::clone(shape),
            regions: regions.clone(),
            pivots,
            excluded,
            of_triangle: surroundings.of_triangle,
            spheres,
        })
    }

    /// The regions, the trunk last.
    pub fn regions(&self) -> &[super::Region] {
        self.regions.regions()
    }

    /// The spheres, region by region.
    pub fn spheres(&self) -> &[ChainSphere] {
        &self.spheres
    }

    /// The chains, by the numbers of their limbs.
    pub fn chains(&self) -> &[Chain] {
        &self.chains
    }

    /// The sphere that each triangle belongs to.
    pub fn of_triangles(&self) -> &[u32] {
        &self.of_triangle
    }

    /// How well the spheres lie on the vertices around them, at rest: each sphere, and the smallest ball that contains the same
    /// vertices.
    pub fn misfits(&self) -> Vec<[Misfit; 2]> {
        let model = self.shape.model();
        let Ok(posed) = model.posed(&model.rest_pose(), Skinning::Linear) else { return Vec::new() };
        let positions = posed.positions();
        let both = |sphere: &ChainSphere| {
            let corners = sphere.triangles.iter().flat_map(|&t| model.mesh().triangles()[t as usize]);
            let mut vertices: Vec<u32> = corners.collect();
            vertices.sort_unstable();
            vertices.dedup();
            let points: Vec<Vec3> = vertices.iter().map(|&v| positions[v as usize]).collect();
            let smallest = crate::math::smallest_enclosing_ball(&points);
            [sphere.ball, smallest].map(|ball| Misfit::new(&ball, points.iter().copied()))
        };
        self.spheres.iter().map(both).collect()
    }

    /// Whether a pair of spheres is left out: their triangles meet, or they overlap at rest.
    ///
    /// # Panics
    /// There are not so many spheres.
    pub fn is_excluded(&self, a: u32, b: u32) -> bool {
        assert!((a.max(b) as usize) < self.spheres.len(), "spheres {a} and {b} of {}", self.spheres.len());
        self.excluded.contains(a as usize, b as usize)
    }

    /// Different pairs of regions of some pairs of spheres, ascending, the smaller number first.
    pub fn regions_of(&self, pairs: &[[u32; 2]]) -> Vec<[u32; 2]> {
        let region = |sphere: u32| self.spheres[sphere as usize].region;
        let mut regions: Vec<[u32; 2]> =
            pairs.iter().map(|&[a, b]| [region(a).min(region(b)), region(a).max(region(b))]).collect();
        regions.sort_unstable();
        regions.dedup();
        regions
    }
}
