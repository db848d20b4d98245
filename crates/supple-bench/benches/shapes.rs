//! What 52 shapes cost that move the surface before it is skinned.

use std::sync::Arc;

use supple::{Model, Shape, Skinning};
use supple_bench::opponent::Avx2;
use supple_bench::workload::{Class, Frame};

use crate::measure::Measured;
use crate::ours::{Given, Ours};
use crate::parts::{Part, Rounds, parts_of};
use crate::rival::Rival;

/// The same character with and without shapes that move its surface before it is skinned.
pub struct ShapesContest<'m> {
    plain: Ours,
    shapes: Ours,
    model: &'m Model,
    rival: Rival,
}

impl<'m> ShapesContest<'m> {
    /// Bodies of both, which have the same mesh.
    pub fn new(avx2: Avx2, plain: &Arc<Shape>, shapes: &'m Arc<Shape>) -> Self {
        let model = &**shapes.model();
        let rival = Rival::new(avx2, model, model.mesh().positions());
        Self {
            plain: Ours::new(plain, Skinning::Linear),
            shapes: Ours::new(shapes, Skinning::Linear),
            model,
            rival,
        }
    }

    /// Runs both on a frame; the class is that of the one without.
    pub fn run(&mut self, [plain, shapes]: [&Frame; 2], rounds: usize) -> Measured {
        let [plain, shapes] = [plain, shapes].map(|frame| Given::new(self.model, frame));
        let (pairs, stats) = self.plain.answers(|ours| ours.set_pose(&plain));
        self.rival.take(&shapes.positions(self.model, Skinning::Linear));
        self.rival.trees.refit();
        let with_shapes = self.shapes.answers(|ours| ours.set_pose(&shapes)).0;
        assert!(self.rival.trees.all_pairs() == with_shapes, "the opponent finds other pairs");
        let mut times = Rounds::new();
        for _ in 0..rounds {
            self.plain.time(&mut times, parts_of(Skinning::Linear), &plain);
            let parts = [Part::ShapesSet, Part::ShapesFirst, Part::ShapesAll];
            self.shapes.time(&mut times, parts, &shapes);
        }
        let (peers, exact_stats, bytes) = (Vec::new(), stats, 0);
        let (class, times, hint_was_right) = (Class::of(pairs.len()), times.quartiles(), None);
        Measured { class, times, hint_was_right, peers, stats, exact_stats, bytes }
    }
}
