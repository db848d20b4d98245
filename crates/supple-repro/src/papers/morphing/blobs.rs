//! The first experiment: two morphing bodies of 20,480 triangles pass right through each other.

use std::sync::Arc;

use glam::{DQuat, Vec3};
use supple::{BuildOptions, Isometry, Model, Shape, Skinning, VertexUpdate};
use supple_papers::{Method, Slabs, Tree, Volume};

use crate::papers::Run;
use crate::papers::contest::{Frame, Library, Reference, Result, Wanted, contest};
use crate::report::picture::{Panel, Picture, View, side_by_side};
use crate::report::plot::{Axis, Kind, Plot};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// Time steps of the paper.
pub const STEPS: usize = 400;

/// Model, tree and frames of the experiment.
pub struct Blobs {
    /// Three reference shapes.
    pub model: Arc<Model>,
    /// The library's.
    pub shape: Arc<Shape>,
    /// Numbers of the steps that are made, of [`STEPS`].
    pub steps: Vec<usize>,
    /// One per step.
    pub frames: Vec<Frame>,
}

impl Blobs {
    /// All steps, or one of every `every`.
    pub fn new(run: &Run) -> Self {
        let model = Arc::new(supple_zoo::make("blob", 0).expect("the zoo has blobs"));
        let shape =
            Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).expect("blobs are sound"));
        let every = run.options.count(40, 5);
        let steps: Vec<usize> = (0..STEPS).step_by(every).collect();
        let frames = steps.iter().map(|&step| frame(&model, step)).collect();
        Self { model, shape, steps, frames }
    }

    /// The papers' eight-ary tree of the rest shape, as a side.
    pub fn reference<V: Volume>(&self, name: &str, method: Method) -> Reference<V> {
        let mesh = self.model.mesh();
        let tree = Tree::octants(mesh.positions(), mesh.triangles());
        Reference::new(name, &self.model, Skinning::Linear, tree, method, 2)
    }
}

/// From the first shape to the second and on to the third, while the bodies move through each other.
pub fn frame(model: &Model, step: usize) -> Frame {
    let part = step as f64 / (STEPS - 1) as f64;
    let along = (2.0 * part) as f32;
    let mut pose = model.rest_pose();
    pose.coefficients =
        if along < 1.0 { vec![1.0 - along, along, 0.0] } else { vec![0.0, 2.0 - along, along - 1.0] };
    let far = 1.25 * (1.0 - 2.0 * part);
    let turn = DQuat::from_rotation_y(0.9) * DQuat::from_rotation_x(0.4);
    Frame {
        poses: vec![pose.clone(), pose],
        placements: vec![
            Isometry::from_translation(Vec3::new(far as f32, 0.0, 0.0) * 0.5),
            Isometry::new(turn, Vec3::new(-far as f32 * 0.5, 0.03, 0.02)),
        ],
    }
}

/// Times over the steps, all pairs and first pair, against hybrid.
pub fn figure_5(run: &mut Run, blobs: &Blobs) -> Experiment {
    let rounds = run.options.count(1, 3);
    let mut experiment = Experiment::new(
        "Figure 5: two morphing bodies pass through each other",
        "Two bodies of 20,480 triangles, three reference shapes, 400 steps, AABB trees of eight children. Contact from step 41 to 364. All \
         pairs: the morph method is better or about the same in steps 1 to 90 and 270 to 400; between, bodies are deep in each other. First pair: \
         clearly better at all steps.",
        format!(
            "The zoo's blobs of 20,480 triangles, three shapes, {} of 400 steps, median of {rounds}. Morph and hybrid are the paper's methods in one scalar \
             engine: boxes in the bodies' own spaces, SAT lite, frame stamps, exact triangle tests. Beside them the library on demand, and the library's \
             vectorised hybrid update after deforming all vertices. Every frame's pairs are compared.",
            blobs.steps.len()
        ),
    );
    let mut table = Table::new(
        "Mean over all steps, in microseconds, and hybrid divided by on demand",
        ["question", "morph", "hybrid", "ratio", "supple", "supple hybrid", "ratio"],
    );
    for (wanted, name) in [(Wanted::All, "all pairs"), (Wanted::Any, "first pair")] {
        (run.progress)(&format!("figure 5: {name}"));
        let mut morph = blobs.reference::<Slabs<3>>("morph", Method::Morph { between: 0 });
        let mut hybrid = blobs.reference::<Slabs<3>>("hybrid", Method::Hybrid);
        let mut own = Library::new("supple", &blobs.shape, Skinning::Linear, None, 2);
        let mut own_hybrid =
            Library::new("supple, hybrid", &blobs.shape, Skinning::Linear, Some(VertexUpdate::Hybrid), 2);
        let results =
            contest(&mut [&mut morph, &mut hybrid, &mut own, &mut own_hybrid], &blobs.frames, wanted, rounds);
        table.row([
            name.into(),
            Cell::Number(results[0].mean(), "us"),
            Cell::Number(results[1].mean(), "us"),
            Cell::ratio(results[1].total() / results[0].total()),
            Cell::Number(results[2].mean(), "us"),
            Cell::Number(results[3].mean(), "us"),
            Cell::ratio(results[3].total() / results[2].total()),
        ]);
        experiment.plots.push(Plot {
            title: format!("Time per step, {name}"),
            kind: Kind::Lines {
                x: Axis::linear("step"),
                series: results
                    .iter()
                    .map(|result| (result.name.clone(), over_steps(blobs, result)))
                    .collect(),
            },
            y: Axis::logarithmic("microseconds"),
        });
        compare(&mut experiment, blobs, &results, wanted);
    }
    experiment.tables.push(table);
    experiment.pictures.push(picture(blobs));
    experiment
}

fn over_steps(blobs: &Blobs, result: &Result) -> Vec<[f64; 2]> {
    blobs.steps.iter().zip(&result.times).map(|(&step, &time)| [step as f64, time]).collect()
}

fn compare(experiment: &mut Experiment, blobs: &Blobs, results: &[Result], wanted: Wanted) {
    let ratios = |slow: usize, fast: usize, wanted: &dyn Fn(usize) -> bool| -> Vec<f64> {
        let steps = blobs.steps.iter().enumerate().filter(|(_, step)| wanted(**step));
        steps.map(|(i, _)| results[slow].times[i] / results[fast].times[i]).collect()
    };
    let least = |ratios: Vec<f64>| ratios.into_iter().fold(f64::INFINITY, f64::min);
    match wanted {
        Wanted::All => {
            let shallow = |step: usize| !(90..270).contains(&step);
            experiment.comparisons.push(Comparison::new(
                "all pairs, steps 1-90 and 270-400: hybrid / morph, median",
                Expected::AtLeast(1.0),
                supple_report::clock::median(ratios(1, 0, &shallow)),
                Better::Higher,
                "bodies of this shape touch along more of their surface there than the paper's",
            ));
            experiment.comparisons.push(Comparison::new(
                "the same of supple and its vectorised hybrid",
                Expected::AtLeast(1.0),
                supple_report::clock::median(ratios(3, 2, &shallow)),
                Better::Higher,
                "eight lanes make the update of all boxes an order of magnitude cheaper than the paper's",
            ));
        }
        Wanted::Any => {
            experiment.comparisons.push(Comparison::new(
                "first pair, worst step: hybrid / morph",
                Expected::AtLeast(1.0),
                least(ratios(1, 0, &|_| true)),
                Better::Higher,
                "where bodies are apart or graze, a whole traversal is needed to know it",
            ));
            experiment.comparisons.push(Comparison::new(
                "the same of supple and its vectorised hybrid",
                Expected::AtLeast(1.0),
                least(ratios(3, 2, &|_| true)),
                Better::Higher,
                "where bodies graze, the walk finds no pair for long, and boxes on demand cost several times those of an update in bulk",
            ));
        }
    }
}

fn picture(blobs: &Blobs) -> Picture {
    let meshes: Vec<(Vec<Vec3>, Vec<[u32; 3]>)> = [60, 120, 180, 220, 260, 320]
        .into_iter()
        .map(|step| {
            let frame = frame(&blobs.model, step);
            let mut positions = Vec::new();
            let mut triangles = Vec::new();
            for (pose, placement) in frame.poses.iter().zip(&frame.placements) {
                let first = positions.len() as u32;
                let posed = blobs.model.posed_at(pose, Skinning::Linear, *placement).expect("the pose fits");
                positions.extend(posed.positions());
                triangles.extend(blobs.model.mesh().triangles().iter().map(|t| t.map(|v| v + first)));
            }
            (positions, triangles)
        })
        .collect();
    let all: Vec<Vec3> = meshes.iter().flat_map(|(positions, _)| positions.iter().copied()).collect();
    let labels = ["60", "120", "180", "220", "260", "320"];
    let panels: Vec<Panel> = meshes
        .iter()
        .zip(labels)
        .map(|((positions, triangles), label)| Panel { label, positions, triangles, spheres: &[] })
        .collect();
    side_by_side(
        "Steps 60, 120, 180, 220, 260 and 320, as in figure 4",
        &View::around(&all, Vec3::new(0.2, 0.3, 1.0), [220, 220]),
        &panels,
    )
}
