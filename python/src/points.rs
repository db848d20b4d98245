//! How far things are: closest points, pairs that are near, is a point inside.

use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use supple::{Answer, Distance, NearPair, Point, QueryStats, SurfacePoint};

use crate::arguments::{floats, vector};
use crate::arrays::{blocks, list, rows, vectors};
use crate::ask::{ask, ask_two, try_ask};
use crate::body::PyBody;
use crate::failure::{bad_value, words, wrong};
use crate::given;

/// The point of a surface that is closest to another point.
#[pyclass(frozen, name = "SurfacePoint", module = "supple")]
pub struct PySurfacePoint {
    #[pyo3(get)]
    pub point: [f32; 3],
    #[pyo3(get)]
    pub triangle: u32,
    #[pyo3(get)]
    pub barycentrics: [f32; 3],
    #[pyo3(get)]
    pub distance: f32,
}

#[pymethods]
impl PySurfacePoint {
    fn __repr__(&self) -> String {
        format!("<supple.SurfacePoint: triangle {} at distance {}>", self.triangle, self.distance)
    }
}

impl From<SurfacePoint> for PySurfacePoint {
    fn from(found: SurfacePoint) -> Self {
        let SurfacePoint { point, triangle, barycentrics, distance } = found;
        Self { point: point.to_array(), triangle, barycentrics, distance }
    }
}

/// Points of a surface that are closest to other points; NaN and -1 where none is near enough.
#[pyclass(frozen, name = "SurfacePoints", module = "supple")]
pub struct SurfacePoints {
    /// `(n, 3)`
    #[pyo3(get)]
    points: Py<PyArray2<f32>>,
    /// `(n,)`
    #[pyo3(get)]
    triangles: Py<PyArray1<i64>>,
    /// `(n, 3)`
    #[pyo3(get)]
    barycentrics: Py<PyArray2<f32>>,
    /// `(n,)`
    #[pyo3(get)]
    distances: Py<PyArray1<f32>>,
    count: usize,
    found: usize,
}

#[pymethods]
impl SurfacePoints {
    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<supple.SurfacePoints: {} of {} points are near enough>", self.found, self.count)
    }
}

/// Two triangles that are near each other.
#[pyclass(frozen, name = "NearPair", module = "supple")]
pub struct PyNearPair {
    #[pyo3(get)]
    triangles: (u32, u32),
    #[pyo3(get)]
    distance: f32,
    /// Their closest points: `(2, 3)`.
    #[pyo3(get)]
    points: Py<PyArray2<f32>>,
}

#[pymethods]
impl PyNearPair {
    fn __repr__(&self) -> String {
        let (a, b) = self.triangles;
        format!("<supple.NearPair: triangles {a} and {b} at distance {}>", self.distance)
    }
}

impl PyNearPair {
    pub fn new(py: Python, near: NearPair) -> PyResult<Self> {
        let points = vectors(py, near.points.to_vec())?.unbind();
        Ok(Self { triangles: near.triangles.into(), distance: near.distance, points })
    }
}

/// Pairs of triangles that are near each other.
#[pyclass(frozen, name = "NearPairs", module = "supple")]
pub struct NearPairs {
    /// `(n, 2)`
    #[pyo3(get)]
    triangles: Py<PyArray2<u32>>,
    /// `(n,)`
    #[pyo3(get)]
    distances: Py<PyArray1<f32>>,
    /// `(n, 2, 3)`
    #[pyo3(get)]
    points: Py<PyArray3<f32>>,
    count: usize,
}

#[pymethods]
impl NearPairs {
    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<supple.NearPairs: {}>", self.count)
    }
}

/// A distance that ends a search.
pub fn distance(max_distance: Option<f32>) -> PyResult<Distance> {
    max_distance.map_or(Ok(Distance::UNLIMITED), |max| Distance::new(max).map_err(wrong("max_distance")))
}

pub fn point_of(argument: &str, value: &Bound<PyAny>) -> PyResult<Point> {
    Point::new(vector(argument, value)?).map_err(wrong(argument))
}

/// `(n, 3)`
fn points_of(value: &Bound<PyAny>) -> PyResult<Vec<Point>> {
    let given = floats("points", value)?.expect("points", &[None, Some(3)])?;
    let point = |(number, &vector)| {
        Point::new(vector).map_err(|error| bad_value("points", format!("number {number}: {}", words(&error))))
    };
    given.vectors().iter().enumerate().map(point).collect()
}

/// The closest triangles of two bodies; None if they are further apart than `max_distance`.
///
/// >>> import supple
/// >>> a, b = supple.Body(supple.zoo("man")), supple.Body(supple.zoo("man")).rest(place=(3, 0, 0))
/// >>> supple.closest_points(a, b).distance > 1
/// True
#[pyfunction]
#[pyo3(signature = (a, b, *, max_distance=None))]
pub fn closest_points(
    py: Python,
    #[pyo3(from_py_with = given::a)] a: Bound<PyBody>,
    #[pyo3(from_py_with = given::b)] b: Bound<PyBody>,
    #[pyo3(from_py_with = given::max_distance)] max_distance: Option<f32>,
) -> PyResult<Option<PyNearPair>> {
    let max = distance(max_distance)?;
    let found = ask_two(&a, &b, |a, b| supple::closest_points(a, b, max))?;
    found.map(|near| PyNearPair::new(py, near)).transpose()
}

/// All pairs of triangles of two bodies that are at most `max_distance` apart.
///
/// >>> import supple
/// >>> a, b = supple.Body(supple.zoo("man")), supple.Body(supple.zoo("man")).rest(place=(3, 0, 0))
/// >>> len(supple.pairs_within(a, b, 0.1))
/// 0
#[pyfunction]
pub fn pairs_within(
    py: Python,
    #[pyo3(from_py_with = given::a)] a: Bound<PyBody>,
    #[pyo3(from_py_with = given::b)] b: Bound<PyBody>,
    #[pyo3(from_py_with = given::within)] max_distance: f32,
) -> PyResult<NearPairs> {
    let max = Distance::new(max_distance).map_err(wrong("max_distance"))?;
    let found = ask_two(&a, &b, |a, b| supple::pairs_within(a, b, max))?;
    Ok(NearPairs {
        count: found.len(),
        triangles: rows(py, found.iter().map(|near| near.triangles).collect())?.unbind(),
        distances: list(py, found.iter().map(|near| near.distance).collect()).unbind(),
        points: blocks(py, found.iter().map(|near| near.points.map(|point| point.to_array())).collect())?
            .unbind(),
    })
}

/// The point of a body that is closest to a point; None if it is further away than `max_distance`.
///
/// >>> import supple
/// >>> supple.closest_point(supple.Body(supple.zoo("man")), (0, 1, 3)).distance < 3
/// True
#[pyfunction]
#[pyo3(signature = (body, point, *, max_distance=None))]
pub fn closest_point(
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    point: &Bound<PyAny>,
    #[pyo3(from_py_with = given::max_distance)] max_distance: Option<f32>,
) -> PyResult<Option<PySurfacePoint>> {
    let (point, max) = (point_of("point", point)?, distance(max_distance)?);
    Ok(ask(&body, |body| supple::closest_point(body, point, max))?.map(Into::into))
}

/// The points of a body that are closest to many points, `(n, 3)`.
///
/// >>> import supple
/// >>> supple.closest_point_many(supple.Body(supple.zoo("man")), [[0, 1, 3], [0, 1, 4]]).distances.round()
/// array([3., 4.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (body, points, *, max_distance=None))]
pub fn closest_point_many(
    py: Python,
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    points: &Bound<PyAny>,
    #[pyo3(from_py_with = given::max_distance)] max_distance: Option<f32>,
) -> PyResult<SurfacePoints> {
    let (points, max) = (points_of(points)?, distance(max_distance)?);
    let found = ask(&body, |body| each(&points, |point| supple::closest_point(body, point, max)))?;
    let nowhere = [f32::NAN; 3];
    let of = |found: &Option<SurfacePoint>| found.map_or(nowhere, |found| found.point.to_array());
    Ok(SurfacePoints {
        count: found.len(),
        found: found.iter().flatten().count(),
        points: rows(py, found.iter().map(of).collect())?.unbind(),
        triangles: list(py, found.iter().map(|f| f.map_or(-1, |f| f.triangle.into())).collect()).unbind(),
        barycentrics: rows(py, found.iter().map(|f| f.map_or(nowhere, |f| f.barycentrics)).collect())?
            .unbind(),
        distances: list(py, found.iter().map(|f| f.map_or(f32::NAN, |f| f.distance)).collect()).unbind(),
    })
}

/// One question after the other, their costs added up.
fn each<R>(points: &[Point], mut ask: impl FnMut(Point) -> Answer<R>) -> Answer<Vec<R>> {
    let mut stats = QueryStats::default();
    let mut one = |&point: &Point| {
        let answer = ask(point);
        stats += answer.stats;
        answer.found
    };
    let found = points.iter().map(&mut one).collect();
    Answer { found, stats }
}

/// Where a point is relative to a closed surface.
#[pyclass(frozen, name = "PointLocation", module = "supple")]
pub struct PyPointLocation {
    location: supple::PointLocation,
}

#[pymethods]
impl PyPointLocation {
    /// On the surface, or with an odd number of crossings between itself and infinity.
    #[getter]
    fn is_inside(&self) -> bool {
        self.location.is_inside()
    }

    #[getter]
    fn on_surface(&self) -> bool {
        self.location.on_surface
    }

    /// How often a path from the point to infinity crosses the surface.
    #[getter]
    fn crossings(&self) -> u32 {
        self.location.crossings
    }

    /// How often the surface is wrapped around the point.
    #[getter]
    fn winding(&self) -> i32 {
        self.location.winding
    }

    fn __repr__(&self) -> String {
        let place = match self.location {
            supple::PointLocation { on_surface: true, .. } => "on the surface",
            location if location.is_inside() => "inside",
            _ => "outside",
        };
        format!("<supple.PointLocation: {place}, winding {}>", self.location.winding)
    }
}

fn open_surface(error: supple::OpenSurface) -> PyErr {
    PyValueError::new_err(format!("body: {}", words(&error)))
}

/// Whether a point is inside a body. Its surface must be closed.
///
/// >>> import supple
/// >>> supple.locate_point(supple.Body(supple.zoo("man")), (0, 1.2, 0)).is_inside
/// True
#[pyfunction]
pub fn locate_point(
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    point: &Bound<PyAny>,
) -> PyResult<PyPointLocation> {
    let point = point_of("point", point)?;
    let location = try_ask(&body, |body| supple::locate_point(body, point), open_surface)?;
    Ok(PyPointLocation { location })
}

/// Where many points are relative to a closed surface; each field has one number per point.
#[pyclass(frozen, name = "PointLocations", module = "supple")]
pub struct PointLocations {
    /// `(n,)`: on the surface, or with an odd number of crossings between itself and infinity.
    #[pyo3(get)]
    is_inside: Py<PyArray1<bool>>,
    /// `(n,)`
    #[pyo3(get)]
    on_surface: Py<PyArray1<bool>>,
    /// `(n,)`: how often a path from the point to infinity crosses the surface.
    #[pyo3(get)]
    crossings: Py<PyArray1<u32>>,
    /// `(n,)`: how often the surface is wrapped around the point. Not 0 inside two parts that overlap, where crossings are even.
    #[pyo3(get)]
    winding: Py<PyArray1<i32>>,
    count: usize,
    inside: usize,
}

#[pymethods]
impl PointLocations {
    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<supple.PointLocations: {} of {} points are inside>", self.inside, self.count)
    }
}

/// Where many points, `(n, 3)`, are relative to a body. Its surface must be closed.
///
/// >>> import supple
/// >>> supple.locate_point_many(supple.Body(supple.zoo("man")), [[0, 1.2, 0], [0, 1.2, 5]]).is_inside
/// array([ True, False])
#[pyfunction]
pub fn locate_point_many(
    py: Python,
    #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
    points: &Bound<PyAny>,
) -> PyResult<PointLocations> {
    let points = points_of(points)?;
    let located = try_ask(
        &body,
        |body| {
            let (mut stats, mut found) = (QueryStats::default(), Vec::with_capacity(points.len()));
            for &point in &points {
                let answer = supple::locate_point(body, point)?;
                stats += answer.stats;
                found.push(answer.found);
            }
            Ok(Answer { found, stats })
        },
        open_surface,
    )?;
    let inside: Vec<bool> = located.iter().map(supple::PointLocation::is_inside).collect();
    Ok(PointLocations {
        count: located.len(),
        inside: inside.iter().filter(|is_inside| **is_inside).count(),
        is_inside: list(py, inside).unbind(),
        on_surface: list(py, located.iter().map(|location| location.on_surface).collect()).unbind(),
        crossings: list(py, located.iter().map(|location| location.crossings).collect()).unbind(),
        winding: list(py, located.iter().map(|location| location.winding).collect()).unbind(),
    })
}
