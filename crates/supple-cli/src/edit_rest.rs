//! `supple edit-rest`: another rest mesh below the same joints, weights, corrections and clips.
//!
//! In: a model whose rest pose is its mesh, and a mesh that differs from it in positions only. Out: a GLB. Whatever moved the old
//! vertices moves the new ones, so that a pleat made once is in every frame.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 7.4 and figure 7.9.

use anyhow::{Context, anyhow};
use glam::Vec3;
use supple::Skinning;
use supple::mesh::{Mesh, vertex_normals};
use supple::model::{Model, ModelError};
use supple::rest::Rest;

use crate::arguments::{EditRestArguments, Input};
use crate::deform::{OutputKind, posed_mesh};
use crate::failure::{Blame, Failure, OrBlame};
use crate::output::Files;
use crate::print::print;
use crate::progress::while_waiting;
use crate::source;
use crate::table::{counted, grouped};
use crate::topology::difference;

/// How far a vertex at rest may be from the mesh, as a part of the mesh's size: some roundings of f32.
const ALLOWED: f32 = 1e-5;

/// Reads both, puts them together and writes.
pub fn run(arguments: &EditRestArguments) -> Result<(), Failure> {
    let kind = OutputKind::of(&arguments.output, None, &[OutputKind::Glb])?;
    let mut files = Files::reading([&arguments.model, &arguments.rest]);
    let output = files.output("-o", &arguments.output, kind.contents())?;
    let model = source::read(&Input::whole(&arguments.model))?.model;
    rests_on_its_mesh(&model).context(arguments.model.clone()).or_blame(Blame::Input)?;
    let source = source::read(&Input::whole(&arguments.rest))?.model;
    let posed = source.posed(&source.rest_pose(), Skinning::Linear).or_blame(Blame::Input)?;
    let new = posed_mesh(&posed).or_blame(Blame::Input)?;
    if let Some(problem) = difference(&new, &arguments.model, model.mesh()) {
        return Err(anyhow!("{}: {problem}", arguments.rest)).or_blame(Blame::Input);
    }
    let edited = with_mesh(&model, &new).with_context(|| arguments.rest.clone()).or_blame(Blame::Input)?;
    let bytes = || supple_io::glb_bytes(&edited).with_context(|| output.to_string()).or_blame(Blame::Output);
    while_waiting(format!("writing {output}"), || output.write(bytes()?))?;
    print(&summary(arguments, &model, &edited, new.normals().is_some()))
}

/// Another rest mesh is only understood where the old one is the rest pose.
pub fn rests_on_its_mesh(model: &Model) -> Result<(), anyhow::Error> {
    if matches!(model.rest(), Rest::Morph(_)) {
        return Err(anyhow!("the model blends whole shapes and has no rest mesh of its own"));
    }
    let mesh = model.mesh().positions();
    let size = mesh.iter().fold(0.0f32, |size, p| size.max(p.abs().max_element()));
    let posed = model.posed(&model.rest_pose(), Skinning::Linear)?.positions();
    let pairs = mesh.iter().zip(&posed);
    match pairs.enumerate().find(|(_, (a, b))| a.distance(**b) > ALLOWED * size) {
        None => Ok(()),
        Some((vertex, (at, posed))) => Err(anyhow!(
            "the rest pose is not the mesh, so that another one has no meaning: vertex {vertex} is at {at:.4} in the mesh and at {posed:.4} at rest"
        )),
    }
}

/// The model with other positions and normals, everything else as it is.
fn with_mesh(model: &Model, new: &Mesh) -> Result<Model, ModelError> {
    let old = model.mesh();
    let mut mesh = Mesh::new(new.positions().to_vec(), old.triangles().to_vec())?;
    if let Some(normals) = new.normals() {
        mesh = mesh.with_normals(normals.to_vec())?;
    } else if old.normals().is_some() {
        mesh = mesh.with_normals(vertex_normals(new.positions(), old.triangles()))?;
    }
    if let Some(uvs) = old.uvs() {
        mesh = mesh.with_uvs(uvs.to_vec())?;
    }
    model.clone().with_mesh(mesh)
}

fn summary(arguments: &EditRestArguments, old: &Model, edited: &Model, has_normals: bool) -> String {
    let distances = old
        .mesh()
        .positions()
        .iter()
        .zip(edited.mesh().positions())
        .map(|(a, b): (&Vec3, &Vec3)| a.distance(*b));
    let (moved, largest) = distances
        .fold((0usize, 0.0f32), |(moved, largest), d| (moved + usize::from(d > 0.0), largest.max(d)));
    let normals = match edited.mesh().normals() {
        None => "no normals",
        Some(_) if has_normals => "normals of the new mesh",
        Some(_) => "normals computed anew",
    };
    format!(
        "{}: {} of {} moved, by {largest:.3e} at most; {normals}; {} and {} as they were\n",
        arguments.output.display(),
        grouped(moved),
        counted(old.mesh().positions().len(), "vertex"),
        counted(old.skin().joint_count(), "joint"),
        counted(old.clips().len(), "clip")
    )
}
