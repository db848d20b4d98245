//! Which triangles touch: of two bodies, of one body.

use numpy::{PyArray2, PyArray3};
use pyo3::prelude::*;
use supple::model::Certificates;
use supple::{
    Budget, CollideOptions, ContactSide, JointId, Pair, QueryStats, SelfFilter, TriangleClasses, VolumeKind,
};

use crate::arguments::indices;
use crate::arrays::{blocks, rows, vectors};
use crate::ask::{ask, ask_two, body_mut, try_ask};
use crate::body::PyBody;
use crate::failure::{bad_value, work, wrong};
use crate::given;
use crate::stats::Stats;

/// Pairs of triangles that touch.
#[pyclass(frozen, name = "Pairs", module = "supple")]
pub struct Pairs {
    /// `(n, 2)`: triangle of the first body, triangle of the second; ascending.
    #[pyo3(get)]
    pairs: Py<PyArray2<u32>>,
    /// Boxes of what was not looked at, `(n, 2, 2, 3)` flattened to `(n, 2, 6)`, the largest overlap first. Empty if the answer is complete.
    #[pyo3(get)]
    open_bounds: Py<PyArray3<f32>>,
    /// Nodes of the trees that belong to these boxes: `(n, 2)`.
    #[pyo3(get)]
    open_nodes: Py<PyArray2<u32>>,
    count: usize,
    open: usize,
    stats: QueryStats,
}

#[pymethods]
impl Pairs {
    /// Whether these are all pairs there are. Only a budget can end a search before.
    #[getter]
    fn is_complete(&self) -> bool {
        self.open == 0
    }

    /// What it cost.
    #[getter]
    fn stats(&self) -> Stats {
        Stats(self.stats)
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        match self.open {
            0 => format!("<supple.Pairs: {}>", self.count),
            open => format!("<supple.Pairs: {} so far, {open} places not looked at>", self.count),
        }
    }
}

impl Pairs {
    fn new(py: Python, pairs: Vec<Pair>, stats: QueryStats) -> PyResult<Self> {
        Self::partial(py, pairs, Vec::new(), Vec::new(), stats)
    }

    fn partial(
        py: Python,
        pairs: Vec<Pair>,
        bounds: Vec<[[f32; 6]; 2]>,
        nodes: Vec<[u32; 2]>,
        stats: QueryStats,
    ) -> PyResult<Self> {
        Ok(Self {
            count: pairs.len(),
            open: nodes.len(),
            pairs: rows(py, pairs)?.unbind(),
            open_bounds: blocks(py, bounds)?.unbind(),
            open_nodes: rows(py, nodes)?.unbind(),
            stats,
        })
    }
}

/// All pairs of touching triangles of two bodies.
///
/// >>> import supple
/// >>> man = supple.zoo("man")
/// >>> a, b = supple.Body(man), supple.Body(man)
/// >>> _ = b.pose("walk", 0.9, place=(0.4, 0, 0))
/// >>> supple.collide(a, b).pairs.dtype
/// dtype('uint32')
#[pyfunction]
pub fn collide(
    py: Python,
    #[pyo3(from_py_with = given::a)] a: Bound<PyBody>,
    #[pyo3(from_py_with = given::b)] b: Bound<PyBody>,
) -> PyResult<Pairs> {
    let found = ask_two(&a, &b, supple::collide)?;
    Pairs::new(py, found, a.borrow().last_stats())
}

/// All pairs of touching triangles of two bodies, with at most this many visits of nodes, and with "box" or "sphere" as bounding volumes.
///
/// >>> import supple
/// >>> a, b = supple.Body(supple.zoo("man")), supple.Body(supple.zoo("man"))
/// >>> supple.collide_with(a, b, max_visits=10).is_complete
/// False
#[pyfunction]
#[pyo3(signature = (a, b, *, max_visits=None, volume="box"))]
pub fn collide_with(
    py: Python,
    #[pyo3(from_py_with = given::a)] a: Bound<PyBody>,
    #[pyo3(from_py_with = given::b)] b: Bound<PyBody>,
    #[pyo3(from_py_with = given::max_visits)] max_visits: Option<u64>,
    volume: &str,
) -> PyResult<Pairs> {
    let volume = match volume {
        "box" => VolumeKind::Box,
        "sphere" => VolumeKind::Sphere,
        other => {
            return Err(bad_value("volume", format!("there is no {other:?}; there are \"box\", \"sphere\"")));
        }
    };
    let found = ask_two(&a, &b, |a, b| {
        let budget = max_visits.map_or(Budget::UNLIMITED, Budget::visits);
        supple::collide_with(a, b, &CollideOptions::default().with_volume(volume).with_budget(budget))
    })?;
    let corners = |bound: supple::Aabb| {
        let ([x, y, z], [i, j, k]) = (bound.min.to_array(), bound.max.to_array());
        [x, y, z, i, j, k]
    };
    let bounds = found.open.iter().map(|open| open.bounds.map(corners)).collect();
    let nodes = found.open.iter().map(|open| open.nodes.map(|node| node.0)).collect();
    Pairs::partial(py, found.pairs, bounds, nodes, a.borrow().last_stats())
}

/// Some pair of touching triangles, or None.
///
/// >>> import supple
/// >>> a, b = supple.Body(supple.zoo("man")), supple.Body(supple.zoo("man")).rest(place=(9, 0, 0))
/// >>> supple.collide_any(a, b) is None
/// True
#[pyfunction]
pub fn collide_any(
    #[pyo3(from_py_with = given::a)] a: Bound<PyBody>,
    #[pyo3(from_py_with = given::b)] b: Bound<PyBody>,
) -> PyResult<Option<(u32, u32)>> {
    Ok(ask_two(&a, &b, supple::collide_any)?.map(Into::into))
}

/// Some pair of touching triangles, or None, beginning near the pair of the frame before: faster where bodies stay in touch. `last` may be None, as the
/// answer may.
///
/// >>> import supple
/// >>> a, b = supple.Body(supple.zoo("man")), supple.Body(supple.zoo("man"))
/// >>> last = supple.collide_any(a, b)
/// >>> supple.collide_any_near(a, b.pose("walk", 0.1), last) is not None
/// True
#[pyfunction]
pub fn collide_any_near(
    #[pyo3(from_py_with = given::a)] a: Bound<PyBody>,
    #[pyo3(from_py_with = given::b)] b: Bound<PyBody>,
    last: &Bound<PyAny>,
) -> PyResult<Option<(u32, u32)>> {
    if last.is_none() {
        return collide_any(a, b);
    }
    let last = pair_of("last", last)?;
    Ok(ask_two(&a, &b, |a, b| supple::collide_any_near(a, b, last))?.map(Into::into))
}

/// One side of a contact.
#[pyclass(frozen, name = "ContactSide", module = "supple")]
pub struct PyContactSide {
    #[pyo3(get)]
    triangle: u32,
    /// Of both ends of the segment: `(2, 3)`.
    #[pyo3(get)]
    barycentrics: Py<PyArray2<f32>>,
    /// Where both ends are at rest: `(2, 3)`.
    #[pyo3(get)]
    rest_points: Py<PyArray2<f32>>,
    /// Joints that move the middle, with their weights; the heaviest first.
    #[pyo3(get)]
    joints: Vec<(u32, f32)>,
}

/// Where two triangles touch.
#[pyclass(frozen, name = "ContactDetails", module = "supple")]
pub struct PyContactDetails {
    /// Both ends of what they share: `(2, 3)`.
    #[pyo3(get)]
    segment: Py<PyArray2<f32>>,
    #[pyo3(get)]
    a: Py<PyContactSide>,
    #[pyo3(get)]
    b: Py<PyContactSide>,
}

#[pymethods]
impl PyContactDetails {
    fn __repr__(&self) -> String {
        let (a, b) = (self.a.get().triangle, self.b.get().triangle);
        format!("<supple.ContactDetails: triangles {a} and {b}>")
    }
}

/// Where two triangles of two bodies touch; None if they do not.
///
/// >>> import supple
/// >>> a, b = supple.Body(supple.zoo("man")), supple.Body(supple.zoo("man")).rest(place=(0.3, 0, 0))
/// >>> pair = supple.collide(a, b).pairs[0]
/// >>> supple.contact_details(a, b, pair).segment.shape
/// (2, 3)
#[pyfunction]
pub fn contact_details(
    py: Python,
    #[pyo3(from_py_with = given::a)] a: Bound<PyBody>,
    #[pyo3(from_py_with = given::b)] b: Bound<PyBody>,
    pair: &Bound<PyAny>,
) -> PyResult<Option<PyContactDetails>> {
    let pair = pair_of("pair", pair)?;
    for ((argument, body), triangle) in [("pair[0]", &a), ("pair[1]", &b)].into_iter().zip(pair) {
        let count = body_mut(body, argument)?.model().mesh().triangles().len();
        if triangle as usize >= count {
            return Err(bad_value(argument, format!("there is no triangle {triangle}, there are {count}")));
        }
    }
    let found = ask_two(&a, &b, |a, b| supple::Answer {
        found: supple::contact_details(a, b, pair),
        stats: QueryStats::default(),
    })?;
    let side = |side: ContactSide| {
        Py::new(
            py,
            PyContactSide {
                triangle: side.triangle,
                barycentrics: rows(py, side.barycentrics.to_vec())?.unbind(),
                rest_points: vectors(py, side.rest_points.to_vec())?.unbind(),
                joints: side.joints.into_iter().map(|(joint, weight)| (joint.0, weight)).collect(),
            },
        )
    };
    found
        .map(|details| {
            let segment = vectors(py, details.segment.to_vec())?.unbind();
            Ok(PyContactDetails { segment, a: side(details.a)?, b: side(details.b)? })
        })
        .transpose()
}

/// Two triangles: a tuple, or a row of an array.
fn pair_of(argument: &str, value: &Bound<PyAny>) -> PyResult<Pair> {
    let (numbers, shape) = indices(argument, value)?;
    <[u32; 2]>::try_from(numbers)
        .map_err(|_| bad_value(argument, format!("expected two triangles, got an array of shape {shape:?}")))
}

/// All pairs of touching triangles of one body; those that share a vertex are left out.
///
/// >>> import supple
/// >>> body = supple.Body(supple.zoo("man")).pose("random", 0.75)
/// >>> len(supple.self_collide(body)) > 0
/// True
#[pyfunction]
pub fn self_collide(py: Python, #[pyo3(from_py_with = given::body)] body: Bound<PyBody>) -> PyResult<Pairs> {
    let found = ask(&body, supple::self_collide)?;
    Pairs::new(py, found, body.borrow().last_stats())
}

/// What self-collision leaves out.
pub fn filter(
    creases: bool,
    adjacent_rings: u32,
    same_joint: bool,
    parent_and_child: bool,
    joint_pairs: Vec<[u32; 2]>,
    certificates: bool,
) -> SelfFilter {
    let mut filter = SelfFilter::default().with_rings(adjacent_rings);
    filter.same_joint = !creases || !same_joint;
    filter.parent_and_child = !creases || !parent_and_child;
    filter.joint_pairs = joint_pairs.into_iter().map(|pair| pair.map(JointId)).collect();
    filter.with_certificates(if certificates { Certificates::Used } else { Certificates::Ignored })
}

/// Pairs of touching triangles of one body, without some of them.
///
/// `creases=False` leaves out what touches within one joint, or between a joint and its parent; `same_joint=False` and
/// `parent_and_child=False` one of these. `adjacent_rings` leaves out what is near along the surface, `joint_pairs` what is between two joints.
/// `certificates=False` costs more and changes nothing: for measurements.
///
/// >>> import supple
/// >>> body = supple.Body(supple.zoo("man")).pose("random", 0.75)
/// >>> len(supple.self_collide_with(body, creases=False)) < len(supple.self_collide(body))
/// True
#[pyfunction]
#[pyo3(signature = (body, *, creases=true, adjacent_rings=0, same_joint=true, parent_and_child=true, joint_pairs=None, certificates=true))]
pub fn self_collide_with(
    py: Python,
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    #[pyo3(from_py_with = given::creases)] creases: bool,
    #[pyo3(from_py_with = given::adjacent_rings)] adjacent_rings: u32,
    #[pyo3(from_py_with = given::same_joint)] same_joint: bool,
    #[pyo3(from_py_with = given::parent_and_child)] parent_and_child: bool,
    #[pyo3(from_py_with = given::joint_pairs)] joint_pairs: Option<Vec<[u32; 2]>>,
    #[pyo3(from_py_with = given::certificates)] certificates: bool,
) -> PyResult<Pairs> {
    let filter = filter(
        creases,
        adjacent_rings,
        same_joint,
        parent_and_child,
        joint_pairs.unwrap_or_default(),
        certificates,
    );
    let found = try_ask(&body, |body| supple::self_collide_with(body, &filter), wrong("joint_pairs"))?;
    Pairs::new(py, found, body.borrow().last_stats())
}

/// The triangles of a shape divided into classes, for `self_collide_between`: one number per triangle, from 0 on.
///
/// >>> import supple
/// >>> man = supple.zoo("man")
/// >>> supple.TriangleClasses(man, man.owning_joints == man.joints.index("hand_l")).count
/// 2
#[pyclass(frozen, name = "TriangleClasses", module = "supple")]
pub struct PyTriangleClasses {
    classes: TriangleClasses,
}

#[pymethods]
impl PyTriangleClasses {
    #[new]
    fn new(py: Python, shape: &Bound<PyAny>, classes: &Bound<PyAny>) -> PyResult<Self> {
        let shape = crate::shape::shape_of("shape", shape)?;
        // Booleans are the classes 0 and 1.
        let is_boolean =
            classes.getattr("dtype").and_then(|dtype| dtype.getattr("kind")?.extract::<String>());
        let numbers = match is_boolean.is_ok_and(|kind| kind == "b") {
            true => classes.call_method1("astype", ("int64",))?,
            false => classes.clone(),
        };
        let (of_triangle, shape_given) = indices("classes", &numbers)?;
        if shape_given.len() != 1 {
            return Err(bad_value(
                "classes",
                format!("expected one number per triangle, got shape {shape_given:?}"),
            ));
        }
        let classes = work(py, || TriangleClasses::new(&shape, of_triangle))?.map_err(wrong("classes"))?;
        Ok(Self { classes })
    }

    #[getter]
    fn count(&self) -> usize {
        self.classes.count()
    }

    fn __repr__(&self) -> String {
        format!("<supple.TriangleClasses: {}>", self.classes.count())
    }
}

/// Pairs of touching triangles of one body that belong to some pairs of classes.
///
/// >>> import supple
/// >>> man = supple.zoo("man")
/// >>> classes = supple.TriangleClasses(man, man.owning_joints == man.joints.index("hand_l"))
/// >>> len(supple.self_collide_between(supple.Body(man), classes, [(0, 1)]))
/// 0
#[pyfunction]
pub fn self_collide_between(
    py: Python,
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    #[pyo3(from_py_with = given::classes)] classes: Bound<PyTriangleClasses>,
    #[pyo3(from_py_with = given::wanted)] wanted: Vec<[u32; 2]>,
) -> PyResult<Pairs> {
    let classes = &classes.get().classes;
    let ask = |body: &mut supple::Body| supple::self_collide_between(body, classes, &wanted);
    let found = try_ask(&body, ask, wrong("classes"))?;
    Pairs::new(py, found, body.borrow().last_stats())
}
