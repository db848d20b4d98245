//! Table 1, figures 7 and 8: chains from limb to limb.

use supple_chains::{Chain, RegionKind};
use supple_draw::{Colour, FRONT};

use super::covered::{Covered, drawn};
use crate::papers::Run;
use crate::report::picture::{Panel, Picture, View, side_by_side};
use crate::report::{Better, Comparison, Expected, Experiment, Table};

/// Chains of one picture.
const PANELS: usize = 3;

/// Six chains, their spheres, and what they look like.
pub fn table_1(run: &mut Run, human: &Covered) -> Experiment {
    (run.progress)("table 1, figures 7 and 8: chains");
    let mut experiment = Experiment::new(
        "Table 1, figures 7 and 8: chains of joined spheres",
        "Four limbs in pairs give six chains, of the spheres of both limbs and one side of the torso: 23 spheres on average, 138 memberships of 80 spheres.",
        "Sides of the torso are not labelled by hand: a chain has the spheres of the torso on the shortest way from limb to limb over neighbouring spheres.",
    );
    let mut table = Table::new("Chains", ["chain", "limbs", "spheres", "of the limbs", "of the torso"]);
    let chains = human.chains.chains();
    let region =
        |sphere: u32| &human.chains.regions()[human.chains.spheres()[sphere as usize].region as usize];
    for (number, chain) in chains.iter().enumerate() {
        let of_torso = chain.spheres.iter().filter(|&&s| region(s).kind == RegionKind::Trunk).count();
        table.row([
            number.to_string().into(),
            limbs(human, chain).into(),
            chain.spheres.len().into(),
            (chain.spheres.len() - of_torso).into(),
            of_torso.into(),
        ]);
    }
    let memberships: usize = chains.iter().map(|chain| chain.spheres.len()).sum();
    let spheres = human.chains.spheres().len();
    table.row(["all".into(), "".into(), memberships.into(), "".into(), "".into()]);
    experiment.tables.push(table);
    experiment.comparisons.push(Comparison::new(
        "memberships / spheres",
        Expected::About(138.0 / 80.0),
        memberships as f64 / spheres as f64,
        Better::Lower,
        "every sphere of a limb is in three chains, and with hands and feet limbs have most of the spheres here; the paper's torso must have some 50 of its 80",
    ));
    for (number, half) in chains.chunks(PANELS).enumerate() {
        experiment.pictures.push(picture(human, half, PANELS * number));
    }
    experiment
}

fn limbs(human: &Covered, chain: &Chain) -> String {
    chain.limbs.map(|limb| human.chains.regions()[limb as usize].name.clone()).join(" - ")
}

fn picture(human: &Covered, chains: &[Chain], first: usize) -> Picture {
    let rest = human.body().positions();
    let labels: Vec<String> = (first..first + chains.len()).map(|number| format!("chain {number}")).collect();
    let spheres: Vec<Vec<_>> = chains
        .iter()
        .map(|chain| {
            let colour = |sphere: usize| {
                if chain.spheres.contains(&(sphere as u32)) { Colour::VIOLET } else { Colour::GREY }
            };
            drawn(human.chains.spheres().iter().map(|sphere| sphere.adjusted), colour)
        })
        .collect();
    let panels: Vec<Panel> = labels
        .iter()
        .zip(&spheres)
        .map(|(label, spheres)| Panel { label, positions: &rest, triangles: &[], spheres })
        .collect();
    let names: Vec<String> = chains.iter().map(|chain| limbs(human, chain)).collect();
    let caption = format!("Spheres of chains in violet: {}.", names.join(", "));
    side_by_side(caption, &View::around(&rest, FRONT, [330, 330]), &panels)
}
