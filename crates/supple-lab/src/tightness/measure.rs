//! Ratios of refitted to optimal bounds per level, averaged over poses.

use std::sync::Arc;
use std::thread;

use anyhow::Context;
use serde::Serialize;
use supple::Isometry;
use supple::Model;
use supple::pose::{Clip, Pose};
use supple::refit::{VolumeKind, violations};
use supple::{Body, Shape, Skinning};
use supple_cli::clip::find_clip;
use supple_cli::failure::{Blame, Failure, OrBlame};
use supple_cli::progress::{Bar, bar};
use supple_papers::{BoundingSphere, LevelTightness, Method, Slabs, Tree, Volume, library_tightness};

/// One skinning model.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    pub skinning: &'static str,
    pub bounds: Vec<Bounds>,
    /// Bounds that were left out, and why.
    pub left_out: Vec<String>,
}

/// One way to bound.
#[derive(Clone, Debug, Serialize)]
pub struct Bounds {
    pub name: String,
    /// Vertices outside a bound of a node above them.
    pub violations: usize,
    pub levels: Vec<Level>,
}

/// One level of the tree, over all poses.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Level {
    pub level: usize,
    pub nodes: usize,
    pub mean: f64,
    pub worst: f64,
    /// Over how many nodes in how many poses the mean goes.
    #[serde(skip)]
    weight: usize,
}

impl Measured {
    /// Over all bounds.
    pub fn violations(&self) -> usize {
        self.bounds.iter().map(|b| b.violations).sum()
    }
}

/// Poses evenly spread over one clip or over each of them; the rest pose where there are none.
pub fn sampled_poses(model: &Model, clip: Option<&str>, samples: u32) -> Result<Vec<Pose>, Failure> {
    let clips: Vec<&Clip> = match clip {
        Some(name) => vec![find_clip(model, name)?],
        None => model.clips().iter().collect(),
    };
    if clips.is_empty() {
        return Ok(vec![model.rest_pose()]);
    }
    let times = |clip: &Clip| {
        let step = clip.duration() / f64::from(samples);
        (0..samples).map(move |i| (f64::from(i) + 0.5) * step)
    };
    let poses = clips.iter().flat_map(|clip| times(clip).map(|time| model.sample(clip, time)));
    poses.collect::<Result<_, _>>().or_blame(Blame::Input)
}

/// Measures the library's bounds, and the papers' where they apply; skinning models side by side.
pub fn measure(shape: &Arc<Shape>, skinnings: &[Skinning], poses: &[Pose]) -> Result<Vec<Measured>, Failure> {
    let progress = &bar(skinnings.len() * poses.len(), "measuring");
    thread::scope(|scope| {
        let start = |&skinning| scope.spawn(move || measure_one(shape, skinning, poses, progress));
        let measuring: Vec<_> = skinnings.iter().map(start).collect();
        measuring.into_iter().map(|m| m.join().expect("measuring does not panic")).collect()
    })
}

fn measure_one(
    shape: &Arc<Shape>,
    skinning: Skinning,
    poses: &[Pose],
    progress: &Bar,
) -> Result<Measured, Failure> {
    let mut body = Body::new(shape, skinning).or_blame(Blame::Input)?;
    let mut own = [("box", VolumeKind::Box), ("ball", VolumeKind::Sphere)]
        .map(|(name, volume)| (volume, Bounds { name: name.to_owned(), violations: 0, levels: Vec::new() }));
    for (index, pose) in poses.iter().enumerate() {
        body.set_pose(pose).with_context(|| format!("pose {index}")).or_blame(Blame::Input)?;
        for (volume, bounds) in &mut own {
            bounds.add(&library_tightness(&mut body, *volume), violations(&mut body, *volume).len());
        }
        progress.inc(1);
    }
    let mut bounds: Vec<Bounds> = own.into_iter().map(|(_, bounds)| bounds).collect();
    let mut left_out = Vec::new();
    for method in Method::ON_DEMAND.into_iter().filter(|m| m.applies_to(shape.model(), skinning)) {
        for measured in [
            of_paper::<BoundingSphere>(shape, skinning, method, poses),
            of_paper::<Slabs<3>>(shape, skinning, method, poses),
        ] {
            match measured {
                Ok(measured) => bounds.push(measured),
                Err(error) => left_out.push(format!("{}: {error}", method.name())),
            }
        }
    }
    Ok(Measured { skinning: skinning.name(), bounds, left_out })
}

/// A bound as a paper gives it, on the same tree.
fn of_paper<V: Volume>(
    shape: &Arc<Shape>,
    skinning: Skinning,
    method: Method,
    poses: &[Pose],
) -> anyhow::Result<Bounds> {
    let name = format!("{}-{}", method.name(), V::NAME);
    let mut bounds = Bounds { name, violations: 0, levels: Vec::new() };
    let tree = Tree::of_shape(shape);
    let reference = Arc::new(supple_papers::Shape::<V>::new(shape.model(), skinning, tree, method)?);
    let mut body = supple_papers::Body::new(&reference)?;
    for pose in poses {
        body.set_pose(pose, &Isometry::IDENTITY)?;
        bounds.add(&supple_papers::tightness(&mut body), supple_papers::violations(&mut body).len());
    }
    Ok(bounds)
}

impl Bounds {
    /// Adds a pose.
    fn add(&mut self, levels: &[LevelTightness], violations: usize) {
        self.violations += violations;
        let room = levels.len().max(self.levels.len());
        self.levels.resize_with(room, Level::default);
        for (index, (level, found)) in self.levels.iter_mut().zip(levels).enumerate() {
            let total = level.mean * level.weight as f64 + found.mean * found.nodes as f64;
            level.level = index;
            level.weight += found.nodes;
            level.mean = total / level.weight.max(1) as f64;
            level.nodes = level.nodes.max(found.nodes);
            level.worst = level.worst.max(found.worst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_go_over_all_nodes_of_all_poses() {
        let mut bounds = Bounds { name: "box".to_owned(), violations: 0, levels: Vec::new() };
        bounds.add(&[LevelTightness { nodes: 1, mean: 1.0, worst: 1.0 }], 0);
        bounds.add(&[LevelTightness { nodes: 3, mean: 2.0, worst: 2.5 }], 2);
        let level = bounds.levels[0];
        assert_eq!((level.nodes, level.mean, level.worst, bounds.violations), (3, 1.75, 2.5, 2));
    }
}
