//! Regions as the user or the rig has them, covered by spheres; and whose fault it is where that cannot be.

use std::sync::Arc;

use supple::{Model, Shape};
use supple_chains::{ChainError, ChainOptions, Regions, SphereChains};

use crate::arguments::{ChainsArguments, NamedRegions};
use crate::failure::{Blame, Failure, OrBlame};
use crate::short_names::ShortNames;

/// Divides and covers a model.
pub fn covered(shape: &Arc<Shape>, arguments: &ChainsArguments) -> Result<SphereChains, Failure> {
    let options = ChainOptions::default()
        .with_rays(arguments.rays)
        .with_step(arguments.step)
        .with_overlap(arguments.overlap)
        .with_spheres_per_level(arguments.spheres_per_level)
        .with_pivots(arguments.pivots)
        .with_ignore_resting(!arguments.keep_resting);
    let regions = regions(shape, &arguments.regions);
    let chains = regions.and_then(|regions| SphereChains::build(shape, &regions, &options));
    chains.map_err(|error| (blame(&error), error)).or_else(|(blame, error)| Err(error).or_blame(blame))
}

fn regions(shape: &Shape, named: &[NamedRegions]) -> Result<Regions, ChainError> {
    if named.is_empty() {
        return Regions::from_rig(shape.model());
    }
    let all = || named.iter().flat_map(|NamedRegions(regions)| regions);
    let whole: Vec<Vec<String>> = all()
        .map(|(_, joints)| joints.iter().map(|joint| whole_name(shape.model(), joint)).collect())
        .collect();
    let joints: Vec<Vec<&str>> =
        whole.iter().map(|joints| joints.iter().map(String::as_str).collect()).collect();
    let limbs: Vec<(&str, &[&str])> =
        all().zip(&joints).map(|((name, _), joints)| (name.as_str(), &joints[..])).collect();
    Regions::named(shape.model(), &limbs)
}

/// The name of a joint that may be given without what all of them begin with.
fn whole_name(model: &Model, joint: &str) -> String {
    let skeleton = model.skeleton();
    let is_there =
        |name: &str| skeleton.joints().iter().any(|joint| skeleton.nodes()[joint.node].name == name);
    let whole = ShortNames::of(model).whole(joint);
    if !is_there(joint) && is_there(&whole) { whole } else { joint.to_owned() }
}

/// What the user asked for, or what the file is.
fn blame(error: &ChainError) -> Blame {
    match error {
        ChainError::UnknownJoint { .. }
        | ChainError::SameName { .. }
        | ChainError::EmptyRegion { .. }
        | ChainError::BadOption { .. } => Blame::Usage,
        // What is left is about the model.
        _ => Blame::Input,
    }
}
