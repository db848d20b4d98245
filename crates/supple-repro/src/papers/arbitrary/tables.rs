//! Tables 7.1 and 7.2: how small and how exact fitted skins are.

use supple_fit::articulated::{self, ArticulatedOptions};
use supple_fit::{Corrections, FitOptions};
use supple_zoo::cloth::Cloth;

use super::animations::Material;
use super::timed_fit;
use crate::papers::Run;
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// A row of table 7.1.
struct Animation {
    name: &'static str,
    vertices: usize,
    material: Material,
    frames: usize,
    /// Minutes, percent, ratio.
    thesis: [f64; 3],
}

const ANIMATIONS: [Animation; 9] = [
    animation("Falling Skirt 1", 1468, Material::Sheet(Cloth::Skirt, 42, 35), 30, [2.2, 0.69, 5.9]),
    animation("Falling Skirt 2", 4969, Material::Sheet(Cloth::Skirt, 71, 70), 60, [10.7, 0.86, 17.6]),
    animation("Skirt Walk 1", 2963, Material::Sheet(Cloth::Skirt, 78, 38), 54, [8.2, 0.84, 11.6]),
    animation("Skirt Walk 2", 7526, Material::Sheet(Cloth::Skirt, 106, 71), 60, [19.9, 1.33, 23.1]),
    animation("Curtain", 6409, Material::Sheet(Cloth::Curtain, 89, 72), 200, [48.7, 0.16, 27.6]),
    animation("Elastic Hippopotamus", 6442, Material::Jelly("creature"), 100, [151.8, 0.11, 24.4]),
    animation("Elastic Shark", 10070, Material::Jelly("blob"), 100, [205.7, 0.04, 33.5]),
    animation("Cloth Hippopotamus", 6442, Material::Sheet(Cloth::Drape, 92, 70), 100, [33.5, 0.86, 24.4]),
    animation("Cloth Camel", 20330, Material::Sheet(Cloth::Drape, 190, 107), 100, [79.5, 0.8, 50.4]),
];

const fn animation(
    name: &'static str,
    vertices: usize,
    material: Material,
    frames: usize,
    thesis: [f64; 3],
) -> Animation {
    Animation { name, vertices, material, frames, thesis }
}

/// Sizes, times, errors and ratios with 100 joints and no corrections.
pub fn table_7_1(run: &mut Run) -> Experiment {
    let mut experiment = Experiment::new(
        "Table 7.1: nine animations with 100 proxy-joints",
        "Simulated cloth and elastic bodies. Rigid joints, normals fitted apart, no corrections. Errors are percentages of distortion; ratios compare positions and normals of all \
         frames with those at rest and the joints of all frames.",
        "Cloth and jelly of the zoo with nearly as many vertices and as many frames; they move by formulas, not by simulation. The linear error is that of the thesis' equations, the \
         other is after Gauss-Newton steps on true distances. The ratio counts as the thesis does, without weights. A quick run leaves out the larger ones.",
    );
    let mut sizes = Table::new(
        "Sizes of the thesis' animations and of their stand-ins",
        ["animation", "vertices", "frames", "stand-in", "vertices"],
    );
    let mut table = Table::new(
        "Thesis, then here",
        ["animation", "time", "error", "ratio", "here: time", "linear error", "error", "ratio"],
    );
    let largest = run.options.count(3000, usize::MAX);
    let shown = ANIMATIONS.iter().filter(|animation| animation.vertices <= largest);
    for Animation { name, vertices, material, frames, thesis } in shown {
        (run.progress)(&format!("table 7.1: {name}"));
        let sequence = material.with_normals(*frames);
        let (linear, _) = timed_fit(&sequence, &FitOptions::default().with_steps(0));
        let (fitted, seconds) = timed_fit(&sequence, &FitOptions::default());
        let (error, ratio) = (fitted.distortion.percent, fitted.sizes.ratio_without_weights());
        sizes.row([
            (*name).into(),
            (*vertices).into(),
            (*frames).into(),
            material.name().into(),
            sequence.rest().positions().len().into(),
        ]);
        table.row([
            (*name).into(),
            Cell::Number(thesis[0], "min"),
            Cell::Number(thesis[1], "%"),
            Cell::ratio(thesis[2]),
            Cell::Number(seconds, "s"),
            Cell::Number(linear.distortion.percent, "%"),
            Cell::Number(error, "%"),
            Cell::ratio(ratio),
        ]);
        experiment.comparisons.extend([
            Comparison::new(
                format!("{name}: error in percent"),
                Expected::About(thesis[1]),
                error,
                Better::Lower,
                why(*material),
            ),
            Comparison::new(
                format!("{name}: ratio"),
                Expected::About(thesis[2]),
                ratio,
                Better::Higher,
                "the sizes differ: ratios follow from the numbers of vertices, frames and joints alone",
            ),
        ]);
    }
    experiment.tables.extend([sizes, table]);
    experiment
}

/// Why the error of a stand-in may be larger than the thesis'.
fn why(material: Material) -> &'static str {
    match material {
        Material::Sheet(Cloth::Curtain, ..) => {
            "the zoo's curtain is flat at rest and has five deep folds in the frames, too narrow for joints so far apart: affine ones do hardly better"
        }
        Material::Sheet(Cloth::Flag, ..) => {
            "the zoo's flag is bent by 50 degrees either way, twice along its length, too much for joints so far apart: affine ones do hardly better"
        }
        Material::Sheet(Cloth::Drape, ..) => {
            "the zoo's sheet becomes a dome and is compressed where a simulated one would fold, which rigid joints cannot do: affine ones fit twice as well"
        }
        Material::Sheet(Cloth::Skirt, ..) => {
            "the zoo's skirt is stretched by its waves, which rigid joints cannot do: affine ones fit several times as well"
        }
        Material::Jelly(_) => "the zoo's body is squashed by up to a quarter, which rigid joints cannot do",
    }
}

/// A row of table 7.2.
struct Contest {
    name: &'static str,
    material: Material,
    frames: usize,
    joints: usize,
    /// Percent, percent with ten corrections, both also of quasi-articulated fits.
    thesis: [f64; 4],
}

const CONTESTS: [Contest; 4] = [
    contest("Cloth Horse", Material::Sheet(Cloth::Drape, 103, 82), 53, 6, [7.67, 0.17, 41.7, 0.88]),
    contest("Flag, 32 joints", Material::Sheet(Cloth::Flag, 93, 74), 200, 32, [1.17, 0.44, 21.2, 5.93]),
    contest("Flag, 100 joints", Material::Sheet(Cloth::Flag, 93, 74), 200, 100, [0.46, 0.17, 2.26, 1.25]),
    contest("Elastic Cow", Material::Jelly("hand"), 204, 18, [2.48, 1.2, 2.82, 1.54]),
];

const fn contest(
    name: &'static str,
    material: Material,
    frames: usize,
    joints: usize,
    thesis: [f64; 4],
) -> Contest {
    Contest { name, material, frames, joints, thesis }
}

/// Few joints, and ten corrections.
pub fn table_7_2(run: &mut Run) -> Experiment {
    let most = run.options.count(20, usize::MAX);
    let mut experiment = Experiment::new(
        "Table 7.2: highly deformable animations, also with ten corrections",
        "The animations of James and Twigg, with as many joints as their method (SMA) chose: but for the cow, uniform joints fit more than five times better. With ten \
         eigen-displacements the order stays.",
        format!(
            "Cloth and jelly of the zoo with as many vertices (the hand has 2,402, the cow 2,904), joints and frames{}. SMA here is a fit in their manner (mean shift on the triangles' rotations, \
             non-negative weights), with at most as many joints: the best of three bandwidths.",
            if run.options.quick { format!(", of which {most} are fitted") } else { String::new() }
        ),
    );
    let mut table = Table::new(
        "Errors in percent; + 10: with ten eigen-displacements",
        ["animation", "joints", "SMA", "+ 10", "thesis", "+ 10", "here: SMA", "+ 10", "uniform", "+ 10"],
    );
    for Contest { name, material, frames, joints, thesis } in &CONTESTS {
        (run.progress)(&format!("table 7.2: {name}"));
        let options = FitOptions::default().with_joints(*joints).with_corrections(Corrections::Count(10));
        let (fitted, _) = timed_fit(&material.sequence(most.min(*frames)), &options);
        let errors = [fitted.uncorrected.percent, fitted.distortion.percent];
        let sequence = material.sequence(most.min(*frames));
        let pieces = |bandwidth: f64| {
            let corrections = Corrections::Count(10);
            let options = ArticulatedOptions::default()
                .with_bandwidth(bandwidth)
                .with_joints(*joints)
                .with_corrections(corrections);
            articulated::fit(&sequence, &options, &|_| ()).expect("the stand-in can be fitted")
        };
        // How alike triangles of one piece turn is theirs to choose: the best of three.
        let articulated = [0.3, 0.1, 0.03].map(pieces).into_iter();
        let articulated = articulated.min_by(|a, b| a.uncorrected.percent.total_cmp(&b.uncorrected.percent));
        let articulated = articulated.expect("there are three");
        let of_pieces = [articulated.uncorrected.percent, articulated.distortion.percent];
        table.row([
            (*name).into(),
            (*joints).into(),
            Cell::Size(thesis[2]),
            Cell::Size(thesis[3]),
            Cell::Size(thesis[0]),
            Cell::Size(thesis[1]),
            Cell::Size(of_pieces[0]),
            Cell::Size(of_pieces[1]),
            Cell::Size(errors[0]),
            Cell::Size(errors[1]),
        ]);
        experiment.comparisons.push(Comparison::new(
            format!("{name}: SMA / uniform, error"),
            Expected::About(thesis[2] / thesis[0]),
            of_pieces[0] / errors[0],
            Better::Higher,
            "a fit in the manner of SMA is not theirs: its weights are fitted to all frames here, which helps most where joints are few",
        ));
        for ((kind, error), thesis) in ["error", "corrected error"].into_iter().zip(errors).zip(thesis) {
            experiment.comparisons.push(Comparison::new(
                format!("{name}: {kind} in percent"),
                Expected::About(*thesis),
                error,
                Better::Lower,
                why(*material),
            ));
        }
    }
    experiment.tables.push(table);
    experiment
}
