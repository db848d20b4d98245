//! Regions as the user or the rig has them, covered by spheres; and whose fault it is where that cannot be.

use std::sync::Arc;

use supple::Shape;
use supple::chains::{ChainError, ChainOptions, Regions, SphereChains};

use crate::arguments::{ChainsArguments, NamedRegions};
use crate::failure::{Blame, Failure, OrBlame};

/// Divides and covers a model.
pub fn covered(shape: &Arc<Shape>, arguments: &ChainsArguments) -> Result<SphereChains, Failure> {
    let options = ChainOptions {
        rays: arguments.rays,
        step: arguments.step,
        overlap: arguments.overlap,
        spheres_per_level: arguments.spheres_per_level,
        pivots: arguments.pivots,
        ignore_resting: !arguments.keep_resting,
    };
    let regions = regions(shape, &arguments.regions);
    let chains = regions.and_then(|regions| SphereChains::build(shape, &regions, &options));
    chains.map_err(|error| (blame(&error), error)).or_else(|(blame, error)| Err(error).or_blame(blame))
}

fn regions(shape: &Shape, named: &[NamedRegions]) -> Result<Regions, ChainError> {
    if named.is_empty() {
        return Regions::from_rig(shape.model());
    }
    let all = || named.iter().flat_map(|NamedRegions(regions)| regions);
    let joints: Vec<Vec<&str>> =
        all().map(|(_, joints)| joints.iter().map(String::as_str).collect()).collect();
    let limbs: Vec<(&str, &[&str])> =
        all().zip(&joints).map(|((name, _), joints)| (name.as_str(), &joints[..])).collect();
    Regions::named(shape.model(), &limbs)
}

/// What the user asked for, or what the file is.
fn blame(error: &ChainError) -> Blame {
    match error {
        ChainError::UnknownJoint { .. }
        | ChainError::SameName { .. }
        | ChainError::EmptyRegion { .. }
        | ChainError::BadOption { .. } => Blame::Usage,
        ChainError::NoRig
        | ChainError::NoLimbs { .. }
        | ChainError::RaysEscape { .. }
        | ChainError::OtherModel { .. }
        | ChainError::RestPose => Blame::Input,
    }
}
