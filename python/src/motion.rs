//! Bodies in motion: when do they touch, and where were they.

use numpy::PyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use supple::{Answer, Distance, Motion, Past, PoseHistory, QueryStats};

use crate::arrays::rows;
use crate::ask::{ask_two, body_mut};
use crate::body::PyBody;
use crate::failure::{bad_value, words, wrong};
use crate::given;
use crate::points::PyNearPair;

/// A motion from the pose and place of one body to those of another, both of one model, both posed by `pose`, `rest` or `set_pose`.
///
/// >>> import supple
/// >>> man = supple.zoo("man")
/// >>> run = supple.Motion(supple.Body(man).rest(), supple.Body(man).rest(place=(3, 0, 0)))
#[pyclass(frozen, name = "Motion", module = "supple")]
pub struct PyMotion {
    motion: Motion,
}

#[pymethods]
impl PyMotion {
    #[new]
    fn new(
        #[pyo3(from_py_with = given::start)] start: Bound<PyBody>,
        #[pyo3(from_py_with = given::end)] end: Bound<PyBody>,
    ) -> PyResult<Self> {
        let from = body_mut(&start, "start")?.pose_given("start")?;
        let to = body_mut(&end, "end")?.pose_given("end")?;
        Ok(Self { motion: Motion::new(from, to).map_err(wrong("start, end"))? })
    }
}

/// A contact, or a moment before it.
#[pyclass(frozen, name = "TimedContact", module = "supple")]
pub struct PyTimedContact {
    /// From 0 to 1; never later than the first contact.
    #[pyo3(get)]
    time: f32,
    /// The closest triangles at that time, at most the tolerance apart.
    #[pyo3(get)]
    closest: Py<PyNearPair>,
}

#[pymethods]
impl PyTimedContact {
    fn __repr__(&self) -> String {
        format!("<supple.TimedContact: time {}>", self.time)
    }
}

/// When two moving bodies touch first; None if they do not. Afterwards they are in their poses of that time.
///
/// >>> import supple
/// >>> man = supple.zoo("man")
/// >>> still = supple.Motion(supple.Body(man), supple.Body(man))
/// >>> come = supple.Motion(supple.Body(man).rest(place=(4, 0, 0)), supple.Body(man))
/// >>> 0.2 < supple.time_of_contact(supple.Body(man), supple.Body(man), still, come, 1e-3).time < 0.9
/// True
#[pyfunction]
#[pyo3(signature = (a, b, motion_a, motion_b, tolerance))]
pub fn time_of_contact(
    py: Python,
    #[pyo3(from_py_with = given::a)] a: Bound<PyBody>,
    #[pyo3(from_py_with = given::b)] b: Bound<PyBody>,
    #[pyo3(from_py_with = given::motion_a)] motion_a: Bound<PyMotion>,
    #[pyo3(from_py_with = given::motion_b)] motion_b: Bound<PyMotion>,
    #[pyo3(from_py_with = given::tolerance)] tolerance: f32,
) -> PyResult<Option<PyTimedContact>> {
    let tolerance = Distance::new(tolerance).map_err(wrong("tolerance"))?;
    let motions = [&motion_a.get().motion, &motion_b.get().motion];
    let found = ask_two(&a, &b, |a, b| {
        let before = [a.clone(), b.clone()];
        let answer = supple::time_of_contact([&mut *a, &mut *b], motions, tolerance).and_then(|answer| {
            // At the time that is told, which is a rounded one: what is asked next then fits what is told of the bodies.
            let time = answer.found.map_or(1.0, |contact| f64::from(contact.time));
            for (body, motion) in [&mut *a, &mut *b].into_iter().zip(motions) {
                let (pose, place) = motion.at(time);
                body.set_pose_at(&pose, place)?;
            }
            Ok(answer)
        });
        match answer {
            Ok(answer) => Answer { found: Ok(answer.found), stats: answer.stats },
            Err(error) => {
                [*a, *b] = before;
                Answer { found: Err(error), stats: QueryStats::default() }
            }
        }
    })?;
    let found = found.map_err(|error| {
        PyValueError::new_err(format!("motion_a, motion_b, tolerance: {}", words(&error)))
    })?;
    let time = found.map_or(1.0, |contact| f64::from(contact.time));
    for (body, motion) in [&a, &b].into_iter().zip(motions) {
        body_mut(body, "body")?.was(Past::Pose(motion.at(time).0));
    }
    let contact = |contact: supple::TimedContact| {
        let closest = Py::new(py, PyNearPair::new(py, contact.closest)?)?;
        Ok(PyTimedContact { time: contact.time, closest })
    };
    found.map(contact).transpose()
}

/// The last ticks of a body, to put a spare body back to any time between them: a shot is checked against where everybody was.
///
/// >>> import supple
/// >>> man = supple.zoo("man")
/// >>> body, spare = supple.Body(man), supple.Body(man)
/// >>> history = supple.PoseHistory(body, 8)
/// >>> for tick in range(8):
/// ...     history.record(tick / 30, body.pose("walk", tick / 30, place=(tick / 10, 0, 0)))
/// >>> history.rewind(spare, 0.12)
/// >>> supple.cast_ray(spare, (0.36, 1.2, 5), (0, 0, -1)) is not None
/// True
#[pyclass(name = "PoseHistory", module = "supple")]
pub struct PyPoseHistory {
    history: PoseHistory,
    of_matrices: bool,
}

#[pymethods]
impl PyPoseHistory {
    /// For bodies of this body's shape and skinning. `of_matrices=True` for bodies that `set_matrices` poses.
    #[new]
    #[pyo3(signature = (body, ticks, *, of_matrices=false))]
    fn new(
        #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
        #[pyo3(from_py_with = given::ticks)] ticks: usize,
        #[pyo3(from_py_with = given::of_matrices)] of_matrices: bool,
    ) -> PyResult<Self> {
        let body = body_mut(&body, "body")?;
        let history = match of_matrices {
            true => PoseHistory::of_joint_matrices(&body.body, ticks),
            false => PoseHistory::of_poses(&body.body, ticks),
        };
        Ok(Self { history: history.map_err(wrong("ticks"))?, of_matrices })
    }

    /// Records the pose and place of a body at a time; the oldest one is forgotten if there is no room.
    fn record(
        &mut self,
        #[pyo3(from_py_with = given::time)] time: f64,
        #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    ) -> PyResult<()> {
        let body = body_mut(&body, "body")?;
        let place = body.body.placement();
        let recorded = match self.of_matrices {
            false => {
                let (pose, place) = body.pose_given("body")?;
                self.history.record_pose(time, &pose, place)
            }
            true => {
                let Some((matrices, coefficients)) = body.matrices_given() else {
                    return Err(bad_value("body", "expected a body that was posed by set_matrices()"));
                };
                self.history.record_joint_matrices(time, matrices, coefficients, place)
            }
        };
        recorded.map_err(wrong("time, body"))
    }

    /// Puts a spare body to where this one was.
    fn rewind(
        &self,
        #[pyo3(from_py_with = given::spare)] spare: Bound<PyBody>,
        #[pyo3(from_py_with = given::time)] time: f64,
    ) -> PyResult<()> {
        let mut spare = body_mut(&spare, "spare")?;
        let past = self.history.at(time).map_err(wrong("time"))?.0;
        self.history.rewind(&mut spare.body, time).map_err(wrong("spare, time"))?;
        spare.was(past);
        Ok(())
    }

    /// A box around the body at a time, `(2, 3)`.
    fn bound_at<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = given::time)] time: f64,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let bound = self.history.bound_at(time).map_err(wrong("time"))?;
        rows(py, vec![bound.min.to_array(), bound.max.to_array()])
    }

    #[getter]
    fn oldest(&self) -> Option<f64> {
        self.history.oldest()
    }

    #[getter]
    fn newest(&self) -> Option<f64> {
        self.history.newest()
    }

    fn clear(&mut self) {
        self.history.clear();
    }

    fn __len__(&self) -> usize {
        self.history.len()
    }

    fn __repr__(&self) -> String {
        match (self.history.oldest(), self.history.newest()) {
            (Some(oldest), Some(newest)) => {
                format!("<supple.PoseHistory: {} ticks from {oldest} to {newest}>", self.history.len())
            }
            _ => "<supple.PoseHistory: empty>".to_owned(),
        }
    }
}
