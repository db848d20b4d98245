//! Whole sequences at once: frames on all cores.

use std::sync::Arc;

use glam::Affine3A;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PySlice;
use rayon::prelude::*;
use supple::model::PosedModel;
use supple::{Body, Pair, PoseError, Shape, Skinning};

use crate::arguments::{Floats, floats, skinning};
use crate::arrays::{list, rows};
use crate::failure::{bad_value, words, work, wrong};
use crate::given;
use crate::matrices::{matrices_of, skinning_matrices};
use crate::pairs::filter;
use crate::shape::shape_of;

/// Frames between two looks at whether the user wants to stop.
const BATCH: usize = 512;

/// Pairs of many frames: those of frame `i` are `values[offsets[i]:offsets[i + 1]]`, or `ragged[i]`.
#[pyclass(frozen, name = "Ragged", module = "supple")]
pub struct Ragged {
    /// `(t + 1,)`
    #[pyo3(get)]
    offsets: Py<PyArray1<i64>>,
    /// `(n, 2)`
    #[pyo3(get)]
    values: Py<PyArray2<u32>>,
    starts: Vec<i64>,
}

#[pymethods]
impl Ragged {
    /// How many pairs each frame has: `(t,)`.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        list(py, self.starts.windows(2).map(|ends| ends[1] - ends[0]).collect())
    }

    fn __len__(&self) -> usize {
        self.starts.len() - 1
    }

    fn __getitem__<'py>(&self, py: Python<'py>, frame: isize) -> PyResult<Bound<'py, PyAny>> {
        let count = self.starts.len() as isize - 1;
        let at = if frame < 0 { frame + count } else { frame };
        if !(0..count).contains(&at) {
            return Err(PyIndexError::new_err(format!("there is no frame {frame}, there are {count}")));
        }
        let (start, end) = (self.starts[at as usize] as isize, self.starts[at as usize + 1] as isize);
        self.values.bind(py).as_any().get_item(PySlice::new(py, start, end, 1))
    }

    fn __repr__(&self) -> String {
        let (frames, pairs) = (self.starts.len() - 1, self.starts.last().copied().unwrap_or(0));
        format!("<supple.Ragged: {pairs} pairs in {frames} frames>")
    }
}

impl Ragged {
    fn new(py: Python, frames: Vec<Vec<Pair>>) -> PyResult<Self> {
        let mut starts = vec![0];
        for frame in &frames {
            starts.push(starts[starts.len() - 1] + frame.len() as i64);
        }
        Ok(Self {
            offsets: list(py, starts.clone()).unbind(),
            values: rows(py, frames.concat())?.unbind(),
            starts,
        })
    }
}

/// Joints and coefficients of every frame, as Python gives them; the numbers stay where they are.
struct Frames<'py> {
    matrices: Floats<'py>,
    coefficients: Option<Floats<'py>>,
    count: usize,
    world: bool,
    argument: &'static str,
}

impl<'py> Frames<'py> {
    fn new(
        shape: &Shape,
        [argument, name_of_coefficients]: [&'static str; 2],
        matrices: &Bound<'py, PyAny>,
        coefficients: Option<&Bound<'py, PyAny>>,
        world: bool,
    ) -> PyResult<Self> {
        let model = shape.model();
        let joints = model.skin().joint_count();
        let matrices = floats(argument, matrices)?;
        let matrices = match matrices.shape.get(2) {
            Some(3) => matrices.expect(argument, &[None, Some(joints), Some(3), Some(4)])?,
            _ => matrices.expect(argument, &[None, Some(joints), Some(4), Some(4)])?,
        };
        let count = matrices.shape[0];
        let fields = model.rest().coefficient_count();
        if coefficients.is_none() && fields > 0 {
            // Leaving them at rest would be an answer about another body.
            let text = format!("the model has {fields}: expected an array of shape ({count}, {fields})");
            return Err(bad_value(name_of_coefficients, text));
        }
        let coefficients = coefficients.map(|given| {
            let wanted = [Some(count), Some(model.rest().coefficient_count())];
            floats(name_of_coefficients, given)?.expect(name_of_coefficients, &wanted)
        });
        Ok(Self { coefficients: coefficients.transpose()?, matrices, count, world, argument })
    }

    /// Plain slices, which threads may share.
    fn view(&self) -> FramesView<'_> {
        FramesView {
            matrices: self.matrices.as_slice(),
            rows: self.matrices.shape[2],
            coefficients: self.coefficients.as_ref().map(Floats::as_slice),
            world: self.world,
            argument: self.argument,
        }
    }
}

#[derive(Clone, Copy)]
struct FramesView<'a> {
    matrices: &'a [f32],
    rows: usize,
    coefficients: Option<&'a [f32]>,
    world: bool,
    argument: &'static str,
}

impl FramesView<'_> {
    fn at(&self, shape: &Shape, frame: usize) -> PyResult<(Vec<Affine3A>, Vec<f32>)> {
        let model = shape.model();
        let per_frame = model.skin().joint_count() * 4 * self.rows;
        let matrices =
            matrices_of(self.argument, &self.matrices[frame * per_frame..][..per_frame], self.rows)
                .map_err(|error| at_frame(frame, error))?;
        let matrices = if self.world { skinning_matrices(&matrices, model) } else { matrices };
        let count = model.rest().coefficient_count();
        let coefficients = match self.coefficients {
            Some(all) => all[frame * count..][..count].to_vec(),
            None => model.rest().default_coefficients(),
        };
        Ok((matrices, coefficients))
    }

    fn pose(&self, body: &mut Body, frame: usize) -> PyResult<()> {
        let (matrices, coefficients) = self.at(body.shape(), frame)?;
        let posed = body.set_joint_matrices(&matrices, &coefficients);
        posed.map_err(|error| self.failed(frame, &error))
    }

    fn failed(&self, frame: usize, error: &PoseError) -> PyErr {
        bad_value(&format!("{}: frame {frame}", self.argument), words(error))
    }
}

fn at_frame(frame: usize, error: PyErr) -> PyErr {
    Python::attach(|py| bad_value(&format!("frame {frame}"), error.value(py).to_string()))
}

/// Every frame on some thread, in batches, so that an interrupt is seen.
fn each_frame<S: Send, R: Send>(
    py: Python,
    count: usize,
    state: impl Fn() -> PyResult<S> + Sync + Send,
    ask: impl Fn(&mut S, usize) -> PyResult<R> + Sync + Send,
) -> PyResult<Vec<R>> {
    let mut all = Vec::with_capacity(count);
    for start in (0..count).step_by(BATCH) {
        let batch = start..count.min(start + BATCH);
        let done = work(py, || {
            let one = |state: &mut PyResult<S>, frame: usize| match state {
                Ok(state) => ask(state, frame),
                Err(error) => Err(Python::attach(|py| error.clone_ref(py))),
            };
            let frames = batch.into_par_iter().with_min_len(4);
            frames.map_init(&state, one).collect::<Vec<PyResult<R>>>()
        })?;
        all.extend(done.into_iter().collect::<PyResult<Vec<R>>>()?);
        py.check_signals()?;
    }
    Ok(all)
}

fn new_body(shape: &Arc<Shape>, skinning: Skinning) -> PyResult<Body> {
    Body::new(shape, skinning).map_err(wrong("shape"))
}

/// Self-collision in every frame of a sequence: matrices `(t, j, 4, 4)` as `Body.set_matrices` takes them, coefficients `(t, k)` if the model has any.
///
/// Filters are those of `self_collide_with`.
///
/// >>> import numpy as np, supple
/// >>> man = supple.zoo("man")
/// >>> matrices, _ = man.sample("random", np.arange(30) / 30)
/// >>> frames = supple.self_collide_many(man, matrices, creases=False)
/// >>> len(frames), frames.offsets.shape, frames[3].shape[1]
/// (30, (31,), 2)
#[pyfunction]
#[pyo3(signature = (shape, matrices, *, coefficients=None, world=false, skinning="linear", creases=true, adjacent_rings=0, same_joint=true, parent_and_child=true, joint_pairs=None))]
pub fn self_collide_many(
    py: Python,
    shape: &Bound<PyAny>,
    matrices: &Bound<PyAny>,
    coefficients: Option<&Bound<PyAny>>,
    #[pyo3(from_py_with = given::world)] world: bool,
    skinning: &str,
    #[pyo3(from_py_with = given::creases)] creases: bool,
    #[pyo3(from_py_with = given::adjacent_rings)] adjacent_rings: u32,
    #[pyo3(from_py_with = given::same_joint)] same_joint: bool,
    #[pyo3(from_py_with = given::parent_and_child)] parent_and_child: bool,
    #[pyo3(from_py_with = given::joint_pairs)] joint_pairs: Option<Vec<[u32; 2]>>,
) -> PyResult<Ragged> {
    let (shape, kind) = (shape_of("shape", shape)?, self::skinning(skinning)?);
    let frames = Frames::new(&shape, ["matrices", "coefficients"], matrices, coefficients, world)?;
    let filter =
        filter(creases, adjacent_rings, same_joint, parent_and_child, joint_pairs.unwrap_or_default(), true);
    let view = frames.view();
    let ask = |body: &mut Body, frame: usize| {
        view.pose(body, frame)?;
        let answer = supple::self_collide_with(body, &filter).map_err(wrong("joint_pairs"))?;
        Ok(answer.found)
    };
    Ragged::new(py, each_frame(py, frames.count, || new_body(&shape, kind), ask)?)
}

/// Two bodies in every frame of their sequences: `collide` of frame 0 with frame 0, of 1 with 1, and so on.
///
/// >>> import numpy as np, supple
/// >>> man = supple.zoo("man")
/// >>> matrices, _ = man.sample("walk", np.arange(10) / 10)
/// >>> aside = matrices.copy(); aside[:, :, 0, 3] += 0.4
/// >>> len(supple.collide_many(man, matrices, man, aside))
/// 10
#[pyfunction]
#[pyo3(signature = (shape_a, matrices_a, shape_b, matrices_b, *, coefficients_a=None, coefficients_b=None, world=false, skinning="linear"))]
pub fn collide_many(
    py: Python,
    shape_a: &Bound<PyAny>,
    matrices_a: &Bound<PyAny>,
    shape_b: &Bound<PyAny>,
    matrices_b: &Bound<PyAny>,
    coefficients_a: Option<&Bound<PyAny>>,
    coefficients_b: Option<&Bound<PyAny>>,
    #[pyo3(from_py_with = given::world)] world: bool,
    skinning: &str,
) -> PyResult<Ragged> {
    let kind = self::skinning(skinning)?;
    let shapes = [shape_of("shape_a", shape_a)?, shape_of("shape_b", shape_b)?];
    let a = Frames::new(&shapes[0], ["matrices_a", "coefficients_a"], matrices_a, coefficients_a, world)?;
    let b = Frames::new(&shapes[1], ["matrices_b", "coefficients_b"], matrices_b, coefficients_b, world)?;
    if a.count != b.count {
        return Err(bad_value(
            "matrices_b",
            format!("expected {} frames as in matrices_a, got {}", a.count, b.count),
        ));
    }
    let (count, a, b) = (a.count, a.view(), b.view());
    let bodies = || Ok((new_body(&shapes[0], kind)?, new_body(&shapes[1], kind)?));
    let ask = |(first, second): &mut (Body, Body), frame: usize| {
        a.pose(first, frame)?;
        b.pose(second, frame)?;
        Ok(supple::collide(first, second).found)
    };
    Ragged::new(py, each_frame(py, count, bodies, ask)?)
}

/// All posed vertices of every frame: `(t, v, 3)`.
///
/// >>> import numpy as np, supple
/// >>> man = supple.zoo("man")
/// >>> matrices, _ = man.sample("walk", np.arange(10) / 10)
/// >>> supple.vertices_many(man, matrices).shape
/// (10, 4400, 3)
#[pyfunction]
#[pyo3(signature = (shape, matrices, *, coefficients=None, world=false, skinning="linear"))]
pub fn vertices_many<'py>(
    py: Python<'py>,
    shape: &Bound<'py, PyAny>,
    matrices: &Bound<'py, PyAny>,
    coefficients: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = given::world)] world: bool,
    skinning: &str,
) -> PyResult<Bound<'py, PyArray3<f32>>> {
    let (shape, kind) = (shape_of("shape", shape)?, self::skinning(skinning)?);
    let frames = Frames::new(&shape, ["matrices", "coefficients"], matrices, coefficients, world)?;
    let (count, view, model) = (frames.count, frames.view(), shape.model());
    let pose = |(): &mut (), frame: usize| {
        let (matrices, coefficients) = view.at(&shape, frame)?;
        let posed = PosedModel::new(model, kind, &matrices, &coefficients);
        Ok(posed.map_err(|error| view.failed(frame, &error))?.positions())
    };
    let posed = each_frame(py, count, || Ok(()), pose)?;
    let vertices = model.mesh().positions().len();
    list(py, bytemuck::cast_vec::<glam::Vec3, [f32; 3]>(posed.concat()).into_flattened())
        .reshape([count, vertices, 3])
}
