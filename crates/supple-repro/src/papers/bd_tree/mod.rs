//! The BD-Tree: spheres around reduced deformable models.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree: Output-sensitive collision detection for reduced deformable models, SIGGRAPH 2004.

mod chairs;
mod curtain;
mod simulation;
mod tightness;
mod updates;

use std::sync::Arc;

use supple::{Model, Skinning};
use supple_papers::{Method, Tree, Volume};

use super::Run;
use super::contest::reference_body;
use crate::report::Section;

/// A model of displacement fields with the paper's tree.
pub struct Flexible {
    /// In the zoo.
    pub name: &'static str,
    /// The model.
    pub model: Arc<Model>,
    /// Two children per node, one triangle per leaf, cut as by Quinlan.
    pub tree: Tree,
}

impl Flexible {
    fn new(name: &'static str) -> Self {
        let model = Arc::new(supple_zoo::make(name, 0).expect("the zoo has it"));
        let mesh = model.mesh();
        let tree = Tree::halves(mesh.positions(), mesh.triangles());
        Self { name, model, tree }
    }

    /// A body of the papers' engine.
    pub fn body<V: Volume>(&self, method: Method) -> supple_papers::Body<V> {
        reference_body(&self.model, Skinning::Linear, self.tree.clone(), method)
    }
}

/// Tables and figures with numbers, and the extensions of section 3.5.
pub fn section(run: &mut Run) -> Section {
    (run.progress)("BD-Tree: models and trees");
    let [chair, bridge, fish, curtain] = ["chair", "bridge", "fish", "curtain"].map(Flexible::new);
    Section {
        title: "BD-Tree: reduced deformable models".to_owned(),
        idea: "Chairs, bridges and curtains that flex in a few known ways. Spheres around pieces grow by a sum \
               over how far each way is bent, so that a heap of flexing things costs little more than a heap of \
               rigid ones.".to_owned(),
        citation: "D. L. James, D. K. Pai, BD-Tree: Output-Sensitive Collision Detection for Reduced Deformable Models, ACM Transactions on \
                   Graphics 23 (2004), 393-398."
            .to_owned(),
        experiments: vec![
            tightness::table_1([&chair, &bridge, &fish, &curtain]),
            tightness::decay(run, &chair),
            // What is stored for the bridge takes seconds to compute.
            tightness::figure_6(run, if run.options.quick { &chair } else { &bridge }),
            curtain::table_2(run, &curtain),
            updates::per_sphere(run, &chair, &bridge),
            updates::coherence(run, &chair),
            chairs::rigid_and_flexible(run, &chair),
            simulation::falling_chairs(run),
        ],
    }
}
