//! A fitted cloth collides like any other skin: joints and corrections, on demand.

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};
use supple::{Body, BuildOptions, Isometry, Mesh, Model, Shape, Skinning, VertexUpdate};
use supple_fit::{Corrections, FitOptions};
use supple_zoo::cloth::Cloth;
use supple_zoo::{icosphere, make};

use super::animations::Material;
use super::timed_fit;
use crate::papers::Run;
use crate::papers::contest::{self, Frame, Library, Side, Wanted};
use crate::report::plot::{Axis, Kind, Plot};
use crate::report::{Cell, Experiment, Table};

/// Of the sphere, in metres.
const RADIUS: f32 = 0.2;

/// Metres from the curtain at the first and the last frame.
const WAY: f64 = 0.9;

/// What meets the curtain.
struct Visitor {
    name: &'static str,
    shape: Arc<Shape>,
    /// Where it stands in the plane of the curtain.
    position: DVec3,
}

/// A curtain, fitted in two ways, against a sphere and a man.
pub fn fitted_cloth(run: &mut Run) -> Experiment {
    (run.progress)("chapter 7: a fitted curtain collides");
    let (count, rounds) = (run.options.count(8, 60), run.options.count(1, 5));
    let mut experiment = Experiment::new(
        "Section 7.4: fitted cloth collides",
        "Says that collision detection as in chapter 5 can be used for the skinned approximation; no figures.",
        format!(
            "The zoo's curtain of 6,408 vertices as a skin of 100 joints with five corrections; a sphere of 5,120 triangles and a man of 8,796 pass through it in {count} frames. All touching \
             pairs, on demand and after deforming all vertices of everything that deforms, both by the library. Answers are compared. Median of {rounds}. Where every vertex follows half a dozen \
             joints, bounds for dual quaternions, which go through pairs of joints, cost several times what bounds for matrices do, and deforming everything may be faster."
        ),
    );
    let sequence = Material::Sheet(Cloth::Curtain, 89, 72).sequence(run.options.count(20, 200));
    let visitors = [
        Visitor {
            name: "sphere",
            shape: shape(Model::rigid(sphere())),
            position: DVec3::new(0.9, -0.8, 0.0),
        },
        Visitor {
            name: "man",
            shape: shape(make("man", 0).expect("the zoo has it")),
            position: DVec3::new(0.9, -1.75, 0.0),
        },
    ];
    let mut table = Table::new(
        "Per frame; speed-up of on demand",
        [
            "curtain",
            "against",
            "pairs",
            "on demand",
            "all vertices",
            "speed-up",
            "refits",
            "vertices posed",
            "of all",
        ],
    );
    let mut series = Vec::new();
    for skinning in [Skinning::DualQuaternion, Skinning::Linear] {
        let options = FitOptions::default().with_corrections(Corrections::Count(5)).with_skinning(skinning);
        let curtain = shape(timed_fit(&sequence, &options).0.model);
        for visitor in &visitors {
            let results = meeting(&curtain, skinning, visitor, count, rounds);
            table.row(row(&curtain, skinning, visitor, &results));
            for result in &results {
                let points =
                    result.times.iter().enumerate().map(|(frame, &time)| [frame as f64, time]).collect();
                let name = format!("{}, {}, {}", skinning.name(), visitor.name, result.name);
                // Six colours tell six lines apart, and the sphere shows it all.
                if visitor.name == "sphere" {
                    series.push((name, points));
                }
            }
        }
    }
    experiment.tables.push(table);
    experiment.plots.push(Plot {
        title: "Time per frame, against the sphere".to_owned(),
        kind: Kind::Lines { x: Axis::linear("frame"), series },
        y: Axis::logarithmic("microseconds"),
    });
    experiment
}

fn meeting(
    curtain: &Arc<Shape>,
    skinning: Skinning,
    visitor: &Visitor,
    count: usize,
    rounds: usize,
) -> Vec<contest::Result> {
    let frames = passing(curtain, visitor, count);
    let body = |shape: &Arc<Shape>, skinning| Body::new(shape, skinning).expect("the rest pose fits");
    let bodies = || vec![body(curtain, skinning), body(&visitor.shape, Skinning::Linear)];
    let mut on_demand = Library::of("on demand", bodies(), None);
    let mut bottom_up = Library::of("all vertices", bodies(), Some(VertexUpdate::BottomUp));
    let sides: &mut [&mut dyn Side] = &mut [&mut on_demand, &mut bottom_up];
    contest::contest(sides, &frames, Wanted::All, rounds)
}

fn row(curtain: &Shape, skinning: Skinning, visitor: &Visitor, results: &[contest::Result]) -> [Cell; 9] {
    let deforming: usize = [curtain, &visitor.shape]
        .iter()
        .filter(|shape| shape.model().skin().joint_count() > 1)
        .map(|shape| shape.model().mesh().positions().len())
        .sum();
    let (on_demand, all) = (&results[0], &results[1]);
    let mean = |total: usize| total as f64 / on_demand.times.len() as f64;
    let posed = mean(on_demand.stats.vertices_deformed as usize);
    [
        skinning.name().into(),
        visitor.name.into(),
        Cell::Number(mean(on_demand.pairs.iter().sum()), ""),
        Cell::Number(on_demand.mean(), "us"),
        Cell::Number(all.mean(), "us"),
        Cell::ratio(all.total() / on_demand.total()),
        Cell::Number(mean(on_demand.stats.refits as usize), ""),
        Cell::Number(posed, ""),
        Cell::Number(100.0 * posed / deforming as f64, "%"),
    ]
}

fn shape(model: Model) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions::default()).expect("a sound model"))
}

fn sphere() -> Mesh {
    let (positions, triangles) = icosphere(4);
    let positions: Vec<Vec3> = positions.iter().map(|p| p * RADIUS).collect();
    Mesh::new(positions, triangles).expect("a sphere")
}

/// The visitor comes along z, passes through the curtain and leaves behind it; the curtain plays its whole clip.
fn passing(curtain: &Arc<Shape>, visitor: &Visitor, count: usize) -> Vec<Frame> {
    let cloth = curtain.model();
    let model = visitor.shape.model();
    let frame = |i: usize| {
        let part = i as f64 / (count - 1).max(1) as f64;
        let clip = &cloth.clips()[0];
        let pose = cloth.sample(clip, part * clip.duration()).expect("the clip fits");
        let own = match model.clips().first() {
            Some(clip) => model.sample_looped(clip, 2.0 * part).expect("the clip fits"),
            None => model.rest_pose(),
        };
        let at = visitor.position + DVec3::Z * (WAY * (1.0 - 2.0 * part));
        let facing = DQuat::from_rotation_y(std::f64::consts::PI);
        Frame { poses: vec![pose, own], placements: vec![Isometry::IDENTITY, Isometry::new(facing, at)] }
    };
    (0..count).map(frame).collect()
}
