//! Figures 3.1, 3.6 and 4.5: what the methods do to a joint that is twisted, and to one that is bent.
//!
//! The thesis shows pictures. Here they stand beside a number: how much of their distance from the bone the vertices keep that
//! the two joints share.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use supple::{Isometry, Model, Pose};
use supple_draw::{FRONT, TOP};

use super::methods::Method;
use super::models::{Models, rigid_joints};
use crate::papers::Run;
use crate::report::picture::{Panel, Picture, View, side_by_side};
use crate::report::plot::{Axis, Kind, Plot};
use crate::report::{Cell, Experiment, Table};

/// Degrees in the table.
const ANGLES: [f64; 4] = [60.0, 120.0, 150.0, 175.0];

/// A vertex belongs to a joint of two if each has at least this much weight.
const SHARED: f32 = 0.1;

/// Degrees by which the man is turned about the vertical before his joints are blended: characters seldom look along an axis
/// of the world, and one method minds.
const AWAY: f64 = 140.0;

const PANEL: [u32; 2] = [300, 300];

pub fn figures(run: &mut Run, models: &Models) -> Experiment {
    (run.progress)("figures 3.1, 3.6, 4.5: a twisted wrist and a bent elbow");
    let man = &models.man;
    let wrist = Joint::new(man, "forearm_l", "hand_l");
    let elbow = Joint::new(man, "upper_arm_l", "forearm_l");
    let mut experiment = Experiment::new(
        "Figures 3.1, 3.6, 4.5: candy wrapper and folded elbow",
        "Pictures of a twisted arm and of bent joints, by linear, log-matrix, direct quaternion, spherical and dual quaternion \
         blending.",
        "The zoo's man: the left hand is turned about the forearm, the left elbow is bent. Measured: how much of their distance \
         from the bone's axis those vertices keep that both joints move. He is turned by 140 degrees about the vertical before his joints are \
         blended, which only log-matrix blending minds (it is not left-invariant); the pictures are turned back. QLB'_0 minds how far \
         the joint is from the origin of the rest pose (it is not right-invariant).",
    );
    let mut table = Table::new(
        "Twisted wrist: smallest and largest part of the distance from the bone that is kept",
        std::iter::once("method".to_owned()).chain(ANGLES.map(|angle| format!("{angle} degrees"))),
    );
    for method in Method::ALL {
        let kept = ANGLES.map(|angle| {
            let [low, high] = wrist.kept(man, method, angle);
            Cell::from(format!("{low:.2} to {high:.2}"))
        });
        table.row(std::iter::once(method.name().into()).chain(kept));
    }
    experiment.tables.push(table);
    let steps = run.options.count(12, 36);
    let angles = (0..=steps).map(|step| 178.0 * step as f64 / steps as f64);
    let shown = [Method::Linear, Method::LogMatrix, Method::Spherical, Method::DualQuaternion];
    let series = shown.map(|method| {
        let point = |angle: f64| [angle, wrist.kept(man, method, angle)[0]];
        (method.name().to_owned(), angles.clone().map(point).collect())
    });
    experiment.plots.push(Plot {
        title: "Smallest part of the distance from the bone that is kept while the wrist is twisted (spherical and dual \
                quaternion keep all of it; QLB'_0 is far above)"
            .to_owned(),
        kind: Kind::Lines { x: Axis::linear("twist in degrees"), series: series.to_vec() },
        y: Axis::linear("distance / distance at rest"),
    });
    let twisted = wrist.turned(man, wrist.axis(), 150.0);
    experiment.pictures.push(wrist.picture(man, "The left wrist, twisted by 150 degrees", &twisted, FRONT));
    let bent = elbow.turned(man, DVec3::NEG_Y, 120.0);
    experiment.pictures.push(elbow.picture(
        man,
        "The left elbow, bent by 120 degrees, from above",
        &bent,
        TOP,
    ));
    experiment
}

/// A joint and its parent, in the rest pose.
struct Joint {
    node: usize,
    worlds: [DAffine3; 2],
    /// Vertices that both move.
    shared: Vec<usize>,
}

impl Joint {
    fn new(model: &Model, above: &str, name: &str) -> Self {
        let skeleton = model.skeleton();
        let worlds = skeleton.world_matrices(&model.rest_pose()).expect("the rest pose fits");
        let [above, node] =
            [above, name].map(|name| skeleton.node_named(name).expect("the man has that joint"));
        let weight = |vertex: usize, node: usize| {
            let of_node = |(joint, _): &(u32, f32)| skeleton.joints()[*joint as usize].node == node;
            model.skin().influences(vertex).find(of_node).map_or(0.0, |(_, weight)| weight)
        };
        let is_shared = |&v: &usize| weight(v, above) >= SHARED && weight(v, node) >= SHARED;
        let shared = (0..model.mesh().positions().len()).filter(is_shared).collect();
        Self { node, worlds: [worlds[above], worlds[node]], shared }
    }

    /// Along the bone above.
    fn axis(&self) -> DVec3 {
        (self.worlds[1].translation - self.worlds[0].translation).normalize()
    }

    /// The rest pose with the joint turned about an axis of the world.
    fn turned(&self, model: &Model, axis: DVec3, degrees: f64) -> Pose {
        let mut pose = model.rest_pose();
        let rotation = |world: &DAffine3| DQuat::from_mat3(&world.matrix3).normalize();
        let (above, own) = (rotation(&self.worlds[0]), rotation(&self.worlds[1]));
        let turn = DQuat::from_axis_angle(axis, degrees.to_radians());
        pose.nodes[self.node].rotation = (above.inverse() * turn * own).as_quat();
        pose
    }

    /// The man in a pose, blended where he looks away, and turned back.
    fn posed(&self, model: &Model, method: Method, pose: &Pose) -> Vec<Vec3> {
        let away = Isometry::from_rotation(DQuat::from_rotation_y(AWAY.to_radians()));
        let mut vertices = Vec::new();
        method.deform(model, &rigid_joints(model, pose, &away), &mut vertices);
        let back = away.inverse();
        vertices.iter().map(|[position, _]| back.transform_point(*position).as_vec3()).collect()
    }

    /// Smallest and largest part of the distance from the axis that vertices keep.
    fn kept(&self, model: &Model, method: Method, degrees: f64) -> [f64; 2] {
        let posed = self.posed(model, method, &self.turned(model, self.axis(), degrees));
        let (through, axis) = (self.worlds[1].translation, self.axis());
        let distance = |point: Vec3| (point.as_dvec3() - through).reject_from(axis).length();
        let rest = model.mesh().positions();
        let kept = self.shared.iter().map(|&v| distance(posed[v]) / distance(rest[v]));
        kept.fold([f64::INFINITY, 0.0], |[low, high], part| [low.min(part), high.max(part)])
    }

    fn picture(&self, model: &Model, caption: &str, pose: &Pose, direction: Vec3) -> Picture {
        let shown = [
            Method::Linear,
            Method::LogMatrix,
            Method::DirectQuaternion,
            Method::Spherical,
            Method::DualQuaternion,
        ];
        let posed = shown.map(|method| self.posed(model, method, pose));
        let panels: Vec<Panel> = shown
            .iter()
            .zip(&posed)
            .map(|(method, positions)| Panel {
                label: method.name(),
                positions,
                triangles: model.mesh().triangles(),
                spheres: &[],
            })
            .collect();
        let around = self.worlds[1].translation.as_vec3();
        let room = 0.75 * self.worlds[1].translation.distance(self.worlds[0].translation) as f32;
        let view = View { bounds: [around - room, around + room], direction, size: PANEL };
        let names = shown.map(Method::name).join(", ");
        side_by_side(format!("{caption}: {names}."), &view, &panels)
    }
}
