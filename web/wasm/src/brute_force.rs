//! The oracle: all vertices posed, everything compared with everything.

use supple::SelfFilter;
use supple::oracle::{self, PosedMesh};
use wasm_bindgen::prelude::*;

use crate::body::RawBody;
use crate::contacts::flat;
use crate::rays::ray;

/// All pairs of two bodies.
#[wasm_bindgen]
pub fn brute_force_collide(a: &mut RawBody, b: &mut RawBody) -> Vec<u32> {
    let (own, other) = (a.body.positions(), b.body.positions());
    let [model_a, model_b] = [a.model(), b.model()];
    flat(oracle::collide(PosedMesh::new(model_a.mesh(), &own), PosedMesh::new(model_b.mesh(), &other)))
}

/// All pairs of a body with itself; with or without creases.
#[wasm_bindgen]
pub fn brute_force_self_collide(body: &mut RawBody, creases: bool) -> Vec<u32> {
    let filter = SelfFilter::default();
    let filter = if creases { filter } else { filter.without_creases() };
    let positions = body.body.positions();
    flat(oracle::self_collide_with(&body.model(), &positions, &filter))
}

#[wasm_bindgen]
impl RawBody {
    /// As `cast_ray`.
    pub fn brute_force_cast_ray(
        &mut self,
        x: f32,
        y: f32,
        z: f32,
        dx: f32,
        dy: f32,
        dz: f32,
    ) -> Result<bool, String> {
        let (positions, model) = (self.body.positions(), self.model());
        let ray = ray([x, y, z], [dx, dy, dz], f32::INFINITY, false)?;
        let hits = oracle::cast_ray_all(PosedMesh::new(model.mesh(), &positions), ray);
        let Some(&hit) = hits.first() else { return Ok(false) };
        self.hit = self.hit_numbers(hit);
        Ok(true)
    }
}
