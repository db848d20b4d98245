//! Which clips of two models are played together.

use supple::pose::{Channel, Target};
use supple::{Clip, Model, ModelError};

/// A clip of a joined model: what each of the two plays in it. A model without a clip stays in its rest pose.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClipPair {
    /// The number of the first model's clip.
    pub first: Option<usize>,
    /// The number of the second model's clip.
    pub second: Option<usize>,
}

/// Every clip of the first with the one of the second that has its name, or with the second's only one. Where the first has no
/// clips, those of the second.
pub fn clip_pairs(first: &Model, second: &Model) -> Vec<ClipPair> {
    if first.clips().is_empty() {
        let alone = |clip| ClipPair { first: None, second: Some(clip) };
        return (0..second.clips().len()).map(alone).collect();
    }
    let partner = |clip: &Clip| match second.clips() {
        [_] => Some(0),
        clips => clips.iter().position(|other| other.name() == clip.name()),
    };
    let pair = |(number, clip)| ClipPair { first: Some(number), second: partner(clip) };
    first.clips().iter().enumerate().map(pair).collect()
}

/// The channels of both, under the name of the first's clip where it has one. A channel that ends before the other model's clip holds
/// its last value.
pub fn one_clip(pair: &ClipPair, first: &Model, second: &Model) -> Result<Clip, ModelError> {
    let of = |model: &Model, clip: Option<usize>| clip.map(|number| model.clips()[number].clone());
    let (a, b) = (of(first, pair.first), of(second, pair.second));
    let name = a.as_ref().or(b.as_ref()).map_or("", Clip::name).to_owned();
    let (nodes, coefficients) = (first.skeleton().nodes().len(), first.rest().coefficient_count());
    let behind = b.iter().flat_map(Clip::channels).map(|channel| Channel {
        target: match &channel.target {
            Target::Translation(node) => Target::Translation(node + nodes),
            Target::Rotation(node) => Target::Rotation(node + nodes),
            Target::Scale(node) => Target::Scale(node + nodes),
            Target::Coefficients(range) => {
                Target::Coefficients(range.start + coefficients..range.end + coefficients)
            }
        },
        ..channel.clone()
    });
    let channels = a.iter().flat_map(Clip::channels).cloned().chain(behind).collect();
    Ok(Clip::new(name, channels)?)
}
