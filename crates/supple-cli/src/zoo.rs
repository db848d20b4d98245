//! `supple zoo`: the list of animals, or one of them as a file.

use supple::Model;
use supple::Skinning;
use supple::rest::Rest;

use crate::arguments::ZooArguments;
use crate::deform::{OutputKind, rest_pose_bytes};
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::output::Files;
use crate::print::print;
use crate::progress::while_waiting;
use crate::source::from_zoo;
use crate::table::{Side, Table, counted, grouped};

/// Lists the animals, or writes one.
pub fn run(arguments: &ZooArguments) -> Result<(), Failure> {
    let Some(name) = &arguments.name else { return list() };
    if !supple_zoo::kinds().iter().any(|kind| kind.name == name) {
        return from_zoo(name, arguments.detail).map(drop);
    }
    let Some(output) = &arguments.output else {
        return Err(bad_usage(format!(
            "--output is missing; write it with: supple zoo {name} -o {name}.glb"
        )));
    };
    let kind = OutputKind::of(output, arguments.format, &[OutputKind::Glb, OutputKind::Obj])?;
    let output = Files::reading::<String>([]).output("-o", output, kind.contents())?;
    let make = || from_zoo(name, arguments.detail);
    let model = while_waiting(format!("making a {name}"), make)?.model;
    while_waiting(format!("writing {output}"), || {
        output.write(match kind {
            OutputKind::Glb => supple_io::glb_bytes(&model).or_blame(Blame::Output)?,
            _ => rest_pose_bytes(&model, Skinning::Linear)?,
        })
    })?;
    print(&format!("{output}: {name}, {}\n", contents(&model, kind)))
}

fn list() -> Result<(), Failure> {
    use Side::{Left, Right};
    let columns = [
        ("name", Left),
        ("vertices", Right),
        ("triangles", Right),
        ("joints", Right),
        ("shapes", Right),
        ("", Left),
    ];
    let mut table = Table::new(&columns);
    for kind in supple_zoo::kinds() {
        let counts = [kind.vertices, kind.triangles, kind.joints, kind.shapes];
        let cells = [kind.name.to_owned()].into_iter().chain(counts.map(grouped));
        table.row(cells.chain([kind.about.to_owned()]));
    }
    let rows = table.text(usize::MAX - 1);
    print(&format!(
        "{rows}\nWrite one:  supple zoo man -o man.glb        --detail 1 for four times the triangles\n\
         Read one:   supple inspect zoo:man           zoo:man:1 for four times the triangles\n"
    ))
}

/// What the written file holds.
fn contents(model: &Model, kind: OutputKind) -> String {
    let mesh = model.mesh();
    let mut contents =
        vec![counted(mesh.positions().len(), "vertex"), counted(mesh.triangles().len(), "triangle")];
    if kind != OutputKind::Glb {
        return contents.join(", ") + ", rest pose";
    }
    let targets = match (model.rest(), model.rest().coefficient_count()) {
        (Rest::Morph(_), shapes) => {
            let targets = counted(shapes.saturating_sub(1), "morph target");
            vec![format!("{targets} ({} as displacements from the first)", counted(shapes, "shape"))]
        }
        (_, 0) => Vec::new(),
        (_, count) => vec![counted(count, "morph target")],
    };
    let some = |count: usize, noun| (count > 0).then(|| counted(count, noun));
    contents.extend(some(model.skeleton().joints().len(), "joint"));
    contents.extend(targets);
    contents.extend(some(model.clips().len(), "clip"));
    contents.join(", ")
}
