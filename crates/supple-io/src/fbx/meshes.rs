//! Meshes of an FBX scene, with skin clusters and blend shapes, put together to one model.
//!
//! In: nodes with meshes, one after the other. Out: the parts of a [`Model`].
//! Must hold: vertices are the file's control points in file order, mesh by mesh in the order of nodes; triangles follow
//! the file's polygons, turned round where a node mirrors a mesh without a skin. A mesh under several nodes is there several times, paid from the file's budget.

use std::collections::HashMap;

use glam::{DAffine3, Vec2, Vec3};
use supple::model::{Part, Primitive};
use supple::pose::{Joint, Node, Skeleton};
use supple::rest::{Field, Fields, Rest};
use supple::{Clip, Mesh, Model, ModelError, Skin};

use super::blend_channel::{BlendChannel, shares};
use super::{affine, name_of, vec3};
use crate::Problem;
use crate::gltf_reader::Budget;

/// The model as it grows.
#[derive(Default)]
pub(super) struct Meshes {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<Vec3>,
    uvs: Vec<Vec2>,
    joints: Vec<Joint>,
    /// Joints by node and inverse bind matrix.
    known_joints: HashMap<(u32, [u64; 12]), u32>,
    influences: Vec<Vec<(u32, f32)>>,
    fields: Vec<Field>,
    channels: Vec<BlendChannel>,
    parts: Vec<Part>,
}

impl Meshes {
    /// All meshes of a scene.
    pub fn of(scene: &ufbx::Scene, budget: &Budget) -> Result<Self, Problem> {
        let mut meshes = Self::default();
        for node in scene.nodes.iter() {
            if let Some(mesh) = &node.mesh {
                let place = || format!("node {} ({})", node.element.typed_id, name_of(node));
                budget.spend(place, size(mesh), 1)?;
                meshes.add(node, mesh);
            }
        }
        Ok(meshes)
    }

    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The blend channels, in the order of the coefficients.
    pub fn channels(&self) -> &[BlendChannel] {
        &self.channels
    }

    /// The model, with the nodes of the scene and its clips.
    pub fn into_model(self, nodes: Vec<Node>, clips: Vec<Clip>) -> Result<Model, Problem> {
        let vertices = self.positions.len();
        let mut mesh = Mesh::new(self.positions, self.triangles).map_err(ModelError::from)?;
        if self.normals.len() == vertices {
            mesh = mesh.with_normals(self.normals).map_err(ModelError::from)?;
        }
        if self.uvs.len() == vertices {
            mesh = mesh.with_uvs(self.uvs).map_err(ModelError::from)?;
        }
        let skin = Skin::new(self.joints.len(), self.influences.iter().map(Vec::as_slice));
        let skeleton = Skeleton::new(nodes, self.joints).map_err(ModelError::from)?;
        let mut model = Model::new(mesh, skin.map_err(ModelError::from)?, skeleton)?;
        if !self.fields.is_empty() {
            let fields = Fields::new(vertices, &self.fields).map_err(ModelError::from)?;
            model = model.with_rest(Rest::Fields(fields))?;
        }
        Ok(model.with_clips(clips)?.with_parts(self.parts)?)
    }

    fn add(&mut self, node: &ufbx::Node, mesh: &ufbx::Mesh) {
        let (first_vertex, first_triangle, first_field) =
            (self.positions.len(), self.triangles.len(), self.fields.len());
        self.add_triangles(mesh);
        if self.triangles.len() == first_triangle {
            return;
        }
        self.positions.extend(mesh.vertices.iter().map(|v| vec3(v).as_vec3()));
        // One of the polygon corners at each vertex, none where no polygon uses it.
        let corner =
            |v: usize| mesh.vertex_first_index.get(v).map(|&c| c as usize).filter(|&c| c < mesh.num_indices);
        if mesh.vertex_normal.exists && mesh.vertex_normal.unique_per_vertex {
            let normal = |corner: usize| vec3(&mesh.vertex_normal[corner]).as_vec3();
            self.normals.extend((0..mesh.num_vertices).map(|v| corner(v).map_or(Vec3::ZERO, normal)));
        }
        if mesh.vertex_uv.exists && mesh.vertex_uv.unique_per_vertex {
            let uv = |corner: usize| {
                let uv = mesh.vertex_uv[corner];
                Vec2::new(uv.x as f32, uv.y as f32)
            };
            self.uvs.extend((0..mesh.num_vertices).map(|v| corner(v).map_or(Vec2::ZERO, uv)));
        }
        self.add_influences(node, mesh);
        if mesh.skin_deformers.is_empty() && affine(&node.node_to_world).matrix3.determinant() < 0.0 {
            self.triangles[first_triangle..].iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        self.add_fields(mesh, first_vertex);
        let (vertices, triangles) =
            (first_vertex..self.positions.len(), first_triangle..self.triangles.len());
        self.parts.push(Part {
            name: owner(node).element.name.to_string(),
            node: node.element.typed_id as usize,
            vertices: vertices.clone(),
            triangles: triangles.clone(),
            coefficients: first_field..self.fields.len(),
            primitives: vec![Primitive { material: String::new(), vertices, triangles }],
        });
    }

    fn add_triangles(&mut self, mesh: &ufbx::Mesh) {
        let first = self.positions.len() as u32;
        let mut corners = vec![0; mesh.max_face_triangles * 3];
        for &face in mesh.faces.iter().filter(|face| face.num_indices >= 3) {
            let count = ufbx::triangulate_face(&mut corners, mesh, face) as usize;
            let (triangles, _) = corners[..count * 3].as_chunks::<3>();
            let vertex = |corner: u32| first + mesh.vertex_indices[corner as usize];
            self.triangles.extend(triangles.iter().map(|triangle| triangle.map(vertex)));
        }
    }

    /// Vertices outside all clusters follow the mesh's own node.
    fn add_influences(&mut self, node: &ufbx::Node, mesh: &ufbx::Mesh) {
        let skin = mesh.skin_deformers.first();
        let clusters: Vec<Option<u32>> = skin.map_or_else(Vec::new, |skin| {
            let joint = |cluster: &ufbx::SkinCluster| {
                let bone = cluster.bone_node.as_ref()?;
                Some(self.joint(bone, affine(&cluster.geometry_to_bone)))
            };
            skin.clusters.iter().map(|c| c.as_ref()).map(joint).collect()
        });
        for vertex in 0..mesh.num_vertices {
            let weights = skin.and_then(|skin| {
                let range = skin.vertices.get(vertex)?;
                let begin = range.weight_begin as usize;
                skin.weights.get(begin..begin + range.num_weights as usize)
            });
            let pair = |weight: &ufbx::SkinWeight| {
                let joint = clusters.get(weight.cluster_index as usize).copied().flatten()?;
                (weight.weight > 0.0).then_some((joint, weight.weight as f32))
            };
            let mut list: Vec<(u32, f32)> = weights.unwrap_or_default().iter().filter_map(pair).collect();
            if list.is_empty() {
                list.push((self.joint(node, affine(&node.geometry_to_node)), 1.0));
            }
            self.influences.push(list);
        }
    }

    fn joint(&mut self, node: &ufbx::Node, inverse_bind: DAffine3) -> u32 {
        let key = (node.element.typed_id, inverse_bind.to_cols_array().map(f64::to_bits));
        *self.known_joints.entry(key).or_insert_with(|| {
            self.joints.push(Joint { node: node.element.typed_id as usize, inverse_bind });
            self.joints.len() as u32 - 1
        })
    }

    /// A field for every shape; a channel with in-between shapes has several.
    fn add_fields(&mut self, mesh: &ufbx::Mesh, first_vertex: usize) {
        let channels = mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter());
        for channel in channels {
            let targets: Vec<f64> = channel.keyframes.iter().map(|key| key.target_weight).collect();
            let defaults = shares(&targets, channel.weight);
            let first_field = self.fields.len();
            for (key, default) in channel.keyframes.iter().zip(defaults) {
                let shape = &key.shape;
                let offsets = shape.offset_vertices.iter().zip(shape.position_offsets.iter());
                let in_mesh = offsets.filter(|&(&v, _)| (v as usize) < mesh.num_vertices);
                let name = match targets.len() {
                    1 => channel.element.name.to_string(),
                    _ => format!("{} {:.0}%", channel.element.name, 100.0 * key.target_weight),
                };
                self.fields.push(Field {
                    name,
                    default: default as f32,
                    displacements: in_mesh
                        .map(|(&v, offset)| (first_vertex as u32 + v, vec3(offset).as_vec3()))
                        .collect(),
                    normal_changes: Vec::new(),
                });
            }
            let coefficients = first_field..self.fields.len();
            self.channels.push(BlendChannel { element: channel.element.element_id, coefficients, targets });
        }
    }
}

/// How many numbers of a mesh are copied.
fn size(mesh: &ufbx::Mesh) -> usize {
    let channels = mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter());
    let shapes = channels.flat_map(|channel| channel.keyframes.iter());
    let offsets: usize = shapes.map(|key| 16 + 4 * key.shape.offset_vertices.len()).sum();
    let weights =
        mesh.skin_deformers.first().map_or(0, |skin| 2 * skin.weights.len() + 16 * skin.clusters.len());
    // Positions, normals, texture coordinates and a weight of each vertex; what a part costs.
    16 + 10 * mesh.num_vertices + 3 * mesh.num_triangles + weights + offsets
}

/// The node of the file that a mesh hangs on: a helper node stands for its parent.
fn owner(node: &ufbx::Node) -> &ufbx::Node {
    match &node.parent {
        Some(parent) if node.is_geometry_transform_helper || node.is_scale_helper => owner(parent),
        _ => node,
    }
}
