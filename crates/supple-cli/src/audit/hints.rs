//! What an artist can do about an event, in words.
//!
//! In: an event, and the model. Out: which bone to turn by how much to clear its worst frame, and whether weights bleed
//! from one side to the other.

use std::sync::Arc;

use supple::{Model, PoseError, Shape};
use supple_audit::{AuditOptions, Bones, Event, PlayedClip, TurnFinder, bleeding_between};

use crate::failure::{Blame, Failure, OrBlame};
use crate::short_names::ShortNames;
use crate::table::counted;

/// Gives hints for events of one model.
pub struct Hints<'a> {
    finder: TurnFinder,
    model: &'a Model,
    options: &'a AuditOptions,
    clips: &'a [PlayedClip],
    names: &'a ShortNames,
}

impl<'a> Hints<'a> {
    /// Of a model that was audited.
    pub fn new(
        shape: &'a Arc<Shape>,
        options: &'a AuditOptions,
        clips: &'a [PlayedClip],
        names: &'a ShortNames,
    ) -> Result<Self, Failure> {
        let finder = TurnFinder::new(shape, options.skinning).or_blame(Blame::Input)?;
        Ok(Self { finder, model: shape.model(), options, clips, names })
    }

    /// For one event.
    pub fn of_event(&self, event: &Event) -> Result<String, Failure> {
        let pose = match self.clips.get(event.worst.clip).and_then(|clip| clip.number) {
            Some(number) => {
                let sampled: Result<_, PoseError> =
                    self.model.sample(&self.model.clips()[number], self.options.seconds(event.worst.frame));
                sampled.or_blame(Blame::Input)?
            }
            None => self.model.rest_pose(),
        };
        let bones = self.finder.bones();
        let sides = event.sides.each_ref().map(|side| numbers(bones, &side.nodes));
        let sides = [sides[0].as_slice(), &sides[1]];
        let answer = self.finder.least_turn(&pose, sides, &event.worst.triangles).or_blame(Blame::Input)?;
        let mut text = match answer.found {
            Ok(mut hint) => {
                hint.bone = self.names.cut(&hint.bone).to_owned();
                format!("to clear the worst frame, {hint}")
            }
            Err(why) => why.to_string(),
        };
        let bleeding = bleeding_between(self.model, bones, sides);
        if let Some(worst) = bleeding.first() {
            let [owner, bone] = [worst.owner, worst.bone].map(|bone| self.names.cut(bones.label(bone)));
            text += &format!(
                "; weights bleed: {} of one side follow bones of the other, vertex {} of {owner} follows {bone} by {:.2}",
                counted(bleeding.len(), "weight"),
                worst.vertex,
                worst.weight
            );
        }
        Ok(text)
    }
}

fn numbers(bones: &Bones, nodes: &[usize]) -> Vec<u32> {
    (0..bones.count() as u32).filter(|&bone| nodes.contains(&bones.node(bone))).collect()
}
