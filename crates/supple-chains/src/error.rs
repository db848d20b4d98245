//! Why a model cannot be covered by spheres, or a body cannot be asked about them.

use supple::ClassError;
use thiserror::Error;

/// Why there are no sphere chains, or no answer of them.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ChainError {
    /// Regions are derived from joints, and nothing moves more than one.
    #[error(
        "the model has no rig to derive regions from (one joint moves all of it); name regions by nodes of the file instead"
    )]
    NoRig,
    /// The joints neither branch nor stand in a row.
    #[error(
        "the rig has no limbs: {joints} of its joints move triangles, but they neither branch nor stand in a row; name regions instead"
    )]
    NoLimbs {
        /// How many joints move triangles.
        joints: usize,
    },
    /// A region names a joint that does not exist.
    #[error("region '{region}' names the joint '{joint}', which the model does not have")]
    UnknownJoint {
        /// The region.
        region: String,
        /// What it names.
        joint: String,
    },
    /// Two regions have one name.
    #[error("two regions are called '{region}'")]
    SameName {
        /// The name.
        region: String,
    },
    /// No triangle belongs to a region.
    #[error("no triangle belongs to region '{region}': its joints move nothing, or other regions have them")]
    EmptyRegion {
        /// The region.
        region: String,
    },
    /// The surface is open where a disk of rays looks for it.
    #[error(
        "region '{region}': {escaped} of the {rays} rays of a disk {along} along it escape, the surface is open there; \
         close the mesh, or leave the open part out"
    )]
    RaysEscape {
        /// The region.
        region: String,
        /// How many rays meet nothing.
        escaped: usize,
        /// Of how many.
        rays: usize,
        /// How far along the region the disk is.
        along: f64,
    },
    /// An option that makes no sense.
    #[error("{option} is {value}; it must be {range}")]
    BadOption {
        /// Its name.
        option: &'static str,
        /// What it was.
        value: f64,
        /// What it must be.
        range: &'static str,
    },
    /// The regions are those of another model.
    #[error("the regions are those of a model with {regions} triangles, the shape has {triangles}")]
    OtherModel {
        /// Triangles of the regions' model.
        regions: usize,
        /// Triangles of the shape's model.
        triangles: usize,
    },
    /// The rest pose cannot be evaluated.
    #[error("the model's rest pose is not finite")]
    RestPose,
    /// A body whose triangles are others.
    #[error("the body has another shape than the one the chains were built for")]
    OtherShape,
    /// Posed spheres of other chains.
    #[error("{given} posed spheres were given; the chains have {expected} spheres")]
    WrongSpheres {
        /// How many were given.
        given: usize,
        /// How many the chains have.
        expected: usize,
    },
    /// A sphere that does not exist.
    #[error("sphere {sphere} was asked for; there are {count}, numbered from 0")]
    UnknownSphere {
        /// Its number.
        sphere: u32,
        /// How many there are.
        count: usize,
    },
    /// The triangles of the spheres cannot be told apart in the shape.
    #[error(transparent)]
    Classes(#[from] ClassError),
}
