//! Two characters in one model.

use supple::pose::{Joint, Node, Skeleton};
use supple::{Model, ModelError, Transform};

use super::clip_pairs::{clip_pairs, one_clip};
use super::names::renamed;
use super::one_model::one_model;
use super::{ClipPair, JoinError};

/// Two models as one, see [`side_by_side`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SideBySide {
    /// Both.
    pub model: Model,
    /// For each of the model's clips what the two play in it.
    pub clips: Vec<ClipPair>,
    /// Numbers of the second's clips that are in none of them.
    pub unplayed: Vec<usize>,
}

/// Two models in one, the second placed in the space of the first.
///
/// Each of them moves as it did alone. Vertices, triangles, joints, nodes, coefficients and parts of the second stand behind those of the
/// first. Nodes, parts and morph targets whose name the first has too get a number: `hips (2)`.
///
/// *Clips.* Every clip of the first is played together with the second's clip of the same name; with the second's only clip if it
/// has one only; otherwise with the second's rest pose. Where the first has no clips, those of the second are played. Both
/// begin at 0, and the shorter of two holds its end.
///
/// *Exactness.* Joint matrices are those of the models alone, with the placement in front of the second's, each rounded once;
/// posed vertices are the same up to the rounding of weights that are normalised again. Vertices of the second at which both
/// surfaces are at the same place in the file and in the rest pose are moved by one unit in the last place, so that
/// they are not taken for a seam.
///
/// ```
/// use glam::Vec3;
/// use supple::Transform;
/// use supple_io::side_by_side;
///
/// let (man, hand) = (supple_zoo::make("man", 0)?, supple_zoo::make("hand", 0)?);
/// let both = side_by_side(&man, &hand, &Transform::from_translation(Vec3::new(0.6, 1.0, 0.0)))?;
/// assert_eq!(both.model.parts().len(), 2);
/// assert_eq!(both.model.clips().len(), man.clips().len());
/// for (clip, pair) in both.model.clips().iter().zip(&both.clips) {
///     let partner = pair.second.map(|number| hand.clips()[number].name());
///     println!("{} with {}", clip.name(), partner.unwrap_or("the rest pose"));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A placement that is not finite or leaves nothing; more than can be numbered; reference shapes in one of them and reference shapes or
/// morph targets in the other.
pub fn side_by_side(first: &Model, second: &Model, placement: &Transform) -> Result<SideBySide, JoinError> {
    let placement = checked(placement)?;
    let shift = first.skeleton().nodes().len();
    let model = one_model(first, second, skeletons(first, second, placement)?, |node| node + shift)?;
    let clips = clip_pairs(first, second);
    let played = clips.iter().map(|pair| one_clip(pair, first, second)).collect::<Result<_, _>>()?;
    let is_played = |number: usize| clips.iter().any(|pair| pair.second == Some(number));
    let unplayed = (0..second.clips().len()).filter(|&number| !is_played(number)).collect();
    Ok(SideBySide { model: model.with_clips(played)?, clips, unplayed })
}

/// A placement under which a model keeps its surface.
pub fn checked(placement: &Transform) -> Result<Transform, JoinError> {
    let has_size = placement.scale.to_array().iter().all(|scale| scale.abs() > 0.0);
    match placement.is_finite() && placement.rotation.is_normalized() && has_size {
        true => Ok(*placement),
        false => Err(JoinError::Placement),
    }
}

/// The nodes and joints of both; behind all of them the node that places the second, where it is not at home already.
fn skeletons(first: &Model, second: &Model, placement: Transform) -> Result<Skeleton, ModelError> {
    let (a, b) = (first.skeleton().nodes(), second.skeleton().nodes());
    let is_placed = placement != Transform::IDENTITY;
    let place = is_placed.then_some(a.len() + b.len());
    let name = |node: &'_ Node| node.name.clone();
    let of_first: Vec<String> = a.iter().map(name).collect();
    let of_second: Vec<String> = b.iter().map(name).chain(["placement".to_owned()]).collect();
    let names = renamed(of_first.iter().map(String::as_str), of_second.iter().map(String::as_str));
    let behind = b.iter().zip(&names).map(|(node, name)| Node {
        name: name.clone(),
        parent: node.parent.map(|parent| parent + a.len()).or(place),
        ..node.clone()
    });
    let mut nodes: Vec<Node> = a.iter().cloned().chain(behind).collect();
    if is_placed {
        nodes.push(Node::new(names[b.len()].clone(), None, placement));
    }
    let moved = |joint: &Joint| Joint { node: joint.node + a.len(), ..*joint };
    let joints = first.skeleton().joints().iter().copied();
    let joints = joints.chain(second.skeleton().joints().iter().map(moved)).collect();
    Ok(Skeleton::new(nodes, joints)?)
}
