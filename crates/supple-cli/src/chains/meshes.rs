//! Spheres as meshes that move: a node per sphere, moved and scaled by the keys of every frame.
//!
//! Must hold: in every frame that was played, the mesh of a sphere is where the sphere was.

use anyhow::Error;
use glam::{DAffine3, Vec3};
use supple::Mesh;
use supple::Skin;
use supple::Sphere;
use supple::model::{Model, Part, Primitive};
use supple::pose::{Channel, Clip, Interpolation, Joint, Node, Skeleton, Target, Transform};
use supple_chains::{PosedSpheres, SphereChains};

use super::play::{PlayedClip, PlayedClips};
use crate::failure::{Blame, Failure, OrBlame};

/// 162 vertices, 320 triangles: round enough at any size a sphere has on a screen.
const LEVEL: u32 = 2;

/// The bytes of a GLB file.
pub fn glb(chains: &SphereChains, played: &PlayedClips) -> Result<Vec<u8>, Failure> {
    let model = model(chains, played).or_blame(Blame::Output)?;
    supple_io::glb_bytes(&model).or_blame(Blame::Output)
}

fn model(chains: &SphereChains, played: &PlayedClips) -> Result<Model, Error> {
    let (unit, triangles) = supple_zoo::icosphere(LEVEL);
    let (count, vertices) = (chains.spheres().len(), unit.len());
    let repeated = |points: &[Vec3]| -> Vec<Vec3> { (0..count).flat_map(|_| points).copied().collect() };
    let shifted = |sphere: usize| {
        let first = (sphere * vertices) as u32;
        triangles.iter().map(move |triangle| triangle.map(|vertex| vertex + first))
    };
    let mesh =
        Mesh::new(repeated(&unit), (0..count).flat_map(shifted).collect())?.with_normals(repeated(&unit))?;
    let mut nodes = Vec::new();
    let mut parts = Vec::new();
    for (number, (sphere, at_rest)) in chains.spheres().iter().zip(played.rest.iter()).enumerate() {
        let region = &chains.regions()[sphere.region as usize].name;
        let name = format!("{region} {number}");
        let (own, corners) = (
            number * vertices..(number + 1) * vertices,
            number * triangles.len()..(number + 1) * triangles.len(),
        );
        let primitive =
            Primitive { material: region.clone(), vertices: own.clone(), triangles: corners.clone() };
        nodes.push(Node::new(&name, None, placed(&at_rest)));
        parts.push(Part {
            name,
            node: number,
            vertices: own,
            triangles: corners,
            coefficients: 0..0,
            primitives: vec![primitive],
        });
    }
    let joints = (0..count).map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).collect();
    let followed: Vec<[(u32, f32); 1]> =
        (0..count * vertices).map(|vertex| [((vertex / vertices) as u32, 1.0)]).collect();
    let skin = Skin::new(count, followed.iter().map(|joints| &joints[..]))?;
    let clips = played.clips.iter().filter_map(clip).collect::<Result<Vec<_>, Error>>()?;
    Ok(Model::new(mesh, skin, Skeleton::new(nodes, joints)?)?.with_parts(parts)?.with_clips(clips)?)
}

/// Takes the unit sphere to where another is.
fn placed(sphere: &Sphere) -> Transform {
    Transform { scale: Vec3::splat(sphere.radius), ..Transform::from_translation(sphere.center) }
}

fn clip(played_clip: &PlayedClip) -> Option<Result<Clip, Error>> {
    let (_, clip) = played_clip.clip?;
    let times: Vec<f32> = played_clip.times.iter().map(|&time| time as f32).collect();
    let keys = |target: Target, value: &dyn Fn(&PosedSpheres) -> Vec3| Channel {
        target,
        interpolation: Interpolation::Linear,
        times: times.clone(),
        values: played_clip.frames.iter().flat_map(|frame| value(&frame.spheres).to_array()).collect(),
    };
    let count = played_clip.frames.first().map_or(0, |frame| frame.spheres.len());
    let channels = (0..count).flat_map(|sphere| {
        [
            keys(Target::Translation(sphere), &|spheres| spheres.get(sphere as u32).center),
            keys(Target::Scale(sphere), &|spheres| Vec3::splat(spheres.get(sphere as u32).radius)),
        ]
    });
    Some(Clip::new(clip.name(), channels.collect()).map_err(Error::from))
}
