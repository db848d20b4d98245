//! FBX in, through the C library `ufbx`.
//!
//! In: binary or text FBX. Out: one model in metres, +Y up: nodes, meshes, skin clusters, blend shapes and baked
//! animation stacks.
//! Must hold: vertices are the file's control points in file order, mesh by mesh in the order of nodes; triangles
//! follow the file's polygons.
//!
//! Limits: a blend channel with in-between shapes uses its last shape only; normals and texture coordinates are kept
//! only where all meshes have one per control point; vertices outside all clusters follow the mesh's own node.

mod animation;

use glam::{DAffine3, DQuat, DVec3, Quat, Vec2, Vec3};
use supple::model::{Part, Primitive};
use supple::pose::{Joint, Node, Skeleton};
use supple::rest::{Field, Fields, Rest};
use supple::{Mesh, Model, ModelError, Skin, Transform};

use crate::Problem;

/// What the library may allocate: far above any real file, far below what a forged one could ask for.
const MEMORY_LIMIT: usize = 4 << 30;

/// Reads the bytes of an FBX file.
///
/// # Errors
/// They are not FBX, or have no triangles.
pub(crate) fn read(bytes: &[u8]) -> Result<Model, Problem> {
    let scene = ufbx::load_memory(bytes, options()).map_err(|error| invalid("FBX", &error))?;
    let mut whole = Whole::default();
    for node in scene.nodes.iter() {
        if let Some(mesh) = &node.mesh {
            whole.add_mesh(node, mesh);
        }
    }
    let clips = animation::clips(&scene, &whole.channels)?;
    whole.into_model(scene.nodes.iter().map(|node| read_node(node)).collect(), clips)
}

fn options() -> ufbx::LoadOpts<'static> {
    let allocator = || ufbx::AllocatorOpts { memory_limit: MEMORY_LIMIT, ..ufbx::AllocatorOpts::default() };
    ufbx::LoadOpts {
        temp_allocator: allocator(),
        result_allocator: allocator(),
        file_format: ufbx::FileFormat::Fbx,
        index_error_handling: ufbx::IndexErrorHandling::AbortLoading,
        clean_skin_weights: true,
        // Everything a node does to its mesh is then a translation, rotation and scale of some node.
        geometry_transform_handling: ufbx::GeometryTransformHandling::HelperNodes,
        inherit_mode_handling: ufbx::InheritModeHandling::HelperNodes,
        space_conversion: ufbx::SpaceConversion::ModifyGeometry,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        ..ufbx::LoadOpts::default()
    }
}

/// The model as it grows.
#[derive(Default)]
struct Whole {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<Vec3>,
    uvs: Vec<Vec2>,
    joints: Vec<Joint>,
    influences: Vec<Vec<(u32, f32)>>,
    fields: Vec<Field>,
    /// Elements of the blend channels, in the order of the fields.
    channels: Vec<u32>,
    parts: Vec<Part>,
}

impl Whole {
    fn add_mesh(&mut self, node: &ufbx::Node, mesh: &ufbx::Mesh) {
        let (first_vertex, first_triangle, first_field) =
            (self.positions.len(), self.triangles.len(), self.fields.len());
        self.add_triangles(mesh);
        if self.triangles.len() == first_triangle {
            return;
        }
        self.positions.extend(mesh.vertices.iter().map(|v| vec3(v).as_vec3()));
        let corner = |v: usize| mesh.vertex_first_index.get(v).map(|&corner| corner as usize);
        if mesh.vertex_normal.exists && mesh.vertex_normal.unique_per_vertex {
            let normal = |corner: usize| vec3(&mesh.vertex_normal[corner]).as_vec3();
            let used = |v| corner(v).filter(|&c| c < mesh.num_indices);
            self.normals.extend((0..mesh.num_vertices).map(|v| used(v).map_or(Vec3::ZERO, normal)));
        }
        if mesh.vertex_uv.exists && mesh.vertex_uv.unique_per_vertex {
            let uv = |corner: usize| {
                let uv = mesh.vertex_uv[corner];
                Vec2::new(uv.x as f32, uv.y as f32)
            };
            let used = |v| corner(v).filter(|&c| c < mesh.num_indices);
            self.uvs.extend((0..mesh.num_vertices).map(|v| used(v).map_or(Vec2::ZERO, uv)));
        }
        self.add_influences(node, mesh);
        self.add_fields(mesh, first_vertex);
        let (vertices, triangles) =
            (first_vertex..self.positions.len(), first_triangle..self.triangles.len());
        self.parts.push(Part {
            name: node.element.name.to_string(),
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

    fn add_influences(&mut self, node: &ufbx::Node, mesh: &ufbx::Mesh) {
        let own = self.joint(node, affine(&node.geometry_to_node));
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
                list.push((own, 1.0));
            }
            self.influences.push(list);
        }
    }

    fn joint(&mut self, node: &ufbx::Node, inverse_bind: DAffine3) -> u32 {
        let joint = Joint { node: node.element.typed_id as usize, inverse_bind };
        let known = self.joints.iter().position(|j| *j == joint);
        known.unwrap_or_else(|| {
            self.joints.push(joint);
            self.joints.len() - 1
        }) as u32
    }

    fn add_fields(&mut self, mesh: &ufbx::Mesh, first_vertex: usize) {
        let channels = mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter());
        for channel in channels {
            let Some(shape) = &channel.target_shape else { continue };
            let offsets = shape.offset_vertices.iter().zip(shape.position_offsets.iter());
            self.fields.push(Field {
                name: channel.element.name.to_string(),
                default: channel.weight as f32,
                displacements: offsets
                    .map(|(&v, offset)| (first_vertex as u32 + v, vec3(offset).as_vec3()))
                    .collect(),
                normal_changes: Vec::new(),
            });
            self.channels.push(channel.element.element_id);
        }
    }

    fn into_model(self, nodes: Vec<Node>, clips: Vec<supple::Clip>) -> Result<Model, Problem> {
        if self.triangles.is_empty() {
            return Err(Problem::invalid("meshes", "no node has a mesh with triangles"));
        }
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
}

fn read_node(node: &ufbx::Node) -> Node {
    let rest = Transform {
        translation: vec3(&node.local_transform.translation).as_vec3(),
        rotation: quat(&node.local_transform.rotation),
        scale: vec3(&node.local_transform.scale).as_vec3(),
    };
    let parent = node.parent.as_ref().map(|parent| parent.element.typed_id as usize);
    Node::new(node.element.name.to_string(), parent, rest)
}

fn vec3(v: &ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

fn quat(q: &ufbx::Quat) -> Quat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w).as_quat()
}

fn affine(m: &ufbx::Matrix) -> DAffine3 {
    DAffine3::from_cols_array(&[
        m.m00, m.m10, m.m20, m.m01, m.m11, m.m21, m.m02, m.m12, m.m22, m.m03, m.m13, m.m23,
    ])
}

fn invalid(place: &str, error: &ufbx::Error) -> Problem {
    let info = error.info();
    let message = if info.is_empty() {
        error.description.to_string()
    } else {
        format!("{}: {info}", error.description)
    };
    Problem::invalid(place, message)
}
