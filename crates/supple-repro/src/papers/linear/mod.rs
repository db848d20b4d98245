//! Collision detection for linear blend skinning: spheres refitted on demand from corners of weights.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, chapter 5; L. Kavan, J. Zara, Fast collision detection for
//! skeletally deformable models, 2005.

mod dwarves;
mod meetings;
mod radii;
mod volumes;

pub use meetings::{MEETINGS, frames as meeting_frames};

use super::Run;
use super::walkers::Walker;
use crate::report::Section;

/// All tables and figures with numbers; and boxes and k-DOPs, which the papers leave to the future.
pub fn section(run: &mut Run) -> Section {
    (run.progress)("chapter 5: trees");
    let [man, creature] = ["man", "creature"].map(|name| Walker::new(name, 0));
    Section {
        title: "Linear blend skinning: spheres on demand".to_owned(),
        idea: "Characters whose skin averages matrices. Spheres around pieces of the skin are computed from \
               bones and weights when a query looks at them, instead of after deforming every vertex.".to_owned(),
        citation: "L. Kavan, Real-time Skeletal Animation, PhD thesis, Czech Technical University in Prague, 2007, chapter 5."
            .to_owned(),
        experiments: vec![
            radii::table_5_1(&man, &creature),
            radii::table_5_2(run, &creature),
            meetings::section_5_4(run, &man, &creature),
            dwarves::table_5_3(run),
            meetings::figure_5_7(run, &creature),
            volumes::boxes_and_dops(run, &creature),
        ],
    }
}
