//! Sphere chains: a human filled with spheres, and which of its limbs come near each other.
//!
//! Based on: F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, 2015.

mod accuracy;
mod covered;
mod crowd;
mod fit;
mod limbs;
mod times;

use self::covered::Covered;
use super::Run;
use crate::report::Section;

/// Figures 1 and 7 to 16, table 1, and what the paper leaves to further work: pivots, a narrow phase, crowds.
pub fn section(run: &mut Run) -> Section {
    (run.progress)("sphere chains: covering the human");
    let human = Covered::human();
    Section {
        title: "Self-collision by sphere chains".to_owned(),
        idea:
            "A character filled with spheres, joined into chains along its limbs. Which limbs come near each \
               other is told by the chains alone; it is a quick guess, not the exact answer."
                .to_owned(),
        citation:
            "F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, GRAPP 2015."
                .to_owned(),
        experiments: vec![
            fit::figure_1(run, &human),
            fit::figures_12_and_13(run, &human),
            limbs::table_1(run, &human),
            times::figures_15_and_16(run, &human),
            crowd::many_humans(run, &human),
            accuracy::beside_the_exact_answer(run, &human),
        ],
    }
}
