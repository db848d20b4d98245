//! A played meeting as JSON: one line per frame, so that two runs can be compared line by line.

use serde::Serialize;

use super::actor::Actor;
use super::by_joints::{JointPair, Owners};
use super::play::Frame;
use super::totals::{Cost, Totals, rounded};

/// The whole document; with owners every frame has its pairs by joints, too.
pub fn json(
    a: &Actor,
    b: &Actor,
    frames: &[Frame],
    owners: Option<&Owners>,
    totals: &Totals,
) -> serde_json::Result<String> {
    let (a, b) = (serde_json::to_string(&BodyLine::new(a))?, serde_json::to_string(&BodyLine::new(b))?);
    let frames: Vec<String> =
        frames.iter().map(|f| serde_json::to_string(&FrameLine::new(f, owners))).collect::<Result<_, _>>()?;
    let (frames, totals) = (frames.join(",\n"), serde_json::to_string(totals)?);
    Ok(format!("{{\"a\":{a},\n\"b\":{b},\n\"frames\":[\n{frames}\n],\n\"totals\":{totals}}}\n"))
}

#[derive(Serialize)]
struct BodyLine<'a> {
    file: &'a str,
    triangles: usize,
    vertices: usize,
    joints: usize,
    skinning: &'static str,
    clip: Option<&'a str>,
    nodes: usize,
}

impl<'a> BodyLine<'a> {
    fn new(actor: &'a Actor) -> Self {
        let shape = actor.body.shape();
        let model = shape.model();
        Self {
            file: &actor.file,
            triangles: model.mesh().triangles().len(),
            vertices: model.mesh().positions().len(),
            joints: model.skeleton().joints().len(),
            skinning: actor.body.skinning().name(),
            clip: actor.motion().clip.as_ref().map(|clip| clip.name()),
            nodes: shape.node_count(),
        }
    }
}

#[derive(Serialize)]
struct FrameLine<'a> {
    frame: usize,
    time: f64,
    pairs: &'a [[u32; 2]],
    #[serde(skip_serializing_if = "Option::is_none")]
    by_joints: Option<Vec<JointPair<'a>>>,
    stats: Cost,
    #[serde(skip_serializing_if = "Option::is_none")]
    baking_microseconds: Option<f64>,
}

impl<'a> FrameLine<'a> {
    fn new(frame: &'a Frame, owners: Option<&'a Owners>) -> Self {
        Self {
            frame: frame.frame,
            time: rounded(frame.time, 1e9),
            pairs: &frame.pairs,
            by_joints: owners.map(|owners| owners.grouped(&frame.pairs)),
            stats: Cost::new(&frame.stats, frame.microseconds),
            baking_microseconds: frame.baking_microseconds.map(|time| rounded(time, 1e3)),
        }
    }
}
