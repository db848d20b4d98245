//! `supple zoo`: the list of animals, or one of them as a file.

use std::thread;

use supple::model::Model;
use supple::skin::Skinning;

use crate::arguments::ZooArguments;
use crate::deform::{OutputKind, write_rest_pose};
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::print::print;
use crate::progress::{bar, while_waiting};
use crate::source::from_zoo;
use crate::table::{Side, Table, counted, grouped};

/// Lists the animals, or writes one.
pub fn run(arguments: &ZooArguments) -> Result<(), Failure> {
    let (Some(name), Some(output)) = (&arguments.name, &arguments.output) else {
        return list();
    };
    let kind = OutputKind::of(output)?;
    if matches!(kind, OutputKind::Pc2 | OutputKind::Mdd) {
        return Err(bad_usage(format!("{}: an animal is written as .glb or .obj", output.display())));
    }
    let make = || from_zoo(name, arguments.detail);
    let model = while_waiting(format!("making a {name}"), make)?.model;
    while_waiting(format!("writing {}", output.display()), || match kind {
        OutputKind::Glb => supple_io::write_glb(output, &model).or_blame(Blame::Output),
        _ => write_rest_pose(&model, Skinning::Linear, output),
    })?;
    print(&format!("{}: {name}, {}\n", output.display(), sizes(&model)))
}

fn list() -> Result<(), Failure> {
    use Side::{Left, Right};
    let animals = make_all()?;
    let columns = [
        ("name", Left),
        ("vertices", Right),
        ("triangles", Right),
        ("joints", Right),
        ("targets", Right),
        ("clips", Right),
        ("", Left),
    ];
    let mut table = Table::new(&columns);
    for (kind, model) in supple_zoo::kinds().iter().zip(&animals) {
        let counts = [
            model.mesh().positions().len(),
            model.mesh().triangles().len(),
            model.skeleton().joints().len(),
            model.rest().coefficient_count(),
            model.clips().len(),
        ];
        let cells = [kind.name.to_owned()].into_iter().chain(counts.map(grouped));
        table.row(cells.chain([kind.about.to_owned()]));
    }
    let rows = table.text(usize::MAX - 1);
    print(&format!(
        "{rows}\nWrite one:  supple zoo man -o man.glb        --detail 1 for four times the triangles\n\
         Read one:   supple inspect zoo:man           zoo:man:1 for four times the triangles\n"
    ))
}

/// All animals in the order of the list, made side by side.
fn make_all() -> Result<Vec<Model>, Failure> {
    let progress = bar(supple_zoo::kinds().len(), "making all animals");
    let made: Vec<_> = thread::scope(|scope| {
        let makers: Vec<_> = supple_zoo::kinds()
            .iter()
            .map(|kind| {
                scope.spawn(|| {
                    let animal = supple_zoo::make(kind.name, 0).or_blame(Blame::Usage);
                    progress.inc(1);
                    animal
                })
            })
            .collect();
        makers.into_iter().map(|maker| maker.join().expect("making an animal does not panic")).collect()
    });
    made.into_iter().collect()
}

fn sizes(model: &Model) -> String {
    let mesh = model.mesh();
    let mut sizes =
        vec![counted(mesh.positions().len(), "vertex"), counted(mesh.triangles().len(), "triangle")];
    let more = [
        (model.skeleton().joints().len(), "joint"),
        (model.rest().coefficient_count(), "morph target"),
        (model.clips().len(), "clip"),
    ];
    sizes.extend(more.iter().filter(|(count, _)| *count > 0).map(|&(count, noun)| counted(count, noun)));
    sizes.join(", ")
}
