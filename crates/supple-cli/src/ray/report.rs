//! Everything `ray` has to say, as plain data: the JSON is this, text and picture are made from this.

use serde::Serialize;

use crate::short_names::ShortNames;

/// A ray and what it hits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    pub file: String,
    /// The name of the clip; none for the rest pose.
    pub clip: Option<String>,
    /// Seconds into the clip.
    pub time: Option<f64>,
    pub skinning: &'static str,
    pub ray: RayReport,
    /// Along the ray; at most one where not all were asked for.
    pub hits: Vec<Hit>,
    /// For text and picture.
    #[serde(skip)]
    pub short_names: ShortNames,
}

/// A ray.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RayReport {
    pub from: [f32; 3],
    pub direction: [f32; 3],
    /// The pixel that it goes through, where that was asked for.
    pub pixel: Option<[u32; 2]>,
}

/// A triangle that the ray hits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    pub triangle: u32,
    /// In units of the direction.
    pub time: f32,
    pub distance: f32,
    /// Whether the back of the triangle is hit.
    pub back: bool,
    pub barycentrics: [f32; 3],
    pub point: [f32; 3],
    pub normal: [f32; 3],
    pub rest_point: [f32; 3],
    pub uv: Option<[f32; 2]>,
    /// Heaviest first.
    pub joints: Vec<JointShare>,
}

/// A joint that moves the point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointShare {
    pub name: String,
    /// Its number in the skeleton.
    pub joint: u32,
    pub weight: f32,
}
