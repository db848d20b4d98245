//! Many bodies at once.

use std::collections::HashMap;

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use supple::{Answer, Body, BodyId, Groups, Mesh, Model, QueryStats, Scene, Shape, Skinning};

use crate::arrays::{list, rows};
use crate::ask::body_mut;
use crate::body::PyBody;
use crate::failure::{bad_value, work, wrong};
use crate::given;
use crate::points::{PySurfacePoint, distance, point_of};
use crate::probes::PyProbe;
use crate::rays::{PyRayHit, ray};
use crate::stats::Stats;

/// Bodies that may meet: boxes tell which do, and questions go to all of them at once, on all cores.
///
/// Bodies stay objects of their own: pose them, then ask the scene. `member` and `meets` are bits of groups: two bodies meet if each is a member of a
/// group that the other meets.
///
/// >>> import supple
/// >>> man = supple.zoo("man")
/// >>> scene = supple.Scene()
/// >>> a, b, c = (scene.insert(supple.Body(man).rest(place=(x, 0, 0))) for x in (0, 0.4, 9))
/// >>> [(a, b) for a, b, pairs in scene.collide()]
/// [(0, 1)]
#[pyclass(name = "Scene", module = "supple")]
pub struct PyScene {
    scene: Scene,
    /// By the number that Python knows; none where it was removed.
    members: Vec<Option<Member>>,
    numbers: HashMap<BodyId, usize>,
    /// What stands for a body while nothing is asked.
    nobody: Body,
    stats: QueryStats,
}

struct Member {
    id: BodyId,
    body: Py<PyBody>,
}

impl PyScene {
    fn number(&self, id: BodyId) -> usize {
        self.numbers.get(&id).copied().unwrap_or(usize::MAX)
    }

    /// Asks with all bodies in the scene; they are given back whatever happens.
    fn ask<R: Send>(
        &mut self,
        py: Python,
        question: impl FnOnce(&mut Scene) -> Answer<R> + Send,
    ) -> PyResult<R> {
        let members: Vec<(usize, &Member)> = self
            .members
            .iter()
            .enumerate()
            .filter_map(|(number, member)| Some((number, member.as_ref()?)))
            .collect();
        let mut bodies = Vec::with_capacity(members.len());
        for (number, member) in &members {
            bodies.push((member.id, body_mut(member.body.bind(py), &format!("body {number}"))?));
        }
        let scene = &mut self.scene;
        swap(scene, &mut bodies);
        let answer = work(py, || question(scene));
        swap(scene, &mut bodies);
        for (_, body) in &mut bodies {
            body.is_broken = answer.is_err();
        }
        let answer = answer?;
        self.stats = answer.stats;
        Ok(answer.found)
    }
}

fn swap(scene: &mut Scene, bodies: &mut [(BodyId, PyRefMut<PyBody>)]) {
    for (id, body) in bodies {
        if let Some(place) = scene.body_mut(*id) {
            std::mem::swap(place, &mut body.body);
        }
    }
}

/// `(body, hit)`
type BodyHit = (usize, PyRayHit);

#[pymethods]
impl PyScene {
    #[new]
    fn new() -> PyResult<Self> {
        let corners = vec![glam::Vec3::ZERO; 3];
        let mesh = Mesh::new(corners, vec![[0, 1, 2]]).map_err(wrong("scene"))?;
        let shape = Shape::build(Model::rigid(mesh), &Default::default()).map_err(wrong("scene"))?;
        let nobody = Body::new(&shape.into(), Skinning::Linear).map_err(wrong("scene"))?;
        Ok(Self {
            scene: Scene::new(),
            members: Vec::new(),
            numbers: HashMap::new(),
            nobody,
            stats: QueryStats::default(),
        })
    }

    /// Adds a body; returns its number, from 0 on, which is never given again.
    #[pyo3(signature = (body, *, member=0xFFFF_FFFF, meets=0xFFFF_FFFF))]
    fn insert(
        &mut self,
        #[pyo3(from_py_with = given::body)] body: Bound<PyBody>,
        #[pyo3(from_py_with = given::member)] member: u32,
        #[pyo3(from_py_with = given::meets)] meets: u32,
    ) -> PyResult<usize> {
        if let Some(number) = self.members.iter().position(|m| m.as_ref().is_some_and(|m| m.body.is(&body))) {
            return Err(bad_value("body", format!("it is in the scene already, as number {number}")));
        }
        body_mut(&body, "body")?;
        let id = self.scene.insert(self.nobody.clone(), Groups { member, meets });
        self.numbers.insert(id, self.members.len());
        self.members.push(Some(Member { id, body: body.unbind() }));
        Ok(self.members.len() - 1)
    }

    /// Takes a body out, and returns it.
    fn remove(&mut self, #[pyo3(from_py_with = given::number)] number: usize) -> PyResult<Py<PyBody>> {
        let member = self.members.get_mut(number).and_then(Option::take);
        let member =
            member.ok_or_else(|| bad_value("number", format!("there is no body {number} in the scene")))?;
        self.scene.remove(member.id);
        self.numbers.remove(&member.id);
        Ok(member.body)
    }

    /// Pairs of bodies whose boxes overlap: `(n, 2)`.
    fn pairs<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let found = self.ask(py, |scene| Answer { found: scene.pairs(), stats: QueryStats::default() })?;
        rows(py, found.into_iter().map(|pair| pair.map(|id| self.number(id) as u64)).collect())
    }

    /// All touching triangles of all bodies that meet: `(a, b, pairs)` for each two that touch.
    fn collide<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<(usize, usize, Bound<'py, PyArray2<u32>>)>> {
        let found = self.ask(py, Scene::collide)?;
        let contact = |contacts: supple::BodyContacts| {
            let [a, b] = contacts.bodies.map(|id| self.number(id));
            Ok((a, b, rows(py, contacts.pairs)?))
        };
        found.into_iter().map(contact).collect()
    }

    /// Which bodies touch, with some pair of triangles each: `(a, b, (triangle of a, triangle of b))`.
    fn collide_any(&mut self, py: Python) -> PyResult<Vec<(usize, usize, (u32, u32))>> {
        let found = self.ask(py, Scene::collide_any)?;
        let contact = |contact: supple::BodyContact| {
            let [a, b] = contact.bodies.map(|id| self.number(id));
            (a, b, contact.pair.into())
        };
        Ok(found.into_iter().map(contact).collect())
    }

    /// The first hit of a ray: the body's number and the hit, or None.
    #[pyo3(signature = (origin, direction, *, max_time=None, front_only=false, member=0xFFFF_FFFF, meets=0xFFFF_FFFF))]
    fn cast_ray(
        &mut self,
        py: Python,
        origin: &Bound<PyAny>,
        direction: &Bound<PyAny>,
        #[pyo3(from_py_with = given::max_time)] max_time: Option<f32>,
        #[pyo3(from_py_with = given::front_only)] front_only: bool,
        #[pyo3(from_py_with = given::member)] member: u32,
        #[pyo3(from_py_with = given::meets)] meets: u32,
    ) -> PyResult<Option<BodyHit>> {
        let ray = ray(origin, direction, max_time, front_only)?;
        let found = self.ask(py, |scene| scene.cast_ray(ray, Groups { member, meets }))?;
        found.map(|hit| self.hit(py, hit)).transpose()
    }

    /// Some hit of a ray: is the view blocked?
    #[pyo3(signature = (origin, direction, *, max_time=None, front_only=false, member=0xFFFF_FFFF, meets=0xFFFF_FFFF))]
    fn cast_ray_any(
        &mut self,
        py: Python,
        origin: &Bound<PyAny>,
        direction: &Bound<PyAny>,
        #[pyo3(from_py_with = given::max_time)] max_time: Option<f32>,
        #[pyo3(from_py_with = given::front_only)] front_only: bool,
        #[pyo3(from_py_with = given::member)] member: u32,
        #[pyo3(from_py_with = given::meets)] meets: u32,
    ) -> PyResult<Option<BodyHit>> {
        let ray = ray(origin, direction, max_time, front_only)?;
        let found = self.ask(py, |scene| scene.cast_ray_any(ray, Groups { member, meets }))?;
        found.map(|hit| self.hit(py, hit)).transpose()
    }

    /// All hits of a ray, by time.
    #[pyo3(signature = (origin, direction, *, max_time=None, front_only=false, member=0xFFFF_FFFF, meets=0xFFFF_FFFF))]
    fn cast_ray_all(
        &mut self,
        py: Python,
        origin: &Bound<PyAny>,
        direction: &Bound<PyAny>,
        #[pyo3(from_py_with = given::max_time)] max_time: Option<f32>,
        #[pyo3(from_py_with = given::front_only)] front_only: bool,
        #[pyo3(from_py_with = given::member)] member: u32,
        #[pyo3(from_py_with = given::meets)] meets: u32,
    ) -> PyResult<Vec<BodyHit>> {
        let ray = ray(origin, direction, max_time, front_only)?;
        let found = self.ask(py, |scene| scene.cast_ray_all(ray, Groups { member, meets }))?;
        found.into_iter().map(|hit| self.hit(py, hit)).collect()
    }

    /// All triangles that a solid shape overlaps: bodies `(n,)` and triangles `(n,)`.
    #[pyo3(signature = (probe, *, member=0xFFFF_FFFF, meets=0xFFFF_FFFF))]
    fn overlap<'py>(
        &mut self,
        py: Python<'py>,
        #[pyo3(from_py_with = given::probe)] probe: Bound<PyProbe>,
        #[pyo3(from_py_with = given::member)] member: u32,
        #[pyo3(from_py_with = given::meets)] meets: u32,
    ) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u32>>)> {
        let probe = &probe.get().probe;
        let found = self.ask(py, |scene| scene.overlap(probe, Groups { member, meets }))?;
        let bodies = found.iter().map(|triangle| self.number(triangle.body) as u64).collect();
        Ok((list(py, bodies), list(py, found.iter().map(|triangle| triangle.triangle).collect())))
    }

    /// Which bodies a solid shape overlaps, with some triangle each.
    #[pyo3(signature = (probe, *, member=0xFFFF_FFFF, meets=0xFFFF_FFFF))]
    fn overlap_any(
        &mut self,
        py: Python,
        #[pyo3(from_py_with = given::probe)] probe: Bound<PyProbe>,
        #[pyo3(from_py_with = given::member)] member: u32,
        #[pyo3(from_py_with = given::meets)] meets: u32,
    ) -> PyResult<Vec<(usize, u32)>> {
        let probe = &probe.get().probe;
        let found = self.ask(py, |scene| scene.overlap_any(probe, Groups { member, meets }))?;
        Ok(found.into_iter().map(|triangle| (self.number(triangle.body), triangle.triangle)).collect())
    }

    /// The point of all bodies that is closest to a point: the body's number and the point, or None.
    #[pyo3(signature = (point, *, max_distance=None, member=0xFFFF_FFFF, meets=0xFFFF_FFFF))]
    fn closest_point(
        &mut self,
        py: Python,
        point: &Bound<PyAny>,
        #[pyo3(from_py_with = given::max_distance)] max_distance: Option<f32>,
        #[pyo3(from_py_with = given::member)] member: u32,
        #[pyo3(from_py_with = given::meets)] meets: u32,
    ) -> PyResult<Option<(usize, PySurfacePoint)>> {
        let (point, max) = (point_of("point", point)?, distance(max_distance)?);
        let found = self.ask(py, |scene| scene.closest_point(point, max, Groups { member, meets }))?;
        Ok(found.map(|found| (self.number(found.body), found.point.into())))
    }

    /// The body of a number.
    fn __getitem__(
        &self,
        py: Python,
        #[pyo3(from_py_with = given::number)] number: usize,
    ) -> PyResult<Py<PyBody>> {
        let member = self.members.get(number).and_then(Option::as_ref);
        let member = member.ok_or_else(|| {
            pyo3::exceptions::PyIndexError::new_err(format!("there is no body {number} in the scene"))
        })?;
        Ok(member.body.clone_ref(py))
    }

    /// What the last question cost.
    #[getter]
    fn stats(&self) -> Stats {
        Stats(self.stats)
    }

    /// Numbers of the bodies that are in the scene.
    #[getter]
    fn numbers(&self) -> Vec<usize> {
        (0..self.members.len()).filter(|&number| self.members[number].is_some()).collect()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let bodies: Vec<Py<PyBody>> =
            self.members.iter().flatten().map(|member| member.body.clone_ref(py)).collect();
        PyList::new(py, bodies)?.try_iter()
    }

    fn __contains__(&self, body: &Bound<PyAny>) -> bool {
        self.members.iter().flatten().any(|member| member.body.is(body))
    }

    fn __len__(&self) -> usize {
        self.members.iter().flatten().count()
    }

    fn __repr__(&self) -> String {
        format!("<supple.Scene: {} bodies>", self.__len__())
    }
}

impl PyScene {
    fn hit(&self, py: Python, found: supple::SceneHit) -> PyResult<BodyHit> {
        let number = self.number(found.body);
        let member = self.members.get(number).and_then(Option::as_ref);
        let member = member.ok_or_else(|| bad_value("scene", "a body that is not there was hit"))?;
        let model = body_mut(member.body.bind(py), "body")?.model();
        Ok((number, PyRayHit::new(&model, found.hit)))
    }
}
