//! Which characters run on which paths, and how often.

use std::sync::Arc;

use supple::{BuildOptions, Model, Shape};
use supple_bench::marks::at_most;
use supple_bench::morphs;
use supple_bench::opponent::Avx2;
use supple_bench::targets;
use supple_bench::workload::{self, Character, Class, DEEPER, FRAMES, Frame, GRAZING, Path, STANDARD};
use supple_report::clock::microseconds;
use supple_report::columns::{Columns, number};

use crate::itself::{self, AgainstItself};
use crate::measure::Contest;
use crate::rays::{self, RayRun};
use crate::report::{self, Run};
use crate::shapes::ShapesContest;

/// A class with a smaller share of the frames than this gets a path of its own.
const FEW: f64 = 0.15;
/// Characters that are also run with 52 shapes.
const WITH_SHAPES: [&str; 2] = ["creature:0", "creature:1"];

struct Options {
    frames: usize,
    rounds: usize,
    quick: bool,
    model: Option<String>,
    /// Only what is named: `rays` or `self`.
    only: Option<String>,
}

impl Options {
    fn from_arguments() -> Self {
        let arguments: Vec<String> = std::env::args().collect();
        let quick = arguments.iter().any(|a| a == "--quick");
        let after = |name| arguments.iter().position(|a| a == name).and_then(|i| arguments.get(i + 1));
        let rounds = after("--rounds").and_then(|rounds| rounds.parse().ok());
        Self {
            frames: if quick { 10 } else { FRAMES },
            rounds: rounds.unwrap_or(if quick { 1 } else { 15 }),
            quick,
            model: after("--model").cloned(),
            only: after("--only").cloned(),
        }
    }

    fn wants(&self, name: &str) -> bool {
        let quick = ["CesiumMan", "creature"].iter().any(|prefix| name.starts_with(prefix));
        self.model.as_ref().map_or(!self.quick || quick, |model| name.starts_with(model.as_str()))
    }

    fn includes(&self, what: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == what)
    }
}

/// The whole benchmark.
pub fn run() {
    let options = Options::from_arguments();
    let Some(avx2) = Avx2::detect() else {
        println!("the opponent needs AVX2 and FMA");
        return;
    };
    println!("{} frames, {} rounds, one thread", options.frames, options.rounds);
    let mut characters = Columns::new(
        "The characters; shapes must build in a second per 50k triangles, and take memory besides their model",
        1,
        &[
            "character",
            "triangles",
            "vertices",
            "joints",
            "build ms",
            "of target",
            "",
            "bytes/triangle",
            "opponent's tree for",
        ],
    );
    let (mut runs, mut shapes, mut rays) = (Vec::new(), Vec::new(), Vec::new());
    let mut itself = Columns::new(itself::EXPLANATION, 1, &itself::HEADER);
    for name in workload::names().iter().filter(|name| options.wants(name)) {
        match workload::character(name) {
            Ok(character) => {
                if options.includes("rays") {
                    rays.push(rays_contest(&options, avx2, &character));
                }
                if options.includes("self") {
                    against_itself(&options, avx2, &character, &mut itself);
                }
                if options.only.is_some() {
                    continue;
                }
                runs.extend(contest(&options, avx2, &character, &mut characters));
                if WITH_SHAPES.contains(&name.as_str()) {
                    shapes.push(shapes_contest(&options, avx2, &character));
                }
            }
            Err(why) => println!("{name} is skipped: {why}"),
        }
    }
    print!("{}", characters.text());
    report::print(&runs);
    report::print_shapes(&shapes);
    rays::print(&rays);
    print!("{}", itself.text());
}

fn rays_contest(options: &Options, avx2: Avx2, character: &Character) -> RayRun {
    let shape = Shape::build(Arc::clone(&character.model), &BuildOptions::default());
    let shape = Arc::new(shape.expect("characters can be built"));
    let frames = workload::frames(&character.model, STANDARD, options.frames).expect("characters have clips");
    rays::run(avx2, &character.name, &shape, &frames, options.rounds)
}

/// Poses of the first copy, without shapes: the opponent only skins.
fn against_itself(options: &Options, avx2: Avx2, character: &Character, table: &mut Columns) {
    let shape = Shape::build(Arc::clone(&character.model), &BuildOptions::default());
    let shape = Arc::new(shape.expect("characters can be built"));
    let frames = workload::frames(&character.model, STANDARD, options.frames.min(20));
    let poses: Vec<_> =
        frames.expect("characters have clips").into_iter().map(|frame| frame.pose_a).collect();
    let mut contest = AgainstItself::new(avx2, &shape, &poses[poses.len() / 2]);
    contest.run(&character.name, &poses, options.rounds.min(5), table);
}

fn contest(options: &Options, avx2: Avx2, character: &Character, characters: &mut Columns) -> Vec<Run> {
    let model = &character.model;
    let (time, shape) = microseconds(|| Shape::build(Arc::clone(model), &BuildOptions::default()));
    let shape = Arc::new(shape.expect("characters can be built"));
    let triangles = model.mesh().triangles().len();
    let standard = run_path(options, avx2, character, &shape, STANDARD);
    let build = time / 1e3;
    let [share, target] = at_most(build / targets::BUILD_PER_50K * 5e4 / triangles as f64, 1.0);
    characters.row(vec![
        character.name.clone(),
        triangles.to_string(),
        model.mesh().positions().len().to_string(),
        model.skeleton().joints().len().to_string(),
        number(build),
        share,
        target,
        number(shape.memory_bytes() as f64 / triangles as f64),
        standard.1.to_owned(),
    ]);
    let share = |class| {
        let frames = standard.0.frames.iter().filter(|frame| frame.class == class).count();
        frames as f64 / standard.0.frames.len() as f64
    };
    let (few_touching, few_deep) = (share(Class::Touching) < FEW, share(Class::Deep) < FEW);
    let mut runs = vec![standard.0];
    if few_deep {
        runs.push(run_path(options, avx2, character, &shape, DEEPER).0);
    }
    if few_touching {
        runs.push(run_grazing(options, avx2, character, &shape));
    }
    runs
}

fn run_path(
    options: &Options,
    avx2: Avx2,
    character: &Character,
    shape: &Arc<Shape>,
    path: Path,
) -> (Run, &'static str) {
    let frames = workload::frames(&character.model, path, options.frames).expect("characters have clips");
    let mut contest = Contest::new(avx2, shape, &frames);
    (run_frames(options, character, path.name, &mut contest, &frames), contest.rival_built_for)
}

fn run_grazing(options: &Options, avx2: Avx2, character: &Character, shape: &Arc<Shape>) -> Run {
    let frames = workload::frames(&character.model, STANDARD, options.frames).expect("characters have clips");
    let mut contest = Contest::new(avx2, shape, &frames);
    let frames = workload::graze(frames, |frame| contest.pairs(frame));
    run_frames(options, character, GRAZING, &mut contest, &frames)
}

fn run_frames(
    options: &Options,
    character: &Character,
    path: &str,
    contest: &mut Contest,
    frames: &[Frame],
) -> Run {
    let name = format!("{} {path}", character.name).trim_end().to_owned();
    let frames: Vec<_> = frames.iter().map(|frame| contest.run(frame, options.rounds)).collect();
    let count = |class| frames.iter().filter(|frame| frame.class == class).count();
    let counts = Class::ALL.map(|class| format!("{} {}", count(class), class.name())).join(", ");
    println!("{name}: {counts}; all answers are equal");
    Run { name, triangles: character.model.mesh().triangles().len(), frames }
}

fn shapes_contest(options: &Options, avx2: Avx2, character: &Character) -> Run {
    let with_shapes = Arc::new(morphs::with_shapes(&character.model));
    let build = |model: &Arc<Model>| {
        Arc::new(Shape::build(Arc::clone(model), &BuildOptions::default()).expect("characters can be built"))
    };
    let (plain, shapes) = (build(&character.model), build(&with_shapes));
    let mut contest = ShapesContest::new(avx2, &plain, &shapes);
    let frames = |model| workload::frames(model, STANDARD, options.frames).expect("characters have clips");
    let moved = frames(&with_shapes).into_iter().enumerate().map(|(i, mut frame)| {
        (frame.pose_a.coefficients, frame.pose_b.coefficients) =
            (morphs::coefficients(i), morphs::coefficients(i + 11));
        frame
    });
    let run = |(plain, moved): (&Frame, Frame)| contest.run([plain, &moved], options.rounds);
    Run {
        name: character.name.clone(),
        triangles: character.model.mesh().triangles().len(),
        frames: frames(&character.model).iter().zip(moved).map(run).collect(),
    }
}
