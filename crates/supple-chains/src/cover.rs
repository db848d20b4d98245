//! A region covered by spheres: a disk moves along it, and leaves spheres wherever the next ones fit.
//!
//! Neighbouring levels overlap by a share `PD` of their radii (the paper's penetration depth):
//!
//! ```text
//! distance of two levels = (1 - PD) (r + r')
//! ```
//!
//! Based on: F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, 2015, sections 3.1, 3.2 and 6; for
//! tubes the circumference that moves along the surface is the circle through the hits of the disk.

use std::sync::Arc;

use glam::DVec3;
use supple::Body;

use crate::axis::Axis;
use crate::disk::Disk;
use crate::level::{Fitted, around_all, spheres};
use crate::{ChainError, ChainOptions, RegionKind, Regions};

/// At least this share of the rays must meet the region, and from all sides, for a level to be one of its own: where a limb leaves
/// the trunk, most rays see the trunk.
const FEWEST_HITS: f64 = 1.0 / 3.0;
const MOST_ONE_SIDED: f64 = 0.5;
/// Levels that are smaller than this part of the median only graze the surface.
const LEAST_RADIUS: f64 = 0.25;

/// What the disk found at one point of the axis.
struct Candidate {
    along: f64,
    radius: f64,
    spheres: Vec<Fitted>,
}

/// Levels of a region, from its beginning to its end. Where the surface `is_open`, rays that escape are an error.
pub(crate) fn levels(
    body: &mut Body,
    regions: &Regions,
    region: usize,
    joints: &[DVec3],
    step: f64,
    is_open: bool,
    options: &ChainOptions,
) -> Result<Vec<Vec<Fitted>>, ChainError> {
    let own = &regions.regions()[region];
    let count = if own.kind == RegionKind::Limb { 1 } else { options.spheres_per_level };
    let vertices = vertices_of(body, regions, region as u32);
    let axis = Axis::new(joints, &vertices);
    let (mut candidates, mut outside) = (Vec::new(), Vec::new());
    let disks = (axis.length() / step).floor() as usize;
    for number in 0..=disks {
        // Half a step from the ends, where a disk would only graze the surface.
        let along = (axis.length() * (number as f64 + 0.5)) / (disks as f64 + 1.0);
        let disk = Disk {
            of_triangle: regions.of_triangles(),
            region: region as u32,
            normal: axis.direction(along, 2.0 * step),
            rays: options.rays,
            radius_before: candidates.last().map_or(0.0, |before: &Candidate| before.radius),
            nearest: 1e-3 * step,
        };
        let seen = disk.section(body, axis.point(along));
        let few = (seen.hits.len() as f64) < FEWEST_HITS * options.rays as f64;
        let rejected = few || seen.one_sidedness > MOST_ONE_SIDED;
        if 2 * seen.escaped > options.rays || (rejected && 4 * seen.escaped > options.rays) {
            // Beside a bent limb, or where the surface is open.
            outside.push((seen.escaped, along / axis.length()));
            continue;
        }
        if rejected {
            continue;
        }
        let spheres = spheres(&seen, count);
        let radius = spheres.iter().map(|s| f64::from(s.adjusted.radius)).sum::<f64>() / spheres.len() as f64;
        candidates.push(Candidate { along, radius, spheres });
    }
    if let Some(&(escaped, along)) = outside.get(disks / 2).filter(|_| is_open) {
        let (region, rays) = (own.name.clone(), options.rays);
        return Err(ChainError::RaysEscape { region, escaped, rays, along });
    }
    let mut radii: Vec<f64> = candidates.iter().map(|candidate| candidate.radius).collect();
    radii.sort_by(f64::total_cmp);
    candidates.retain(|candidate| candidate.radius >= LEAST_RADIUS * radii[radii.len() / 2]);
    if candidates.is_empty() {
        // A lid, a fin: nothing to see from inside.
        return Ok(vec![vec![around_all(&vertices)]]);
    }
    // A limb begins where the trunk ends: its first sphere closes the gap.
    let attached = own.kind == RegionKind::Limb && regions.regions().len() > 1;
    let chosen = chosen(&candidates, options.overlap, attached);
    let mut levels: Vec<Option<Vec<Fitted>>> = candidates.into_iter().map(|c| Some(c.spheres)).collect();
    Ok(chosen.into_iter().filter_map(|candidate| levels[candidate].take()).collect())
}

/// The candidates that become levels: the first touches one end of the region, or is at that end if something is attached there; the last touches the
/// other.
fn chosen(candidates: &[Candidate], overlap: f64, attached: bool) -> Vec<usize> {
    let (start, end) = (candidates[0].along, candidates[candidates.len() - 1].along);
    let inside = |candidate: usize| {
        let own = &candidates[candidate];
        (attached || own.along - start >= own.radius) && end - own.along >= own.radius
    };
    let Some(first) = (0..candidates.len()).find(|&candidate| inside(candidate)) else {
        return vec![candidates.len() / 2];
    };
    let mut chosen = vec![first];
    let mut last = first;
    for candidate in first + 1..candidates.len() {
        let (own, before) = (&candidates[candidate], &candidates[last]);
        if inside(candidate) && own.along - before.along >= (1.0 - overlap) * (own.radius + before.radius) {
            chosen.push(candidate);
            last = candidate;
        }
    }
    // What is left at the end is covered too, if by a sphere that overlaps the last one more than the others do.
    let tip = (first..candidates.len()).rfind(|&candidate| inside(candidate)).unwrap_or(last);
    let left = candidates[tip].along - candidates[last].along;
    if left > 0.5 * (1.0 - overlap) * (candidates[tip].radius + candidates[last].radius) {
        chosen.push(tip);
    }
    chosen
}

/// Where the vertices of a region's triangles are at rest.
fn vertices_of(body: &mut Body, regions: &Regions, region: u32) -> Vec<DVec3> {
    let model = Arc::clone(body.shape().model());
    let triangles = model.mesh().triangles();
    let own = triangles.iter().zip(regions.of_triangles()).filter(|(_, of)| **of == region);
    let mut vertices: Vec<u32> = own.flat_map(|(corners, _)| corners).copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices.into_iter().map(|v| body.position(v).as_dvec3()).collect()
}
