//! Models filled with spheres, their poses, and spheres to draw.

use std::sync::Arc;

use supple::{Body, BuildOptions, Model, Pose, Shape, Skinning, Sphere};
use supple_chains::{ChainOptions, PosedSpheres, Regions, SphereChains};
use supple_draw::Colour;

use crate::report::picture::ColouredSphere;

/// The paper's division of a human; what is left, head included, is the torso.
const LIMBS: [(&str, &[&str]); 4] = [
    ("left arm", &["upper_arm_l"]),
    ("right arm", &["upper_arm_r"]),
    ("left leg", &["thigh_l"]),
    ("right leg", &["thigh_r"]),
];

/// Why chains can be asked about the spheres here.
pub const OWN_SPHERES: &str = "bodies and spheres are those of the chains";

/// Colours of regions in turn.
const COLOURS: [Colour; 5] = [Colour::BLUE, Colour::ORANGE, Colour::GREEN, Colour::VIOLET, Colour::GREY];

/// A model with its spheres.
pub struct Covered {
    pub name: &'static str,
    pub shape: Arc<Shape>,
    pub regions: Regions,
    pub chains: SphereChains,
}

impl Covered {
    /// The zoo's human, divided as in the paper.
    pub fn human() -> Self {
        let shape = shape("human");
        let regions = Regions::named(shape.model(), &LIMBS).expect("the human has these joints");
        Self::new("human", shape, regions)
    }

    /// An animal of the zoo, divided by its rig.
    pub fn animal(name: &'static str) -> Self {
        let shape = shape(name);
        let regions = Regions::from_rig(shape.model()).expect("the animal has limbs");
        Self::new(name, shape, regions)
    }

    fn new(name: &'static str, shape: Arc<Shape>, regions: Regions) -> Self {
        let chains = covering(&shape, &regions, ChainOptions::default().pivots);
        Self { name, shape, regions, chains }
    }

    /// The same with another number of pivots per sphere.
    pub fn with_pivots(&self, pivots: usize) -> SphereChains {
        covering(&self.shape, &self.regions, pivots)
    }

    pub fn model(&self) -> &Model {
        self.shape.model()
    }

    pub fn body(&self) -> Body {
        Body::new(&self.shape, Skinning::Linear).expect("rest poses are finite")
    }

    /// Poses of a clip from its start to its end.
    pub fn poses(&self, clip: &str, count: usize) -> Vec<Pose> {
        let clip = self.model().clip(clip).expect("the animal has the clip");
        let last = (count.max(2) - 1) as f64;
        let pose = |frame: usize| {
            let time = clip.duration() * frame as f64 / last;
            self.model().sample(clip, time).expect("clips have poses that fit")
        };
        (0..count).map(pose).collect()
    }

    /// Where the spheres are in a pose, by their pivots.
    pub fn followed(&self, body: &mut Body, pose: &Pose) -> PosedSpheres {
        body.set_pose(pose).expect("the pose fits");
        followed(&self.chains, body)
    }

    /// How many spheres a region has.
    pub fn count(&self, region: usize) -> usize {
        self.chains.spheres().iter().filter(|sphere| sphere.region as usize == region).count()
    }

    /// The colour of a sphere's region.
    pub fn colour(&self, sphere: usize) -> Colour {
        COLOURS[self.chains.spheres()[sphere].region as usize % COLOURS.len()]
    }
}

/// Where spheres are in a body's pose, by their pivots.
pub fn followed(chains: &SphereChains, body: &mut Body) -> PosedSpheres {
    let mut spheres = PosedSpheres::default();
    chains.follow(body, &mut spheres).expect(OWN_SPHERES);
    spheres
}

/// Spheres that contain their triangles in a body's pose.
pub fn enclosed(chains: &SphereChains, body: &mut Body) -> PosedSpheres {
    let mut spheres = PosedSpheres::default();
    chains.enclose(body, &mut spheres).expect(OWN_SPHERES);
    spheres
}

/// Spheres to draw, coloured by number.
pub fn drawn(spheres: impl Iterator<Item = Sphere>, colour: impl Fn(usize) -> Colour) -> Vec<ColouredSphere> {
    let sphere = |(number, sphere): (usize, Sphere)| ColouredSphere {
        center: sphere.center,
        radius: sphere.radius,
        colour: colour(number),
    };
    spheres.enumerate().map(sphere).collect()
}

fn shape(name: &str) -> Arc<Shape> {
    let model = supple_zoo::make(name, 0).expect("the zoo has it");
    Arc::new(Shape::build(model, &BuildOptions::default()).expect("animals have triangles"))
}

fn covering(shape: &Arc<Shape>, regions: &Regions, pivots: usize) -> SphereChains {
    let options = ChainOptions::default().with_pivots(pivots);
    SphereChains::build(shape, regions, &options).expect("animals are closed")
}
