//! Stage 1 of a deformation: the rest shape changes before it is skinned.
//!
//! In: blend coefficients. Out: the rest position (and normal) of a vertex.
//! Must hold: each stage has one function that computes a vertex, and everything uses it.
//!
//! | stage | position of vertex k | papers |
//! | --- | --- | --- |
//! | [`Rest::Plain`] | `v_k` | skinned meshes |
//! | [`Rest::Fields`] | `v_k + sum_j U_kj q_j` | James & Pai 2004; morph targets; thesis 7.3 |
//! | [`Rest::Morph`] | `sum_i w_i v_ki`, convex `w` | Larsson & Akenine-Moller 2003 |

mod volume;
mod fields;
mod morph;

use std::borrow::Cow;

use glam::{Vec3, Vec4};

pub use fields::{Field, Fields, FieldsError};
pub use morph::{ConvexMorph, MorphError, Reference};

use crate::mesh::Mesh;
use crate::pose::PoseError;
use crate::simd::Eight;

pub(crate) use fields::FieldsAt;
pub(crate) use morph::MorphAt;
pub(crate) use volume::{RestBox, RestChange, Shift, rest_rows, rest_sphere};

/// How the rest shape changes. Decided once per model.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Rest {
    /// It does not.
    #[default]
    Plain,
    /// Displacement fields, added with any coefficients: morph targets, vibration modes, principal components.
    Fields(Fields),
    /// A convex blend of reference shapes.
    Morph(ConvexMorph),
}

impl Rest {
    /// How many coefficients a pose has.
    pub fn coefficient_count(&self) -> usize {
        match self {
            Self::Plain => 0,
            Self::Fields(fields) => fields.count(),
            Self::Morph(morph) => morph.count(),
        }
    }

    /// Names of the fields or reference shapes.
    pub fn names(&self) -> &[String] {
        match self {
            Self::Plain => &[],
            Self::Fields(fields) => fields.names(),
            Self::Morph(morph) => morph.names(),
        }
    }

    /// Coefficients of the rest pose.
    pub fn default_coefficients(&self) -> Vec<f32> {
        match self {
            Self::Plain => Vec::new(),
            Self::Fields(fields) => fields.defaults().to_vec(),
            Self::Morph(morph) => morph.default_weights(),
        }
    }

    /// Checks coefficients; convex weights are divided by their sum.
    ///
    /// # Errors
    /// A wrong count, a number that is not finite, a negative convex weight.
    pub fn checked_coefficients<'a>(&self, given: &'a [f32]) -> Result<Cow<'a, [f32]>, PoseError> {
        let expected = self.coefficient_count();
        if given.len() != expected {
            return Err(PoseError::CoefficientCount { expected, found: given.len() });
        }
        if let Some(index) = given.iter().position(|q| !q.is_finite()) {
            return Err(PoseError::NotFinite { object: "coefficient", index });
        }
        match self {
            Self::Morph(_) => morph::normalized_weights(given).map(Cow::Owned),
            _ => Ok(Cow::Borrowed(given)),
        }
    }
}

/// Eight vertices that are posed at once. Most stages do not ask which they are, so that they are looked up on demand.
#[derive(Clone, Copy)]
pub(crate) struct EightVertices<'a> {
    /// Where they stand in a list of vertices.
    pub places: &'a [u32; 8],
    pub vertices: &'a [u32],
}

impl EightVertices<'_> {
    /// The vertex in a lane.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> usize {
        self.vertices[self.places[lane] as usize] as usize
    }
}

/// A rest stage with its coefficients.
///
/// Law: `position` is a pure function of the vertex; exports and brute force call it. `positions`, which queries call, has the same bits.
pub(crate) trait RestStage: Copy + Send + Sync {
    /// The vertex before skinning.
    fn position(&self, vertex: usize) -> Vec3;
    /// Eight of them, axis by axis; `mesh` are their positions in the mesh.
    #[inline(always)]
    fn positions<E: Eight>(&self, vertices: EightVertices, _mesh: &[[f32; 8]; 3]) -> [E; 3] {
        let mut points = [Vec4::ZERO; 8];
        for lane in 0..8 {
            points[lane] = self.position(vertices.get(lane)).extend(0.0);
        }
        E::coordinates(&points)
    }
    /// Its normal before skinning, not necessarily of unit length. Only called where the mesh has normals.
    fn normal(&self, vertex: usize) -> Vec3;
}

/// The mesh as it is.
#[derive(Clone, Copy)]
pub(crate) struct PlainRest<'a>(pub &'a Mesh);

impl RestStage for PlainRest<'_> {
    #[inline(always)]
    fn position(&self, vertex: usize) -> Vec3 {
        self.0.positions()[vertex]
    }

    #[inline(always)]
    fn positions<E: Eight>(&self, _: EightVertices, mesh: &[[f32; 8]; 3]) -> [E; 3] {
        [E::load(&mesh[0]), E::load(&mesh[1]), E::load(&mesh[2])]
    }

    #[inline(always)]
    fn normal(&self, vertex: usize) -> Vec3 {
        self.0.normals().map_or(Vec3::ZERO, |normals| normals[vertex])
    }
}
