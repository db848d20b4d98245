//! A model in one pose: vertices deformed one by one or all at once.
//!
//! Must hold: the loop over all vertices calls the same function as the single vertex, so both agree bit by bit.

use std::borrow::Cow;
use std::sync::Arc;

use glam::{Affine3A, Vec3, Vec4};

use super::Model;
use super::held::Held;
use super::stages::{Job, with_stages};
use crate::pose::PoseError;
use crate::rest::RestStage;
use crate::simd::{self, Eight, TwoFours};
use crate::skin::{Palette, SkinStage, Skinning};

/// A model with coefficients and joint matrices.
#[derive(Clone, Debug)]
pub struct PosedModel<'m> {
    model: Held<'m>,
    coefficients: Vec<f32>,
    palette: Palette,
}

impl<'m> PosedModel<'m> {
    /// Poses a model by joint matrices that somebody else computed, e.g. an engine: `world(joint) * inverse_bind`.
    ///
    /// # Errors
    /// Wrong counts, numbers that are not finite, weights that are not convex.
    pub fn new(
        model: &'m Model,
        skinning: Skinning,
        matrices: &[Affine3A],
        coefficients: &[f32],
    ) -> Result<Self, PoseError> {
        Self::of(Held::Borrowed(model), skinning, matrices, coefficients)
    }

    fn of(
        model: Held<'m>,
        skinning: Skinning,
        matrices: &[Affine3A],
        coefficients: &[f32],
    ) -> Result<Self, PoseError> {
        let mut palette = Palette::new(model.skin(), skinning, matrices)?;
        palette.prepare_all_sets(model.skin());
        let coefficients = model.rest().checked_coefficients(coefficients).map(Cow::into_owned)?;
        Ok(Self { model, coefficients, palette })
    }

    /// The posed joints.
    pub(crate) fn into_palette(self) -> Palette {
        self.palette
    }

    /// Positions of all vertices before skinning: what the coefficients make of the rest shape.
    ///
    /// ```
    /// # use supple::Skinning;
    /// let blob = supple_zoo::make("blob", 0)?; // three reference shapes
    /// let mut pose = blob.rest_pose();
    /// pose.coefficients = vec![0.0, 0.5, 0.5];
    /// let between = blob.posed(&pose, Skinning::Linear)?.rest_positions();
    /// assert_ne!(between, blob.mesh().positions());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rest_positions(&self) -> Vec<Vec3> {
        self.with_stages(RestPositions { count: self.model.mesh().positions().len() })
    }

    /// The model that is posed.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The posed position of one vertex.
    ///
    /// # Panics
    /// The vertex is out of range.
    pub fn position(&self, vertex: u32) -> Vec3 {
        self.with_stages(One::<POSITION> { vertex: vertex as usize })
    }

    /// The posed normal of one vertex; zero where the mesh has no normals.
    ///
    /// # Panics
    /// The vertex is out of range.
    pub fn normal(&self, vertex: u32) -> Vec3 {
        self.with_stages(One::<NORMAL> { vertex: vertex as usize })
    }

    /// Posed positions of all vertices.
    pub fn positions(&self) -> Vec<Vec3> {
        let mut out = vec![Vec3::ZERO; self.model.mesh().positions().len()];
        self.positions_into(&mut out);
        out
    }

    /// Posed positions of all vertices, written into a slice of that length.
    ///
    /// # Panics
    /// The slice has another length.
    pub fn positions_into(&self, out: &mut [Vec3]) {
        assert_eq!(out.len(), self.model.mesh().positions().len(), "one position per vertex");
        self.with_stages(All::<POSITION> { out });
    }

    /// Posed normals of all vertices, if the mesh has normals.
    pub fn normals(&self) -> Option<Vec<Vec3>> {
        let mut out = vec![Vec3::ZERO; self.model.mesh().normals()?.len()];
        self.with_stages(All::<NORMAL> { out: &mut out });
        Some(out)
    }

    fn with_stages<J: Job>(&self, job: J) -> J::Output {
        with_stages(&self.model, &self.palette, &self.coefficients, job)
    }
}

impl PosedModel<'static> {
    /// Like [`new`](PosedModel::new), of a model that is shared: the posed model borrows nothing, so it can be kept in a
    /// struct or sent to another thread.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{Isometry, PosedModel, Skinning};
    /// struct Attached {
    ///     skin: PosedModel<'static>,
    ///     vertex: u32,
    /// }
    /// let man = Arc::new(supple_zoo::make("man", 0)?);
    /// let matrices = man.skeleton().joint_matrices(&man.rest_pose(), Isometry::IDENTITY)?;
    /// let hat = Attached { skin: PosedModel::shared(&man, Skinning::Linear, &matrices, &[])?, vertex: 0 };
    /// assert!(hat.skin.position(hat.vertex).is_finite());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Wrong counts, numbers that are not finite, weights that are not convex.
    pub fn shared(
        model: &Arc<Model>,
        skinning: Skinning,
        matrices: &[Affine3A],
        coefficients: &[f32],
    ) -> Result<Self, PoseError> {
        Self::of(Held::Shared(Arc::clone(model)), skinning, matrices, coefficients)
    }
}

/// What is computed: the constant keeps both out of one loop.
pub(crate) const POSITION: bool = false;
const NORMAL: bool = true;

struct RestPositions {
    count: usize,
}

impl Job for RestPositions {
    type Output = Vec<Vec3>;

    fn run(self, rest: impl RestStage, _: impl SkinStage) -> Vec<Vec3> {
        (0..self.count).map(|vertex| rest.position(vertex)).collect()
    }
}

struct One<const WHAT: bool> {
    vertex: usize,
}

impl<const WHAT: bool> Job for One<WHAT> {
    type Output = Vec3;

    fn run(self, rest: impl RestStage, skin: impl SkinStage) -> Vec3 {
        deform::<TwoFours, WHAT>(rest, skin, self.vertex).truncate()
    }
}

struct All<'o, const WHAT: bool> {
    out: &'o mut [Vec3],
}

impl<const WHAT: bool> Job for All<'_, WHAT> {
    type Output = ();

    fn run(self, rest: impl RestStage, skin: impl SkinStage) {
        let range = |first, out| simd::run(Range::<WHAT, _, _> { rest, skin, first, out });
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            // Large enough that handing out work costs less than a percent.
            const CHUNK: usize = 4096;
            self.out.par_chunks_mut(CHUNK).enumerate().for_each(|(i, out)| range(i * CHUNK, out));
        }
        #[cfg(not(feature = "rayon"))]
        range(0, self.out);
    }
}

struct Range<'o, const WHAT: bool, R, S> {
    rest: R,
    skin: S,
    first: usize,
    out: &'o mut [Vec3],
}

impl<const WHAT: bool, R: RestStage, S: SkinStage> simd::Kernel for Range<'_, WHAT, R, S> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        for (i, out) in self.out.iter_mut().enumerate() {
            *out = deform::<E, WHAT>(self.rest, self.skin, self.first + i).truncate();
        }
    }
}

/// The one function in which the two stages meet; the fourth number has no meaning.
#[inline(always)]
pub(crate) fn deform<E: Eight, const WHAT: bool>(
    rest: impl RestStage,
    skin: impl SkinStage,
    vertex: usize,
) -> Vec4 {
    match WHAT {
        NORMAL => skin.normal::<E>(vertex, rest.normal(vertex)),
        POSITION => skin.position::<E>(vertex, rest.position(vertex)),
    }
}
