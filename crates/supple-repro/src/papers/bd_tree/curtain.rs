//! A sphere is thrown at a curtain that blows in the wind.

use std::sync::Arc;

use glam::Vec3;
use supple::narrow::closest_point_of_triangle;
use supple::{Body, BuildOptions, Isometry, Pose, Probe, QueryStats, Shape, Skinning, VertexUpdate, overlap};
use supple_papers::{BoundingSphere, Method, Slabs, Volume};

use super::Flexible;
use crate::measure::take_turns;
use crate::papers::Run;
use crate::report::plot::{Axis, Kind, Plot};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// Frames of the paper's animation.
const FRAMES: usize = 110;

/// A pose of the curtain and where the sphere is.
struct Throw {
    pose: Pose,
    center: Vec3,
}

/// Of the sphere, in metres.
const RADIUS: f32 = 0.12;

/// The sphere flies along z towards the curtain, and back from it; it dips into the folds in between.
fn throws(curtain: &Flexible, every: usize) -> Vec<Throw> {
    let clip = &curtain.model.clips()[0];
    let positions = curtain.model.mesh().positions();
    let (min, max) = positions
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), &p| (min.min(p), max.max(p)));
    let middle = (min + max) * 0.5;
    let throw = |i: usize| {
        let part = i as f64 / (FRAMES - 1) as f64;
        let pose = curtain.model.sample(clip, part * clip.duration()).expect("the clip fits");
        let away = (2.4 * (part - 0.5).abs()) as f32;
        Throw { pose, center: Vec3::new(middle.x, middle.y, max.z + 0.5 * RADIUS + away) }
    };
    (0..FRAMES).step_by(every).map(throw).collect()
}

/// Triangles of a body that a sphere overlaps, by the papers' spheres or boxes.
fn overlapped<V: Volume>(
    body: &mut supple_papers::Body<V>,
    sphere: &BoundingSphere,
) -> (Vec<u32>, QueryStats) {
    let volume = V::of_sphere(sphere.center, sphere.radius);
    let (mut found, mut stats) = (Vec::new(), QueryStats::default());
    let mut open = vec![0];
    while let Some(node) = open.pop() {
        stats.node_visits += 1;
        if !body.volume(node, false, &mut stats).overlaps(&volume) {
            continue;
        }
        let tree = Arc::clone(body.tree());
        open.extend(tree.nodes()[node].children());
        if tree.nodes()[node].is_leaf() {
            for &triangle in tree.triangles_below(node) {
                stats.triangle_tests += 1;
                let corners = body.triangle(triangle, &mut stats);
                let nearest = closest_point_of_triangle(sphere.center.as_vec3(), &corners);
                if nearest.distance_sq <= sphere.radius * sphere.radius {
                    found.push(triangle);
                }
            }
        }
    }
    found.sort_unstable();
    (found, stats)
}

/// Answers which triangles the sphere overlaps, and what that took.
type Side = Box<dyn FnMut(&Throw) -> (Vec<u32>, QueryStats)>;

/// What a side found in all frames, and how long it took.
#[derive(Default)]
struct Found {
    triangles: Vec<Vec<u32>>,
    stats: QueryStats,
    times: Vec<f64>,
}

/// Tests and times, on demand and layered.
pub fn table_2(run: &mut Run, curtain: &Flexible) -> Experiment {
    (run.progress)("table 2: curtain and sphere");
    let (every, rounds) = (run.options.count(10, 1), run.options.count(1, 5));
    let throws = throws(curtain, every);
    let mut experiment = Experiment::new(
        "Table 2: a sphere is thrown at a curtain",
        "110 frames of a cloth animation of 12 principal components. BD-Tree: 3,890 sphere tests, 2.4 ms in all; layered spheres, refitted bottom-up: 2,150 tests, 5,400 ms. \
         Mean growth of the spheres 1.51.",
        format!(
            "The zoo's curtain in its clip, {} of 110 frames; a solid sphere flies towards it, dips into the folds and flies back. Asked are all triangles that it reaches. Median \
             of {rounds}. Boxes with the same equations beside, then the library on demand and with its vectorised bottom-up update. Answers are compared.",
            throws.len()
        ),
    );
    let shape =
        Shape::build(Arc::clone(&curtain.model), &BuildOptions::default()).expect("the curtain is sound");
    let own = Body::new(&Arc::new(shape), Skinning::Linear).expect("the rest pose fits");
    let mut sides: [(&str, Side); 5] = [
        ("BD-Tree", reference_side(curtain.body::<BoundingSphere>(Method::Fields))),
        ("layered", reference_side(curtain.body::<BoundingSphere>(Method::BottomUp))),
        ("BD-Tree, boxes", reference_side(curtain.body::<Slabs<3>>(Method::Fields))),
        ("supple", library_side(own.clone(), None)),
        ("supple, bottom-up", library_side(own, Some(VertexUpdate::BottomUp))),
    ];
    let mut found: Vec<Found> = sides.iter().map(|_| Found::default()).collect();
    for throw in &throws {
        for ((_, side), found) in sides.iter_mut().zip(&mut found) {
            let (triangles, stats) = side(throw);
            found.triangles.push(triangles);
            found.stats += stats;
        }
        let mut turns: Vec<_> =
            sides.iter_mut().map(|(_, side)| || drop(std::hint::black_box(side(throw)))).collect();
        let mut turns: Vec<&mut dyn FnMut()> =
            turns.iter_mut().map(|turn| turn as &mut dyn FnMut()).collect();
        let times = take_turns(rounds, &mut turns);
        found.iter_mut().enumerate().for_each(|(side, found)| found.times.push(times.microseconds(side)));
    }
    for (found_here, (name, _)) in found.iter().zip(&sides) {
        assert!(found_here.triangles == found[0].triangles, "{name} overlaps other triangles");
    }
    report(&mut experiment, &sides.map(|(name, _)| name), &found, every);
    experiment
}

fn reference_side<V: Volume>(mut body: supple_papers::Body<V>) -> Side {
    Box::new(move |throw| {
        body.set_pose(&throw.pose, &Isometry::IDENTITY).expect("the pose fits");
        let sphere = BoundingSphere { center: throw.center.as_dvec3(), radius: f64::from(RADIUS) };
        overlapped(&mut body, &sphere)
    })
}

fn library_side(mut body: Body, update: Option<VertexUpdate>) -> Side {
    let model = Arc::clone(body.shape().model());
    let mut positions = model.mesh().positions().to_vec();
    Box::new(move |throw| {
        match update {
            None => body.set_pose(&throw.pose).expect("the pose fits"),
            Some(update) => {
                let posed = model.posed(&throw.pose, Skinning::Linear).expect("the pose fits");
                posed.positions_into(&mut positions);
                body.set_vertices(&positions, update).expect("posed vertices are finite");
            }
        }
        let answer = overlap(&mut body, &Probe::sphere(throw.center, RADIUS).expect("a sphere"));
        (answer.found, answer.stats)
    })
}

fn report(experiment: &mut Experiment, names: &[&str], found: &[Found], every: usize) {
    let mut table = Table::new(
        "All frames together",
        ["method", "tests", "refits", "total time", "per frame", "to layered"],
    );
    let paper = |name: &str, tests: usize, total: f64, each: f64| {
        let ratio = Cell::ratio(5400.0 / total);
        [name.into(), tests.into(), "".into(), Cell::Number(total, "ms"), Cell::Number(each, "us"), ratio]
    };
    table.row(paper("paper: BD-Tree", 3890, 2.4, 22.0));
    table.row(paper("paper: layered", 2150, 5400.0, 49_000.0));
    let total = |side: usize| found[side].times.iter().sum::<f64>();
    for (side, (name, found)) in names.iter().zip(found).enumerate() {
        let slow = if side < 3 { 1 } else { 4 };
        table.row([
            (*name).into(),
            (found.stats.node_visits as usize).into(),
            (found.stats.refits as usize).into(),
            Cell::Number(total(side) / 1000.0, "ms"),
            Cell::Number(total(side) / found.times.len() as f64, "us"),
            Cell::ratio(total(slow) / total(side)),
        ]);
    }
    experiment.tables.push(table);
    let line = |found: &Found| -> Vec<[f64; 2]> {
        found.times.iter().enumerate().map(|(i, &time)| [(i * every) as f64, time]).collect()
    };
    experiment.plots.push(Plot {
        title: "Time per frame".to_owned(),
        kind: Kind::Lines {
            x: Axis::linear("frame"),
            series: names.iter().zip(found).map(|(name, found)| ((*name).to_owned(), line(found))).collect(),
        },
        y: Axis::logarithmic("microseconds"),
    });
    let tests = |side: usize| found[side].stats.node_visits as f64;
    experiment.comparisons.extend([
        Comparison::new(
            "layered / BD-Tree, time",
            Expected::About(5400.0 / 2.4),
            total(1) / total(0),
            Better::Higher,
            "the paper's layered update takes two microseconds per sphere, ours a twentieth; and posing costs something that the paper may not count",
        ),
        Comparison::new(
            "BD-Tree / layered, tests",
            Expected::About(3890.0 / 2150.0),
            tests(0) / tests(1),
            Better::Lower,
            "how large the wind makes the coefficients decides how much conservative spheres grow",
        ),
    ]);
}
