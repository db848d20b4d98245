//! The second stage of an audit: pictures of the worst frames.
//!
//! In: what was found in a file. Out: for every clip that was played, pictures of its worst pairs of bones.

use anyhow::Context;
use rayon::prelude::*;
use supple_audit::{BonePair, Findings};

use super::ask::Answer;
use super::picture::{Picture, Subject, picture};
use crate::failure::{Blame, Failure, OrBlame};

/// Bone pairs per clip of which a picture is made.
const PICTURES: usize = 3;

/// The pictures of a file.
#[derive(Clone, Debug, Default)]
pub struct Pictures {
    /// One list per clip that was played, in the order of its bone pairs.
    of_clips: Vec<Vec<Picture>>,
}

impl Pictures {
    /// Draws the first bone pairs of every clip that was played, which are the worst.
    pub fn draw(answer: &Answer) -> Result<Self, Failure> {
        let bones = &answer.bones;
        let nodes: Vec<usize> = bones.of_triangles().iter().map(|&bone| bones.node(bone)).collect();
        let of_clip = |findings: &Findings| {
            let worst = &findings.bone_pairs[..findings.bone_pairs.len().min(PICTURES)];
            worst.par_iter().map(|pair| draw(answer, &nodes, findings, pair)).collect::<Vec<_>>()
        };
        let drawn: Vec<_> = answer.audit.played().par_iter().map(of_clip).collect();
        // The first failure in order, on any number of threads.
        let of_clips =
            drawn.into_iter().map(|of_clip| of_clip.into_iter().collect()).collect::<Result<_, _>>()?;
        Ok(Self { of_clips })
    }

    /// The pictures of a clip that was played.
    pub fn of_clip(&self, played: usize) -> &[Picture] {
        self.of_clips.get(played).map_or(&[], Vec::as_slice)
    }
}

fn draw(answer: &Answer, nodes: &[usize], findings: &Findings, pair: &BonePair) -> Result<Picture, Failure> {
    let model = answer.shape.model();
    let pose = match findings.clip {
        None => model.rest_pose(),
        Some(clip) => {
            let seconds = answer.options.seconds(pair.worst_frame);
            model.sample(&model.clips()[clip], seconds).or_blame(Blame::Input)?
        }
    };
    let side_of: Vec<Option<u8>> = nodes
        .iter()
        .map(|node| (0..).zip(pair.nodes).find(|(_, n)| n == node).map(|(side, _)| side))
        .collect();
    let positions = model.posed(&pose, answer.options.skinning).or_blame(Blame::Input)?.positions();
    let subject = Subject {
        positions: &positions,
        triangles: model.mesh().triangles(),
        side_of: &side_of,
        pairs: &pair.worst_triangles,
    };
    picture(&subject).context("a picture").or_blame(Blame::Output)
}
