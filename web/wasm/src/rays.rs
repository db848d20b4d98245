//! Rays.

use glam::Vec3;
use supple::{Ray, RayHit};
use wasm_bindgen::prelude::*;

use crate::body::RawBody;
use crate::model::vectors;
use crate::words::words;

/// Numbers of a hit: triangle, time, three barycentrics, whether it is a back, joint, point, normal.
pub const HIT_NUMBERS: usize = 13;

/// Hits of many rays.
#[wasm_bindgen]
pub struct RawHits {
    hits: Vec<Option<RayHit>>,
    joints: Vec<i32>,
}

#[wasm_bindgen]
impl RawBody {
    /// Whether a ray hits; if so, `hit_address` has the first hit.
    pub fn cast_ray(
        &mut self,
        x: f32,
        y: f32,
        z: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        max_time: f32,
        front_only: bool,
    ) -> Result<bool, String> {
        let ray = ray([x, y, z], [dx, dy, dz], max_time, front_only)?;
        let answer = supple::cast_ray(&mut self.body, ray);
        self.stats = answer.stats;
        let Some(hit) = answer.found else { return Ok(false) };
        self.hit = self.hit_numbers(hit);
        Ok(true)
    }

    /// Where the numbers of the last hit are in memory.
    pub fn hit_address(&self) -> *const f64 {
        self.hit.as_ptr()
    }

    /// The numbers of all hits of a ray, by time.
    pub fn cast_ray_all(
        &mut self,
        x: f32,
        y: f32,
        z: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        max_time: f32,
    ) -> Result<Vec<f64>, String> {
        let answer = supple::cast_ray_all(&mut self.body, ray([x, y, z], [dx, dy, dz], max_time, false)?);
        self.stats = answer.stats;
        Ok(answer.found.into_iter().flat_map(|hit| self.hit_numbers(hit)).collect())
    }

    /// First hits of many rays.
    pub fn cast_rays(&mut self, origins: &[f32], directions: &[f32]) -> Result<RawHits, String> {
        let (origins, directions) = (vectors("origins", origins)?, vectors("directions", directions)?);
        if origins.len() != directions.len() {
            return Err(format!("{} origins and {} directions", origins.len(), directions.len()));
        }
        let both = origins.into_iter().zip(directions).enumerate();
        let rays = both.map(|(number, (origin, direction))| {
            Ray::new(origin, direction).map_err(|error| format!("ray {number}: {error}"))
        });
        let answer = supple::cast_rays(&mut self.body, &rays.collect::<Result<Vec<_>, _>>()?);
        self.stats = answer.stats;
        let model = self.body.shape().model();
        let joint = |hit: &Option<RayHit>| {
            hit.map_or(-1, |hit| model.joint_at(hit.triangle, hit.barycentrics).0 as i32)
        };
        let joints = answer.found.iter().map(joint).collect();
        Ok(RawHits { hits: answer.found, joints })
    }
}

impl RawBody {
    pub(crate) fn hit_numbers(&mut self, hit: RayHit) -> [f64; HIT_NUMBERS] {
        let details = supple::ray_hit_details(&mut self.body, hit);
        let joint = self.body.shape().model().joint_at(hit.triangle, hit.barycentrics);
        let ([u, v, w], [x, y, z]) = (hit.barycentrics, details.point.to_array());
        let [i, j, k] = details.normal.to_array();
        let floats = [hit.time, u, v, w, x, y, z, i, j, k].map(f64::from);
        let [time, u, v, w, x, y, z, i, j, k] = floats;
        let (triangle, back) = (f64::from(hit.triangle), f64::from(u8::from(hit.back)));
        [triangle, time, u, v, w, back, f64::from(joint.0), x, y, z, i, j, k]
    }
}

#[wasm_bindgen]
impl RawHits {
    /// When; NaN where nothing is hit.
    pub fn times(&self) -> Vec<f32> {
        self.hits.iter().map(|hit| hit.map_or(f32::NAN, |hit| hit.time)).collect()
    }

    /// Triangles; -1 where nothing is hit.
    pub fn triangles(&self) -> Vec<i32> {
        self.hits.iter().map(|hit| hit.map_or(-1, |hit| hit.triangle as i32)).collect()
    }

    /// The heaviest joint at each hit; -1 where nothing is hit.
    pub fn joints(&self) -> Vec<i32> {
        self.joints.clone()
    }

    /// Three per ray; 0 where nothing is hit.
    pub fn barycentrics(&self) -> Vec<f32> {
        self.hits.iter().flat_map(|hit| hit.map_or([0.0; 3], |hit| hit.barycentrics)).collect()
    }
}

pub fn ray(origin: [f32; 3], direction: [f32; 3], max_time: f32, front_only: bool) -> Result<Ray, String> {
    let ray = Ray::new(Vec3::from_array(origin), Vec3::from_array(direction)).map_err(words)?;
    let ray = ray.until(max_time).map_err(words)?;
    Ok(if front_only { ray.front_faces_only() } else { ray })
}
