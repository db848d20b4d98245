//! A recipe: everything that makes a character, and its cooking into a [`Model`].

use glam::{DVec3, Vec3};
use supple::mesh::vertex_normals;
use supple::{Mesh, Model, ModelError, Skin};

use super::rig::{Rig, mirrored_name};
use crate::clips;
use crate::sculpt::{Focus, Primitive, Sizing, nearest_joints, sculpt, smooth_influences};

/// Bones, lumps and numbers of one character.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub name: &'static str,
    pub rig: Rig,
    pub lumps: Vec<Primitive>,
    pub focuses: Vec<Focus>,
    /// Cell size of the first mesh; half the thinnest gap.
    pub cell: f64,
    /// About the edge length of the body that the number of vertices will allow.
    pub edge: f64,
    /// Exact number of vertices.
    pub vertices: usize,
    /// How far weights flow, in steps along edges; `None` gives every vertex one joint.
    pub softness: Option<usize>,
}

impl Recipe {
    /// Adds a lump to a joint. A joint that ends in `_l` also gets the mirror image on the right.
    pub fn lump(&mut self, joint: &str, lump: Primitive) {
        if let Some(other) = mirrored_name(joint) {
            let joint = self.rig.index(&other);
            // Mirrored lumps are groups of their own.
            let group = if lump.group == 0 { 0 } else { lump.group + 1000 };
            self.lumps.push(lump.clone().mirrored().group(group).joint(joint));
        }
        self.lumps.push(lump.joint(self.rig.index(joint)));
    }

    /// Adds a lump and its mirror image to a joint in the middle.
    pub fn pair(&mut self, joint: &str, lump: Primitive) {
        let joint = self.rig.index(joint);
        self.lumps.push(lump.clone().mirrored().joint(joint));
        self.lumps.push(lump.joint(joint));
    }

    /// Wants finer triangles in a sphere and its mirror image.
    pub fn focus(&mut self, center: DVec3, radius: f64, size: f64) {
        self.focus_here(center, radius, size);
        if center.x != 0.0 {
            self.focus_here(center * DVec3::new(-1.0, 1.0, 1.0), radius, size);
        }
    }

    /// Wants finer triangles in a sphere.
    pub fn focus_here(&mut self, center: DVec3, radius: f64, size: f64) {
        self.focuses.push(Focus { center, radius, size });
    }

    /// Adds a thin lump and keeps triangles small enough along it that it does not melt away.
    pub fn thin(&mut self, joint: &str, lump: Primitive) {
        let lumps = if joint.ends_with("_l") {
            vec![lump.clone(), lump.clone().mirrored()]
        } else {
            vec![lump.clone()]
        };
        for side in lumps {
            let ((from, start), (to, end)) = (side.thickness(0.0), side.thickness(1.0));
            let steps = (from.distance(to) / (1.5 * (start + end))).ceil();
            for step in 0..=steps as u32 {
                let (center, radius) = side.thickness(f64::from(step) / steps.max(1.0));
                self.focus_here(center, 1.2 * radius, radius / self.edge);
            }
        }
        self.lump(joint, lump);
    }

    /// Sculpts, skins and animates.
    ///
    /// # Panics
    /// The recipe is wrong; recipes are constants and all are cooked by the tests.
    pub fn cook(self) -> Model {
        let name = self.name;
        self.try_cook().unwrap_or_else(|error| unreachable!("recipe {name}: {error}"))
    }

    fn try_cook(self) -> Result<Model, ModelError> {
        let sizing = Sizing { base: 0.7 * self.edge, focuses: self.focuses };
        let (clay, positions, triangles) = sculpt(self.lumps, self.cell, sizing, self.vertices);
        let joints = nearest_joints(&clay, &positions);
        let influences = match self.softness {
            Some(steps) => smooth_influences(&joints, self.rig.len(), &triangles, steps),
            None => joints.iter().map(|&j| vec![(j as u32, 1.0)]).collect(),
        };
        let positions: Vec<Vec3> = positions.iter().map(|p| p.as_vec3()).collect();
        let normals = vertex_normals(&positions, &triangles);
        let mesh = Mesh::new(positions, triangles)?.with_normals(normals)?;
        let skin = Skin::new(self.rig.len(), influences.iter().map(Vec::as_slice))?;
        let model = Model::new(mesh, skin, self.rig.skeleton()?)?;
        let mut part = model.parts()[0].clone();
        part.name = self.name.to_owned();
        part.primitives[0].material = "skin".to_owned();
        let clips = clips::for_rig(&model)?;
        model.with_parts(vec![part])?.with_clips(clips)
    }
}
