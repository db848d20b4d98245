//! Solid shapes, spheres of the tree, planes.

use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;
use supple::{Plane, Probe, Sphere};

use crate::arguments::{floats, isometry, vector};
use crate::arrays::{blocks, list, rows, vectors};
use crate::ask::{ask, ask_two};
use crate::body::PyBody;
use crate::failure::wrong;
use crate::given;

/// A solid shape that is asked what it overlaps.
///
/// >>> import supple
/// >>> ball = supple.Probe.sphere((0, 1.2, 0), 0.3)
/// >>> len(supple.overlap(supple.Body(supple.zoo("man")), ball)) > 0
/// True
#[pyclass(frozen, name = "Probe", module = "supple")]
pub struct PyProbe {
    pub probe: Probe,
}

#[pymethods]
impl PyProbe {
    #[staticmethod]
    fn sphere(center: &Bound<PyAny>, #[pyo3(from_py_with = given::radius)] radius: f32) -> PyResult<Self> {
        let probe = Probe::sphere(vector("center", center)?, radius).map_err(wrong("center, radius"))?;
        Ok(Self { probe })
    }

    /// All points that are at most `radius` away from a line between two points.
    #[staticmethod]
    fn capsule(
        start: &Bound<PyAny>,
        end: &Bound<PyAny>,
        #[pyo3(from_py_with = given::radius)] radius: f32,
    ) -> PyResult<Self> {
        let ends = [vector("start", start)?, vector("end", end)?];
        Ok(Self { probe: Probe::capsule(ends, radius).map_err(wrong("start, end, radius"))? })
    }

    /// A box with these half sides, about `place`, turned by the quaternion `turn`.
    #[staticmethod]
    #[pyo3(signature = (half_extents, *, place=None, turn=None))]
    fn cuboid(
        half_extents: &Bound<PyAny>,
        place: Option<&Bound<PyAny>>,
        turn: Option<&Bound<PyAny>>,
    ) -> PyResult<Self> {
        let half = vector("half_extents", half_extents)?;
        Ok(Self { probe: Probe::cuboid(isometry(place, turn)?, half).map_err(wrong("half_extents"))? })
    }

    /// The convex hull of points: `(n, 3)`.
    #[staticmethod]
    fn hull(points: &Bound<PyAny>) -> PyResult<Self> {
        let points = floats("points", points)?.expect("points", &[None, Some(3)])?;
        Ok(Self { probe: Probe::hull(points.vectors()).map_err(wrong("points"))? })
    }
}

/// All triangles that a solid shape overlaps, ascending.
///
/// >>> import supple
/// >>> supple.overlap(supple.Body(supple.zoo("man")), supple.Probe.sphere((9, 9, 9), 1))
/// array([], dtype=uint32)
#[pyfunction]
pub fn overlap<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = given::body)] body: Bound<'py, PyBody>,
    #[pyo3(from_py_with = given::probe)] probe: Bound<PyProbe>,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let probe = &probe.get().probe;
    Ok(list(py, ask(&body, |body| supple::overlap(body, probe))?))
}

/// Some triangle that a solid shape overlaps, or None.
///
/// >>> import supple
/// >>> supple.overlap_any(supple.Body(supple.zoo("man")), supple.Probe.sphere((9, 9, 9), 1)) is None
/// True
#[pyfunction]
pub fn overlap_any(
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    #[pyo3(from_py_with = given::probe)] probe: Bound<PyProbe>,
) -> PyResult<Option<u32>> {
    let probe = &probe.get().probe;
    ask(&body, |body| supple::overlap_any(body, probe))
}

/// Contacts of spheres around nodes of trees, for simulators. What a contact does not have is None.
#[pyclass(frozen, name = "SphereContacts", module = "supple")]
pub struct SphereContacts {
    /// `(n, s)`: nodes of the trees, one per sphere.
    #[pyo3(get)]
    nodes: Py<PyArray2<u32>>,
    /// `(n, s, 4)`: centers and radii.
    #[pyo3(get)]
    spheres: Py<PyArray3<f32>>,
    /// `(n,)`: triangles of the second body.
    #[pyo3(get)]
    triangles: Option<Py<PyArray1<u32>>>,
    /// `(n, 3)`: their points closest to the spheres' centers.
    #[pyo3(get)]
    points: Option<Py<PyArray2<f32>>>,
    count: usize,
}

#[pymethods]
impl SphereContacts {
    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<supple.SphereContacts: {}>", self.count)
    }
}

impl SphereContacts {
    fn new<const S: usize>(py: Python, nodes: Vec<[u32; S]>, spheres: Vec<[Sphere; S]>) -> PyResult<Self> {
        let four = |sphere: Sphere| [sphere.center.x, sphere.center.y, sphere.center.z, sphere.radius];
        Ok(Self {
            count: nodes.len(),
            nodes: rows(py, nodes)?.unbind(),
            spheres: blocks(py, spheres.into_iter().map(|spheres| spheres.map(four)).collect())?.unbind(),
            triangles: None,
            points: None,
        })
    }
}

/// Overlapping spheres of two bodies, of these levels of their trees.
///
/// >>> import supple
/// >>> a, b = supple.Body(supple.zoo("man")), supple.Body(supple.zoo("man")).rest(place=(0.3, 0, 0))
/// >>> supple.sphere_contacts(a, b, 2, 3).spheres.shape[1:]
/// (2, 4)
#[pyfunction]
pub fn sphere_contacts(
    py: Python,
    #[pyo3(from_py_with = given::a)] a: Bound<PyBody>,
    #[pyo3(from_py_with = given::b)] b: Bound<PyBody>,
    #[pyo3(from_py_with = given::level_a)] level_a: u32,
    #[pyo3(from_py_with = given::level_b)] level_b: u32,
) -> PyResult<SphereContacts> {
    let found = ask_two(&a, &b, |a, b| supple::sphere_contacts(a, b, [level_a, level_b]))?;
    let nodes = found.iter().map(|contact| contact.nodes.map(|node| node.0)).collect();
    SphereContacts::new(py, nodes, found.iter().map(|contact| contact.spheres).collect())
}

/// Triangles of the second body that overlap spheres of the first, of this level of its tree.
///
/// >>> import supple
/// >>> a, b = supple.Body(supple.zoo("man")), supple.Body(supple.zoo("man")).rest(place=(0.3, 0, 0))
/// >>> len(supple.sphere_triangle_contacts(a, b, 2).triangles) > 0
/// True
#[pyfunction]
pub fn sphere_triangle_contacts(
    py: Python,
    #[pyo3(from_py_with = given::a)] a: Bound<PyBody>,
    #[pyo3(from_py_with = given::b)] b: Bound<PyBody>,
    #[pyo3(from_py_with = given::level)] level: u32,
) -> PyResult<SphereContacts> {
    let found = ask_two(&a, &b, |a, b| supple::sphere_triangle_contacts(a, b, level))?;
    let nodes = found.iter().map(|contact| [contact.node.0]).collect();
    let contacts = SphereContacts::new(py, nodes, found.iter().map(|contact| [contact.sphere]).collect())?;
    Ok(SphereContacts {
        triangles: Some(list(py, found.iter().map(|contact| contact.triangle).collect()).unbind()),
        points: Some(vectors(py, found.iter().map(|contact| contact.point).collect())?.unbind()),
        ..contacts
    })
}

/// Spheres of a body, of this level of its tree, that reach below the plane `normal . point = offset`.
///
/// >>> import supple
/// >>> len(supple.sphere_plane_contacts(supple.Body(supple.zoo("man")), (0, 1, 0), 0.1, 3)) > 0
/// True
#[pyfunction]
pub fn sphere_plane_contacts(
    py: Python,
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    normal: &Bound<PyAny>,
    #[pyo3(from_py_with = given::offset)] offset: f32,
    #[pyo3(from_py_with = given::level)] level: u32,
) -> PyResult<SphereContacts> {
    let plane = Plane::new(vector("normal", normal)?, offset).map_err(wrong("normal, offset"))?;
    let found = ask(&body, |body| supple::sphere_plane_contacts(body, plane, level))?;
    let nodes = found.iter().map(|contact| [contact.node.0]).collect();
    SphereContacts::new(py, nodes, found.iter().map(|contact| [contact.sphere]).collect())
}
