//! Figures 1, 12 and 13: the spheres of a human, and how well they lie on its surface.

use supple::Sphere;
use supple::math::smallest_enclosing_sphere;
use supple_chains::{ChainSphere, Misfit, RegionKind};
use supple_draw::FRONT;

use super::covered::{Covered, drawn};
use crate::papers::Run;
use crate::report::picture::{Panel, View, side_by_side};
use crate::report::plot::{Axis, Kind, Plot};
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// The human and its spheres.
pub fn figure_1(run: &mut Run, human: &Covered) -> Experiment {
    (run.progress)("figure 1: spheres of a human");
    let mut experiment = Experiment::new(
        "Figure 1: the human in five regions, approximated by spheres",
        "A human of 26,292 polygons has 80 spheres in two arms, two legs and the torso, without head, hands and feet: 80 rays per disk, two spheres per level of the torso, neighbouring levels overlap by 30 percent.",
        "The zoo's human of 26,000 triangles, all of it: hands and feet belong to their limbs, the head to the torso. The same parameters. |F| is how far vertices around a sphere are from it, in percent of its radius; beside it the smallest spheres around the same vertices.",
    );
    let mut table = Table::new(
        "Spheres per region",
        ["region", "spheres", "triangles", "mean radius", "|F|", "worst", "smallest sphere |F|", "worst"],
    );
    let misfits = human.chains.misfits();
    for (number, region) in human.chains.regions().iter().enumerate() {
        let own = || {
            let all = human.chains.spheres().iter().zip(&misfits);
            all.filter(move |(sphere, _)| sphere.region as usize == number)
        };
        let mean = |value: &dyn Fn(&ChainSphere, &[Misfit; 2]) -> f64| {
            own().map(|(sphere, misfits)| value(sphere, misfits)).sum::<f64>() / own().count() as f64
        };
        let share = |which: usize| {
            mean(&|sphere, misfits| 100.0 * misfits[which].mean / f64::from(sphere.adjusted.radius))
        };
        let worst = |which: usize| {
            let shares =
                own().map(|(sphere, misfits)| misfits[which].worst / f64::from(sphere.adjusted.radius));
            100.0 * shares.fold(0.0, f64::max)
        };
        table.row([
            region.name.as_str().into(),
            human.count(number).into(),
            own().map(|(sphere, _)| sphere.triangles.len()).sum::<usize>().into(),
            Cell::Number(mean(&|sphere, _| 1000.0 * f64::from(sphere.adjusted.radius)), "mm"),
            Cell::Number(share(0), "%"),
            Cell::Number(worst(0), "%"),
            Cell::Number(share(1), "%"),
            Cell::Number(worst(1), "%"),
        ]);
    }
    let all = human.chains.spheres().len();
    let mut last = vec![Cell::from("all"), all.into(), human.model().mesh().triangles().len().into()];
    last.resize(8, "".into());
    table.row(last);
    experiment.tables.push(table);
    let rest = human.body().positions();
    let drawn_spheres =
        drawn(human.chains.spheres().iter().map(|sphere| sphere.adjusted), |number| human.colour(number));
    let panels = [
        Panel { label: "human", positions: &rest, triangles: human.model().mesh().triangles(), spheres: &[] },
        Panel { label: "spheres", positions: &rest, triangles: &[], spheres: &drawn_spheres },
    ];
    let view = View::around(&rest, FRONT, [440, 440]);
    experiment.pictures.push(side_by_side(
        "The zoo's human; its spheres, coloured by region.",
        &view,
        &panels,
    ));
    experiment
}

/// Spheres of the torso that the paper looks at.
const SPHERES: usize = 8;
/// Those of them whose rays are plotted one by one.
const PLOTTED: [usize; 2] = [0, 1];

const METHODS: [&str; 3] = ["unadjusted (phi1)", "adjusted (phi1')", "smallest sphere (phi2)"];

/// How far the rays' hits are from the spheres of the torso, by three methods.
pub fn figures_12_and_13(run: &mut Run, human: &Covered) -> Experiment {
    (run.progress)("figures 12 and 13: accuracy of the spheres of the torso");
    let mut experiment = Experiment::new(
        "Figures 12 and 13: |F| of the first spheres of the torso",
        "|F| at the points where rays meet the surface, for eight spheres, numbered from below, left and right in turn: adjusting makes spheres more accurate; where the section is no circle adjusted spheres are better than smallest enclosing spheres for some rays, and worse for others: by what its text says of each sphere, better for some 0.4 of the rays.",
        "The same for the human's torso. Unadjusted is the sphere about the middle of the points around all of them.",
    );
    let in_torso =
        |sphere: &&ChainSphere| human.chains.regions()[sphere.region as usize].kind == RegionKind::Trunk;
    let spheres: Vec<&ChainSphere> = human.chains.spheres().iter().filter(in_torso).take(SPHERES).collect();
    let columns = ["sphere", "rays", METHODS[0], METHODS[1], METHODS[2], "phi1' better than phi2"];
    let mut table = Table::new("Mean |F| in millimetres", columns);
    let mut means: [Vec<f64>; 3] = Default::default();
    let (mut better, mut rays) = (0, 0);
    for (number, sphere) in spheres.iter().enumerate() {
        let misfits = methods(sphere).map(|method| distances(&method, sphere));
        for (means, misfits) in means.iter_mut().zip(&misfits) {
            means.push(misfits.iter().sum::<f64>() / misfits.len() as f64);
        }
        let wins = misfits[1].iter().zip(&misfits[2]).filter(|(own, smallest)| own < smallest).count();
        (better, rays) = (better + wins, rays + misfits[0].len());
        table.row([
            number.to_string().into(),
            misfits[0].len().into(),
            Cell::Number(means[0][number], ""),
            Cell::Number(means[1][number], ""),
            Cell::Number(means[2][number], ""),
            Cell::Number(100.0 * wins as f64 / misfits[0].len() as f64, "% of rays"),
        ]);
        if PLOTTED.contains(&number) {
            experiment.plots.push(per_ray(number, &misfits));
        }
    }
    experiment.tables.push(table);
    let whole = |method: usize| means[method].iter().sum::<f64>() / means[method].len() as f64;
    experiment.plots.insert(
        0,
        Plot {
            title: "Mean |F| of each sphere".to_owned(),
            kind: Kind::Bars {
                groups: (0..spheres.len()).map(|number| number.to_string()).collect(),
                series: METHODS.map(str::to_owned).into_iter().zip(means.clone()).collect(),
            },
            y: Axis::linear("mean |F| [mm]"),
        },
    );
    let [first, adjusted, smallest] = [0, 1, 2].map(whole);
    experiment.comparisons.push(Comparison::new(
        "adjusted / unadjusted, mean |F|",
        Expected::AtMost(1.0),
        adjusted / first,
        Better::Lower,
        "spheres are moved to where squares of F are least, not their absolute values",
    ));
    experiment.comparisons.push(Comparison::new(
        "adjusted / smallest spheres, mean |F|",
        Expected::AtMost(1.0),
        adjusted / smallest,
        Better::Lower,
        "the sections are nearly circles, where smallest spheres are best",
    ));
    experiment.comparisons.push(Comparison::new(
        "share of rays nearer to adjusted spheres than to smallest spheres",
        Expected::About(0.4),
        better as f64 / rays.max(1) as f64,
        Better::Higher,
        "the sections of the human are nearer to circles than those of the paper",
    ));
    experiment
}

/// The three spheres of one half of a level.
fn methods(sphere: &ChainSphere) -> [Sphere; 3] {
    [sphere.unadjusted, sphere.adjusted, smallest_enclosing_sphere(&sphere.hits)]
}

/// |F| of every ray, in millimetres.
fn distances(method: &Sphere, sphere: &ChainSphere) -> Vec<f64> {
    sphere.hits.iter().map(|&hit| 1000.0 * Misfit::new(method, [hit]).mean).collect()
}

fn per_ray(number: usize, misfits: &[Vec<f64>; 3]) -> Plot {
    let line = |values: &Vec<f64>| values.iter().enumerate().map(|(ray, &f)| [ray as f64, f]).collect();
    Plot {
        title: format!("Sphere {number}: |F| of every ray"),
        kind: Kind::Lines {
            x: Axis::linear("rays that meet the region, by angle"),
            series: METHODS
                .iter()
                .zip(misfits)
                .map(|(name, values)| (name.to_string(), line(values)))
                .collect(),
        },
        y: Axis::linear("|F| [mm]"),
    }
}
