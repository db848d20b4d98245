//! Morphing: reference volumes that are blended like the vertices.
//!
//! Based on: T. Larsson, T. Akenine-Moller, Efficient Collision Detection for Models Deformed by Morphing, The Visual
//! Computer 19, 2003.

mod blobs;
mod dolphins;
mod front;
mod optimisations;

use super::Run;
use crate::report::Section;

/// Both experiments, the optimisations, and the choices that the paper names without numbers.
pub fn section(run: &mut Run) -> Section {
    let blobs = blobs::Blobs::new(run);
    Section {
        title: "Morphing: blended reference volumes".to_owned(),
        idea: "Faces and bodies that blend between a few stored shapes. Boxes around pieces of each stored \
               shape are blended like the shape itself, so that nothing has to be deformed to know where a \
               piece is.".to_owned(),
        citation: "T. Larsson, T. Akenine-Moller, Efficient collision detection for models deformed by morphing, The Visual \
                   Computer 19 (2003), 164-174."
            .to_owned(),
        experiments: vec![
            blobs::figure_5(run, &blobs),
            dolphins::figure_8(run),
            optimisations::frame_stamps(run, &blobs),
            optimisations::between(run, &blobs),
            optimisations::volumes(run, &blobs),
            optimisations::partition(run, &blobs),
            front::tracking(run, &blobs),
        ],
    }
}
