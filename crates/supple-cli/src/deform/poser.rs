//! The pose at each of the times that are written.

use std::collections::BTreeMap;

use supple::Skinning;
use supple::model::{Model, PosedModel};
use supple::pose::{Clip, Pose, PoseError};

use crate::arguments::DeformArguments;
use crate::clip::find_clip;
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::table::{counted, printable};

/// Makes poses of a model: its rest pose, then a clip, then the user's morph weights.
#[derive(Debug)]
pub struct Poser<'m> {
    model: &'m Model,
    clip: Option<&'m Clip>,
    looped: bool,
    skinning: Skinning,
    /// The morph targets that the user has set; the last word on each counts.
    weights: BTreeMap<usize, f32>,
}

impl<'m> Poser<'m> {
    /// Finds clip and morph targets by name or number.
    pub fn new(model: &'m Model, arguments: &DeformArguments) -> Result<Self, Failure> {
        let mut weights = BTreeMap::new();
        for (name, value) in &arguments.weights {
            weights.extend(targets(model, name)?.into_iter().map(|target| (target, *value)));
        }
        Ok(Self {
            model,
            clip: arguments.clip.as_deref().map(|name| find_clip(model, name)).transpose()?,
            looped: arguments.looped,
            skinning: arguments.skinning.into(),
            weights,
        })
    }

    /// The clip, if there is one.
    pub fn clip(&self) -> Option<&'m Clip> {
        self.clip
    }

    /// The model at a time of the clip.
    pub fn posed(&self, time: f64) -> Result<PosedModel<'m>, Failure> {
        // With names and counts checked, what remains are weights or numbers that the model cannot take.
        let pose = self.pose(time).or_blame(Blame::Input)?;
        let blame = if self.weights.is_empty() { Blame::Input } else { Blame::Usage };
        self.model.posed(&pose, self.skinning).or_blame(blame)
    }

    /// The pose in words.
    pub fn describe(&self, time: f64) -> String {
        let set = match self.weights.len() {
            0 => String::new(),
            count => format!(" with {} set", counted(count, "morph target")),
        };
        self.describe_time(time) + &set
    }

    fn describe_time(&self, time: f64) -> String {
        match self.clip {
            None => "rest pose".to_owned(),
            Some(clip) if self.looped && !(0.0..=clip.duration()).contains(&time) => {
                let wrapped = if clip.duration() > 0.0 { time.rem_euclid(clip.duration()) } else { 0.0 };
                format!("{} at {wrapped:.3} s ({time} s, wrapped)", printable(clip.name(), 40))
            }
            Some(clip) if !self.looped && time > clip.duration() => {
                format!("{} at its end, {:.3} s", printable(clip.name(), 40), clip.duration())
            }
            Some(clip) if !self.looped && time < 0.0 => {
                format!("{} at its start, 0 s", printable(clip.name(), 40))
            }
            Some(clip) => format!("{} at {time} s", printable(clip.name(), 40)),
        }
    }

    fn pose(&self, time: f64) -> Result<Pose, PoseError> {
        let mut pose = self.model.rest_pose();
        match self.clip {
            Some(clip) if self.looped => clip.sample_looped(time, &mut pose)?,
            Some(clip) => clip.sample(time, &mut pose)?,
            None => {}
        }
        for (&target, &weight) in &self.weights {
            pose.coefficients[target] = weight;
        }
        Ok(pose)
    }
}

/// All morph targets of a name: the parts of a face often have one each.
fn targets(model: &Model, name: &str) -> Result<Vec<usize>, Failure> {
    let names = model.rest().names();
    let named: Vec<usize> = (0..names.len()).filter(|&i| names[i] == name).collect();
    if !named.is_empty() {
        return Ok(named);
    }
    match name.parse() {
        Ok(index) if index < names.len() => Ok(vec![index]),
        _ if names.is_empty() => {
            Err(bad_usage(format!("there is no morph target {name:?}: the model has no morph targets")))
        }
        _ => Err(bad_usage(format!("there is no morph target {name:?}; the model has {}", names.join(", ")))),
    }
}
