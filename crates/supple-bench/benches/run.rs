//! Which characters run on which paths, and how often.

use std::sync::Arc;

use supple::{BuildOptions, Model, Shape};
use supple_bench::clock::microseconds;
use supple_bench::marks::at_most;
use supple_bench::morphs;
use supple_bench::opponent::Avx2;
use supple_bench::targets;
use supple_bench::workload::{self, Character, Class, DEEPER, FRAMES, Frame, GRAZING, Path, STANDARD};
use supple_report::columns::{Columns, number};

use crate::behind::Behind;
use crate::cores::Cores;
use crate::itself::{self, AgainstItself};
use crate::measure::Contest;
#[cfg(feature = "native-peers")]
use crate::native_rays;
use crate::rays::{self, RayRun};
use crate::report::{self, Run};
use crate::set_pose;
use crate::shapes::ShapesContest;

/// A class with a smaller share of the frames than this gets a path of its own.
const FEW: f64 = 0.15;
/// Characters that are also run with 52 shapes.
const WITH_SHAPES: [&str; 2] = ["creature:0", "creature:1"];

/// Tables that are printed unless others are named.
const TABLES: [&str; 5] = ["pairs", "shapes", "rays", "self", "pose"];
/// Tables that are printed only if they are named.
const NAMED_TABLES: [&str; 1] = ["build"];

struct Options {
    frames: usize,
    rounds: usize,
    quick: bool,
    model: Option<String>,
    /// Only the tables that are named.
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

    /// A name of tables that there are not.
    fn unknown(&self) -> Option<&String> {
        self.only.as_ref().filter(|only| !TABLES.iter().chain(&NAMED_TABLES).any(|known| known == only))
    }

    fn wants(&self, name: &str) -> bool {
        let quick = ["CesiumMan", "creature"].iter().any(|prefix| name.starts_with(prefix));
        self.model.as_ref().map_or(!self.quick || quick, |model| name.starts_with(model.as_str()))
    }

    fn includes(&self, what: &str) -> bool {
        self.only.as_ref().map_or(TABLES.contains(&what), |only| only == what)
    }
}

/// The whole benchmark.
pub fn run() {
    let options = Options::from_arguments();
    let Some(avx2) = Avx2::detect() else {
        println!("the opponent needs AVX2 and FMA");
        return;
    };
    if let Some(unknown) = options.unknown() {
        println!("there are no tables {unknown}, but {}, {}", TABLES.join(", "), NAMED_TABLES.join(", "));
        return;
    }
    println!("{} frames, {} rounds, one thread", options.frames, options.rounds);
    let mut tables = Tables::new();
    for name in workload::names().iter().filter(|name| options.wants(name)) {
        match workload::character(name) {
            Ok(character) => tables.fill(&options, avx2, &character),
            Err(why) => println!("{name} is skipped: {why}"),
        }
    }
    tables.print();
}

/// All tables, empty where they are not included.
struct Tables {
    characters: Columns,
    pairs: Vec<Run>,
    shapes: Vec<Run>,
    rays: Vec<RayRun>,
    #[cfg(feature = "native-peers")]
    native_rays: Columns,
    itself: Columns,
    poses: Columns,
    cores: Cores,
    behind: Behind,
}

impl Tables {
    fn new() -> Self {
        Self {
            characters: Columns::new(
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
                    "",
                    "opponent's tree for",
                ],
            ),
            pairs: Vec::new(),
            shapes: Vec::new(),
            rays: Vec::new(),
            #[cfg(feature = "native-peers")]
            native_rays: Columns::new(native_rays::EXPLANATION, 1, &native_rays::HEADER),
            itself: Columns::new(itself::EXPLANATION, 1, &itself::HEADER),
            poses: Columns::new(set_pose::EXPLANATION, 1, &set_pose::HEADER),
            cores: Cores::start(),
            behind: Behind::default(),
        }
    }

    /// Runs everything that is wanted on a character.
    fn fill(&mut self, options: &Options, avx2: Avx2, character: &Character) {
        let (name, model) = (&character.name, &character.model);
        let (time, shape) = microseconds(|| Shape::build(Arc::clone(model), &BuildOptions::default()));
        let shape = Arc::new(shape.expect("characters can be built"));
        let frames = workload::frames(model, STANDARD, options.frames).expect("characters have clips");
        if options.includes("rays") {
            self.rays.push(rays::run(avx2, name, &shape, &frames, options.rounds));
            #[cfg(feature = "native-peers")]
            native_rays::run(
                avx2,
                name,
                &shape,
                &frames,
                options.rounds,
                &mut self.native_rays,
                &mut self.behind,
            );
        }
        if options.includes("self") {
            // Poses of the first copy, without shapes: the opponent only skins.
            let poses: Vec<_> =
                frames.iter().step_by(frames.len().div_ceil(20)).map(|f| f.pose_a.clone()).collect();
            let mut contest = AgainstItself::new(avx2, &shape, &poses[poses.len() / 2]);
            let rounds = options.rounds.min(5);
            contest.run(name, &poses, rounds, &mut self.itself, &mut self.behind);
            for (clip, poses) in workload::other_clips(model, poses.len()) {
                contest.run(&format!("{name} {clip}"), &poses, rounds, &mut self.itself, &mut self.behind);
            }
        }
        if options.includes("pose") {
            set_pose::run(name, &shape, &frames, &mut self.poses);
        }
        if options.includes("build") {
            self.cores.build(name, model);
        }
        if options.includes("pairs") {
            self.pairs.extend(contest(options, avx2, character, &shape, time / 1e3, &mut self.characters));
        }
        if options.includes("shapes") && WITH_SHAPES.contains(&name.as_str()) {
            self.shapes.push(shapes_contest(options, avx2, character));
        }
    }

    fn print(mut self) {
        print!("{}", self.characters.text());
        report::print(&self.pairs, &mut self.behind);
        report::print_shapes(&self.shapes);
        rays::print(&self.rays, &mut self.behind);
        #[cfg(feature = "native-peers")]
        print!("{}", self.native_rays.text());
        print!("{}{}", self.itself.text(), self.poses.text());
        self.cores.print();
        self.behind.print();
    }
}

fn contest(
    options: &Options,
    avx2: Avx2,
    character: &Character,
    shape: &Arc<Shape>,
    build: f64,
    characters: &mut Columns,
) -> Vec<Run> {
    let model = &character.model;
    let triangles = model.mesh().triangles().len();
    let standard = run_path(options, avx2, character, shape, STANDARD);
    let mut cells = vec![
        character.name.clone(),
        triangles.to_string(),
        model.mesh().positions().len().to_string(),
        model.skeleton().joints().len().to_string(),
        number(build),
    ];
    cells.extend(at_most(build / targets::BUILD_PER_50K * 5e4 / triangles as f64, 1.0));
    cells.extend(at_most(shape.memory_bytes() as f64 / triangles as f64, targets::SHAPE_BYTES));
    cells.push(standard.1.to_owned());
    characters.row(cells);
    let share = |class| {
        let frames = standard.0.frames.iter().filter(|frame| frame.class == class).count();
        frames as f64 / standard.0.frames.len() as f64
    };
    let (few_touching, few_deep) = (share(Class::Touching) < FEW, share(Class::Deep) < FEW);
    let mut runs = vec![standard.0];
    if few_deep {
        runs.push(run_path(options, avx2, character, shape, DEEPER).0);
    }
    if few_touching {
        runs.push(run_grazing(options, avx2, character, shape));
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
    let differ = frames.iter().flat_map(|frame| &frame.peers).filter(|peer| peer.differs).count();
    match differ {
        0 => println!("{name}: {counts}; all answers are equal"),
        _ => println!("{name}: {counts}; all answers are equal, but {differ} of inexact peers"),
    }
    Run { name, triangles: character.model.mesh().triangles().len(), peers: contest.peer_names(), frames }
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
        peers: Vec::new(),
        frames: frames(&character.model).iter().zip(moved).map(run).collect(),
    }
}
