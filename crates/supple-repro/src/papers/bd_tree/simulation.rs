//! The simulation itself: chairs that crash to the ground, flexible against rigid.

use supple_drop::{Cast, Frame, STEPS_PER_SECOND, SceneKind, World, picture};

use crate::papers::Run;
use crate::report::picture::Picture;
use crate::report::{Better, Cell, Comparison, Expected, Experiment, Table};

/// Both worlds step in turn, so that a busy machine disturbs them alike.
pub fn falling_chairs(run: &mut Run) -> Experiment {
    (run.progress)("section 4: chairs fall");
    let (count, seconds) = if run.options.quick { (6, 0.5) } else { (500, 1.0) };
    let mut experiment = Experiment::new(
        "Section 4 and figure 1: chairs crash to the ground",
        "3,601 chairs, 25,000 steps: 2.1 seconds per step where chairs flex, 1.1 where they are rigid; 1.6 and 1.1 billion contacts; \
         30,000 and 41,000 contacts per second.",
        format!(
            "{count} of the zoo's chairs, {seconds} s at {STEPS_PER_SECOND} steps per second, on one thread (`supple-lab drop chairs` uses all): the library's own tree and spheres, \
             contacts at its level 4 (up to eight children per node). Both worlds step in turn. `supple-lab drop chairs --count 3601` runs all of them."
        ),
    );
    let flexible = Cast::new(SceneKind::Chairs, None).expect("the zoo has chairs");
    let rigid = flexible.rigid().expect("chairs can be rigid");
    let world =
        |cast: &Cast| World::new(cast, count, 0, STEPS_PER_SECOND).expect("this number of chairs is allowed");
    let mut worlds = [world(&flexible), world(&rigid)];
    let mut frames: Vec<Frame> = Vec::new();
    let steps = (seconds * STEPS_PER_SECOND) as usize;
    for step in 0..=steps {
        if step % (steps / 3) == 0 {
            frames.push(worlds[0].frame());
        }
        worlds.iter_mut().for_each(|world| world.step().expect("chairs stay in the world"));
    }
    let mut table = Table::new(
        "Per step",
        [
            "chairs",
            "pairs",
            "contacts",
            "broad phase",
            "refit",
            "traversal",
            "response",
            "all",
            "contacts per s",
        ],
    );
    for (name, world) in ["flexible", "rigid"].into_iter().zip(&worlds) {
        let took = world.statistics();
        let steps = took.steps as f64;
        let per_step = |time: std::time::Duration| Cell::Number(time.as_secs_f64() * 1e3 / steps, "ms");
        table.row([
            name.into(),
            Cell::Number(took.pairs as f64 / steps, ""),
            Cell::Number(took.contacts as f64 / steps, ""),
            per_step(took.broad_phase),
            per_step(took.refits()),
            per_step(took.walks()),
            per_step(took.response),
            per_step(took.total()),
            ((took.contacts as f64 / took.total().as_secs_f64()) as usize).into(),
        ]);
    }
    experiment.tables.push(table);
    let [flexible_took, rigid_took] = [worlds[0].statistics(), worlds[1].statistics()];
    experiment.comparisons.push(Comparison::new(
        "flexible / rigid, time of a step",
        Expected::AtMost(2.1 / 1.1),
        flexible_took.total().as_secs_f64() / rigid_took.total().as_secs_f64(),
        Better::Lower,
        "few chairs touch little: poses and refits of all chairs weigh more than in a heap of thousands",
    ));
    experiment.comparisons.push(Comparison::new(
        "flexible / rigid, contacts",
        Expected::AtMost(1.6 / 1.1),
        flexible_took.contacts as f64 / rigid_took.contacts.max(1) as f64,
        Better::Lower,
        "spheres around pieces that flex are conservative, and these chairs flex by centimetres; the paper's stiffness is not known",
    ));
    let drawn = picture(&flexible, &frames).expect("there are frames");
    experiment.pictures.push(Picture {
        caption: "Flexible chairs, from start to end".to_owned(),
        png: drawn.to_png_bytes().expect("a picture fits into a PNG"),
    });
    experiment
}
