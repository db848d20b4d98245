//! A body covered by spheres, and the chains they form.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use supple::math::smallest_enclosing_sphere;
use supple::{Body, Pair, Shape, Skinning, Sphere, TriangleClasses};

use crate::cover::levels;
use crate::pairs::PairSet;
use crate::pivots::Pivots;
use crate::surroundings::Surroundings;
use crate::through_trunk::chains;
use crate::{ChainError, ChainOptions, Misfit, Region, Regions};

/// A sphere of a body at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainSphere {
    /// Number of its region.
    pub region: u32,
    /// Level within the region, from its beginning.
    pub level: u32,
    /// The sphere, moved to where it fits best.
    pub adjusted: Sphere,
    /// Before it was adjusted: around all hits, about the middle of them.
    pub unadjusted: Sphere,
    /// Where the rays of the disk met the surface.
    pub hits: Vec<Vec3>,
    /// Its surrounding region: triangles of its region that are nearer to it than to others.
    pub triangles: Vec<u32>,
}

/// A row of joined spheres from one limb through the trunk to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// Numbers of the two limbs.
    pub limbs: [u32; 2],
    /// Their spheres, and those of the trunk on the shortest way between them; ascending.
    pub spheres: Vec<u32>,
    /// Pairs that are left out, by their numbers in the chain.
    pub(crate) excluded: PairSet,
}

/// A body covered by spheres. Immutable; built once per shape, for any number of bodies.
///
/// ```
/// use std::sync::Arc;
/// use supple::{Body, BuildOptions, Shape, Skinning};
/// use supple_chains::{ChainOptions, Grouping, Regions, SphereChains, Testing};
///
/// let man = Arc::new(supple_zoo::make("man", 0)?);
/// let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
///
/// let mut body = Body::new(&shape, Skinning::Linear)?;
/// body.set_pose(&man.sample(man.clip("random")?, 1.2)?)?;
/// let spheres = chains.follow(&mut body)?.found;
/// let near = chains.overlaps(&spheres, Grouping::All, Testing::Lanes)?.found;
/// for [a, b] in chains.regions_of(&near) {
///     println!("{} is near {}", chains.regions()[a as usize].name, chains.regions()[b as usize].name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SphereChains {
    shape: Arc<Shape>,
    regions: Regions,
    spheres: Vec<ChainSphere>,
    chains: Vec<Chain>,
    pivots: Vec<Pivots>,
    /// Pairs that are left out.
    excluded: PairSet,
    /// The class of a triangle is the number of its sphere.
    classes: TriangleClasses,
}

impl SphereChains {
    /// Covers a shape in its rest pose.
    ///
    /// Costs some thousand rays per limb, for a human less than a second; see [`ChainOptions::step`] and [`ChainOptions::rays`].
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// assert!(chains.spheres().len() > 40);
    /// let options = ChainOptions::default().with_overlap(0.6);
    /// let more = SphereChains::build(&shape, &Regions::from_rig(&man)?, &options)?;
    /// assert!(more.spheres().len() > chains.spheres().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        let mut spheres = fitted(&mut body, regions, options)?;
        let positions = body.positions();
        let surroundings = Surroundings::new(model, &positions, regions, &mut spheres);
        let pivots = surroundings.pivots(&spheres, options.pivots);
        let mut excluded = surroundings.neighbours(model, spheres.len());
        let chains = chains(regions, &spheres, &excluded);
        if options.ignore_resting {
            for (i, a) in spheres.iter().enumerate() {
                for (j, b) in spheres[..i].iter().enumerate() {
                    if a.adjusted.intersects(&b.adjusted) {
                        excluded.insert(i, j);
                    }
                }
            }
        }
        let chain = |(limbs, spheres): ([u32; 2], Vec<u32>)| {
            let excluded = excluded.among(&spheres);
            Chain { limbs, spheres, excluded }
        };
        Ok(Self {
            chains: chains.into_iter().map(chain).collect(),
            classes: TriangleClasses::new(shape, surroundings.of_triangle)?,
            shape: Arc::clone(shape),
            regions: regions.clone(),
            pivots,
            excluded,
            spheres,
        })
    }

    /// The regions, the trunk last.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// assert_eq!(chains.regions().last().map(|region| region.name.as_str()), Some("trunk"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn regions(&self) -> &[Region] {
        self.regions.regions()
    }

    /// The spheres, region by region.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// let biggest = chains.spheres().iter().map(|sphere| sphere.adjusted.radius).fold(0.0, f32::max);
    /// assert!(biggest < 0.3, "metres: {biggest}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spheres(&self) -> &[ChainSphere] {
        &self.spheres
    }

    /// The chains, by the numbers of their limbs.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// assert_eq!(chains.chains().len(), 10); // pairs of five limbs
    /// assert_eq!(chains.chains()[0].limbs, [0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chains(&self) -> &[Chain] {
        &self.chains
    }

    /// How many chains have both of two spheres, each of which has to test them.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// assert_eq!(chains.chains_with([0, 1]), 4); // of one limb, which has a chain to each of the four others
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chains_with(&self, spheres: Pair) -> usize {
        let has_both =
            |chain: &&Chain| spheres.iter().all(|sphere| chain.spheres.binary_search(sphere).is_ok());
        self.chains.iter().filter(has_both).count()
    }

    /// The sphere that a triangle belongs to.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// let sphere = chains.sphere_of(7);
    /// assert!(chains.spheres()[sphere as usize].triangles.contains(&7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// The shape has no such triangle.
    pub fn sphere_of(&self, triangle: u32) -> u32 {
        self.classes.class_of(triangle)
    }

    /// The triangles of the shape, divided by their spheres: the class of a triangle is the number of its sphere.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// assert_eq!(chains.classes().count(), chains.spheres().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn classes(&self) -> &TriangleClasses {
        &self.classes
    }

    /// What is covered.
    pub(crate) fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// How well the spheres lie on the vertices around them, at rest: each sphere, and the smallest sphere that contains the same
    /// vertices. Poses the whole mesh.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// let (fitted, smallest): (f64, f64) =
    ///     chains.misfits().iter().fold((0.0, 0.0), |sum, [a, b]| (sum.0 + a.mean, sum.1 + b.mean));
    /// assert!(fitted < smallest);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn misfits(&self) -> Vec<[Misfit; 2]> {
        let mut body =
            Body::new(&self.shape, Skinning::Linear).expect("the chains were built from such a body");
        let (positions, triangles) = (body.positions(), self.shape.model().mesh().triangles());
        let both = |sphere: &ChainSphere| {
            let mut vertices: Vec<u32> =
                sphere.triangles.iter().flat_map(|&triangle| triangles[triangle as usize]).collect();
            vertices.sort_unstable();
            vertices.dedup();
            let points: Vec<Vec3> = vertices.iter().map(|&v| positions[v as usize]).collect();
            let smallest = smallest_enclosing_sphere(&points);
            [sphere.adjusted, smallest].map(|sphere| Misfit::new(&sphere, points.iter().copied()))
        };
        self.spheres.iter().map(both).collect()
    }

    /// Whether a pair of spheres is left out: their triangles meet, or they overlap at rest.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// assert!(chains.is_excluded(0, 0) && chains.is_excluded(0, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// There is no sphere of one of the numbers.
    pub fn is_excluded(&self, a: u32, b: u32) -> bool {
        assert!((a.max(b) as usize) < self.spheres.len(), "spheres {a} and {b} of {}", self.spheres.len());
        self.excluded.contains(a as usize, b as usize)
    }

    /// Different pairs of regions of some pairs of spheres, ascending, the smaller number first.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape};
    /// # use supple_chains::{ChainOptions, Regions, SphereChains};
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
    /// let last = chains.spheres().len() as u32 - 1; // of the trunk
    /// assert_eq!(chains.regions_of(&[[0, last], [last, 0], [0, 1]]), [[0, 0], [0, 5]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// There is no sphere of one of the numbers.
    pub fn regions_of(&self, pairs: &[Pair]) -> Vec<[u32; 2]> {
        let region = |sphere: u32| self.spheres[sphere as usize].region;
        let mut regions: Vec<[u32; 2]> =
            pairs.iter().map(|&[a, b]| [region(a).min(region(b)), region(a).max(region(b))]).collect();
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    pub(crate) fn pivots(&self) -> &[Pivots] {
        &self.pivots
    }

    pub(crate) fn excluded(&self) -> &PairSet {
        &self.excluded
    }

    /// Refuses bodies that would be asked about triangles they do not have.
    pub(crate) fn check(&self, body: &Body) -> Result<(), ChainError> {
        if Arc::ptr_eq(body.shape(), &self.shape) { Ok(()) } else { Err(ChainError::OtherShape) }
    }
}

/// The spheres of all regions of a body at rest, without their triangles.
fn fitted(
    body: &mut Body,
    regions: &Regions,
    options: &ChainOptions,
) -> Result<Vec<ChainSphere>, ChainError> {
    let model = Arc::clone(body.shape().model());
    let worlds = model.skeleton().world_matrices(&model.rest_pose()).map_err(|_| ChainError::RestPose)?;
    let extent = body.bound();
    let step = options.step * f64::from((extent.max - extent.min).length());
    let is_open = !model.edge_counts().is_closed();
    let mut spheres = Vec::new();
    for (number, region) in regions.iter().enumerate() {
        let joints: Vec<DVec3> =
            region.path.iter().filter_map(|&node| worlds.get(node)).map(|world| world.translation).collect();
        let levels = levels(body, regions, number, &joints, step, is_open, options)?;
        for (level, fitted) in (0..).zip(levels) {
            spheres.extend(fitted.into_iter().map(|fitted| ChainSphere {
                region: number as u32,
                level,
                adjusted: fitted.adjusted,
                unadjusted: fitted.first,
                hits: fitted.hits,
                triangles: Vec::new(),
            }));
        }
    }
    Ok(spheres)
}
