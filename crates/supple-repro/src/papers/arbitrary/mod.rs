//! Skins for arbitrary deformations: proxy-joints fitted to cloth and elastic bodies.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, chapter 7.

mod animations;
mod collision;
mod figures;
mod rest_editing;
mod tables;

use std::time::Instant;

use supple_fit::{FitOptions, Fitted, MeshSequence, fit};

use super::Run;
use crate::one_thread::on_one_thread;
use crate::report::Section;

/// Tables 7.1 and 7.2, figures 7.5, 7.6, 7.7 and 7.9, and the collisions that the thesis only promises.
pub fn section(run: &mut Run) -> Section {
    Section {
        title: "Skinning arbitrary deformations".to_owned(),
        idea: "Any mesh animation, such as simulated cloth, is turned into a skin: some hundred bones that \
               nobody drew, weights, and small corrections. It takes less memory and collides like a character.".to_owned(),
        citation: "L. Kavan, Real-time Skeletal Animation, PhD thesis, Czech Technical University in Prague, 2007, chapter 7."
            .to_owned(),
        experiments: vec![
            tables::table_7_1(run),
            tables::table_7_2(run),
            figures::figure_7_5(run),
            figures::figure_7_6(run),
            rest_editing::figure_7_9(run),
            on_one_thread(|| collision::fitted_cloth(run)),
        ],
    }
}

/// The fit, and the seconds it took.
fn timed_fit(sequence: &MeshSequence, options: &FitOptions) -> (Fitted, f64) {
    let start = Instant::now();
    let fitted = fit(sequence, options, &|_| ()).expect("the options make sense");
    (fitted, start.elapsed().as_secs_f64())
}
