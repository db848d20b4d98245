//! Section 5, and the choices that the paper names without numbers: volumes and the mesh that is partitioned.

use glam::Vec3;
use supple::Skinning;
use supple::rest::Rest;
use supple_papers::{BoundingSphere, Method, Slabs, Tree, Volume};

use super::blobs::Blobs;
use crate::papers::Run;
use crate::papers::contest::{Reference, Result, Side, Wanted, contest};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

const MORPH: Method = Method::Morph { between: 0 };

/// Refitting a node once per frame, not once per visit.
pub fn frame_stamps(run: &mut Run, blobs: &Blobs) -> Experiment {
    (run.progress)("section 5: frame stamps");
    let rounds = run.options.count(1, 3);
    let mut experiment = Experiment::new(
        "Section 5: frame stamps",
        "A node remembers for which frame it was refitted. All pairs of the first experiment: about 15 % faster.",
        format!("The steps of figure 5, all pairs, with and without; median of {rounds}."),
    );
    let mut with = blobs.reference::<Slabs<3>>("with stamps", MORPH);
    let mut without = blobs.reference::<Slabs<3>>("without", MORPH);
    without.frame_stamps = false;
    let results = contest(&mut [&mut without, &mut with], &blobs.frames, Wanted::All, rounds);
    experiment.tables.push(costs("All steps together", &results));
    experiment.comparisons.push(Comparison::new(
        "without / with frame stamps",
        Expected::About(1.15),
        results[0].total() / results[1].total(),
        Better::Higher,
        "blending two boxes takes a few nanoseconds now, and looking a stamp up is not free",
    ));
    experiment
}

/// One extra volume between reference volumes.
pub fn between(run: &mut Run, blobs: &Blobs) -> Experiment {
    (run.progress)("section 5: volumes between");
    let rounds = run.options.count(1, 3);
    let mut experiment = Experiment::new(
        "Section 5: volumes between the reference volumes",
        "One more box between each two reference boxes makes blended boxes tighter: 5 % overall on the first experiment, up to 40 % in some steps.",
        format!("The steps of figure 5, all pairs, with 0, 1 and 3 boxes between; median of {rounds}."),
    );
    let mut none = blobs.reference::<Slabs<3>>("none", MORPH);
    let mut one = blobs.reference::<Slabs<3>>("1 between", Method::Morph { between: 1 });
    let mut three = blobs.reference::<Slabs<3>>("3 between", Method::Morph { between: 3 });
    let results = contest(&mut [&mut none, &mut one, &mut three], &blobs.frames, Wanted::All, rounds);
    experiment.tables.push(costs("All steps together", &results));
    let best =
        results[0].times.iter().zip(&results[1].times).map(|(none, one)| none / one).fold(0.0, f64::max);
    experiment.comparisons.push(Comparison::new(
        "none / 1 between, all steps",
        Expected::About(1.05),
        results[0].total() / results[1].total(),
        Better::Higher,
        "these shapes morph along nearly straight ways, so that blended boxes are tight already",
    ));
    experiment.comparisons.push(Comparison::new(
        "none / 1 between, best step",
        Expected::About(1.4),
        best,
        Better::Higher,
        "no step of these shapes has boxes as loose as the paper's loosest; the best of few steps is noisy",
    ));
    experiment
}

/// Boxes, k-DOPs and spheres.
pub fn volumes(run: &mut Run, blobs: &Blobs) -> Experiment {
    let rounds = run.options.count(1, 3);
    let mut experiment = Experiment::new(
        "Sections 3.2 and 3.3: boxes, k-DOPs and spheres",
        "Any of them can be blended; results are given for boxes only. Spheres are expected to be a strong alternative in certain cases.",
        format!(
            "The steps of figure 5 with each volume, the same tree. k-DOPs of turned bodies are tested along the directions of both, each direction as a sum \
             of three of the other's (Zachmann); for boxes that is SAT lite. Median of {rounds}."
        ),
    );
    for (wanted, name) in [(Wanted::All, "all pairs"), (Wanted::Any, "first pair")] {
        (run.progress)(&format!("section 3: volumes, {name}"));
        let mut sides: [Box<dyn Side>; 5] = [
            Box::new(blobs.reference::<Slabs<3>>(Slabs::<3>::NAME, MORPH)),
            Box::new(blobs.reference::<Slabs<7>>(Slabs::<7>::NAME, MORPH)),
            Box::new(blobs.reference::<Slabs<9>>(Slabs::<9>::NAME, MORPH)),
            Box::new(blobs.reference::<Slabs<13>>(Slabs::<13>::NAME, MORPH)),
            Box::new(blobs.reference::<BoundingSphere>(BoundingSphere::NAME, MORPH)),
        ];
        let mut sides: Vec<&mut dyn Side> =
            sides.iter_mut().map(|side| &mut **side as &mut dyn Side).collect();
        let results = contest(&mut sides, &blobs.frames, wanted, rounds);
        experiment.tables.push(costs(&format!("All steps together, {name}"), &results));
    }
    experiment
}

/// Which of the meshes decides how the tree is divided.
pub fn partition(run: &mut Run, blobs: &Blobs) -> Experiment {
    (run.progress)("section 3.1: the mesh that is partitioned");
    let rounds = run.options.count(1, 3);
    let mut experiment = Experiment::new(
        "Section 3.1: the mesh that is partitioned",
        "The tree is divided by one mesh and serves all blends; which one is best is hard to say, the most frequent or average one may be.",
        format!(
            "The steps of figure 5, all pairs, trees divided by each reference shape and by their mean; median of {rounds}."
        ),
    );
    let Rest::Morph(morph) = blobs.model.rest() else { return experiment };
    let mesh = blobs.model.mesh();
    let vertices = 0..mesh.positions().len() as u32;
    let side = |name: &str, positions: Vec<Vec3>| {
        let tree = Tree::octants(&positions, mesh.triangles());
        Reference::<Slabs<3>>::new(name, &blobs.model, Skinning::Linear, tree, MORPH, 2)
    };
    let shape = |i: usize| vertices.clone().map(|v| morph.of_vertex(v)[i]).collect::<Vec<_>>();
    let mean =
        vertices.clone().map(|v| morph.of_vertex(v).iter().sum::<Vec3>() / morph.count() as f32).collect();
    let mut sides = [
        side("first shape", shape(0)),
        side("second shape", shape(1)),
        side("third shape", shape(2)),
        side("mean of all", mean),
    ];
    let mut sides: Vec<&mut dyn Side> = sides.iter_mut().map(|side| side as &mut dyn Side).collect();
    let results = contest(&mut sides, &blobs.frames, Wanted::All, rounds);
    experiment.tables.push(costs("All steps together", &results));
    experiment
}

/// Time and counters per frame; times as ratios to the first.
fn costs(caption: &str, results: &[Result]) -> Table {
    let mut table = Table::new(
        format!("{caption}, means per step"),
        ["", "time", "to the first", "volume tests", "refits", "triangle tests"],
    );
    for result in results {
        let per_frame = |count: u64| Cell::Number(count as f64 / result.times.len() as f64, "");
        table.row([
            result.name.clone().into(),
            Cell::Number(result.mean(), "us"),
            Cell::ratio(result.total() / results[0].total()),
            per_frame(result.stats.node_visits),
            per_frame(result.stats.refits),
            per_frame(result.stats.triangle_tests),
        ]);
    }
    table
}
