//! How skins are blended: spherical blend skinning and dual quaternion skinning beside linear blending.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, chapters 3 and 4.

mod methods;
mod models;
mod run_times;
mod properties;
mod flops;
mod twist;

use super::Run;
use crate::report::Section;

/// All tables and figures with numbers, and the comparisons that the thesis shows as pictures.
pub fn section(run: &mut Run) -> Section {
    let models = models::Models::new();
    Section {
        title: "Skinning: linear, spherical, dual quaternions".to_owned(),
        idea: "How a character's skin follows its bones. Averaging matrices, as engines do, makes twisted limbs \
               collapse; averaging rotations or dual quaternions does not. These tables say what that costs and \
               which properties each way has.".to_owned(),
        citation:
            "L. Kavan, Real-time Skeletal Animation, PhD thesis, Czech Technical University in Prague, 2007, \
                   chapters 3 and 4."
                .to_owned(),
        experiments: vec![
            models::table_3_1(run, &models),
            models::table_3_2(run, &models),
            properties::table_4_1(run),
            flops::table_4_1_flops(run),
            run_times::figure_4_4(run, &models),
            twist::figures(run, &models),
        ],
    }
}
