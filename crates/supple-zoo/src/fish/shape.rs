//! The fish as clay, in centimetres: a flat body, fins as fans of rays, eyes, gill covers and a mouth.

use glam::{DVec3, Vec3};

use crate::sculpt::{self, Focus, Primitive, Sizing};

/// A closed surface of genus 0 with V vertices has 2 V - 4 triangles.
const VERTICES: usize = 12_390;

/// Edge of a grid cell in metres: a quarter of the thickness of the fins.
const CELL: f64 = 0.0025;

/// Positions in metres, and triangles.
pub(super) fn sculpt() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let scaled = |lumps: Vec<Primitive>| lumps.into_iter().map(|lump| lump.placed(DVec3::ZERO, 0.01));
    let (mut lumps, fins): (Vec<Primitive>, Vec<Primitive>) =
        (scaled(body()).collect(), scaled(fins()).collect());
    let mut focuses = [[-3.6, 2.1, 20.8], [3.6, 2.1, 20.8], [0.0, -1.6, 28.0]]
        .map(|at| Focus { center: DVec3::from_array(at) * 0.01, radius: 0.02, size: 0.5 })
        .to_vec();
    // Edges of fins would melt away if triangles were as large as the fins are thick.
    focuses.extend(fins.iter().map(|ray| {
        let (center, radius) = ray.thickness(1.0);
        Focus { center, radius: 2.5 * radius, size: 0.6 }
    }));
    lumps.extend(fins);
    lumps.extend(scaled(head()));
    let (_, positions, triangles) = sculpt::sculpt(lumps, CELL, Sizing { base: 0.005, focuses }, VERTICES);
    (positions.iter().map(|p| p.as_vec3()).collect(), triangles)
}

/// Middle and half sizes of the trunk.
const TRUNK: [DVec3; 2] = [DVec3::new(0.0, 0.0, 8.0), DVec3::new(4.4, 8.6, 20.0)];

fn body() -> Vec<Primitive> {
    vec![
        Primitive::ellipsoid(TRUNK[0], TRUNK[1]).blend(3.0),
        // Narrower towards the tail, but hardly lower where the tail fin begins.
        cone([0.0, 0.6, -4.0], [0.0, 0.8, -20.0], 6.4, 2.5).stretched(DVec3::X, 0.52).blend(5.0),
        cone([0.0, 0.8, -18.0], [0.0, 0.8, -22.5], 2.4, 2.0).stretched(DVec3::X, 0.42).blend(2.0),
        // The snout.
        ellipsoid([0.0, -0.8, 23.0], [2.9, 3.6, 6.2]).blend(4.0),
    ]
}

/// The point of the left flank at that height and length.
fn flank(y: f64, z: f64) -> [f64; 3] {
    let [middle, half] = TRUNK;
    let (up, along) = ((y - middle.y) / half.y, (z - middle.z) / half.z);
    // Seams with the other lumps fill a little.
    [half.x * (1.0 - up * up - along * along).max(0.0).sqrt() + 0.2, y, z]
}

fn head() -> Vec<Primitive> {
    let mut lumps = Vec::new();
    lumps.extend(ellipsoid([2.75, 2.1, 20.8], [1.35, 1.45, 1.45]).blend(0.5).on_both_sides());
    // The pupil is a dimple, the mouth a slit.
    lumps.extend(ellipsoid([4.5, 2.2, 21.1], [0.75, 0.7, 0.7]).blend(0.2).carved().on_both_sides());
    lumps.push(ellipsoid([0.0, -1.7, 28.6], [4.0, 0.5, 2.6]).blend(0.7).carved());
    // The edge of the gill cover: a groove behind the cheek.
    let gill = [(3.4, 12.4), (1.8, 11.4), (0.0, 11.0), (-2.2, 11.4), (-4.2, 12.8), (-5.6, 15.0)];
    for ends in gill.windows(2) {
        let [from, to] = [ends[0], ends[1]].map(|(y, z)| flank(y, z));
        lumps.extend(cone(from, to, 0.5, 0.5).blend(0.6).carved().on_both_sides());
    }
    lumps
}

fn fins() -> Vec<Primitive> {
    let mut lumps = Vec::new();
    // Tail, back and belly.
    let tail = [[0.0, 9.4, -30.0], [0.0, 0.8, -20.5], [0.0, -7.8, -30.0]];
    lumps.extend(fan(1, [[0.0, 2.4, -21.0], [0.0, -0.8, -21.0]], tail, 23));
    let back = [[0.0, 11.6, 7.0], [0.0, 13.2, -1.0], [0.0, 7.4, -10.5]];
    lumps.extend(fan(2, [[0.0, 7.2, 9.5], [0.0, 4.4, -8.0]], back, 25));
    let belly = [[0.0, -9.6, -5.5], [0.0, -8.2, -9.0], [0.0, -4.2, -12.0]];
    lumps.extend(fan(3, [[0.0, -4.6, -3.0], [0.0, -2.6, -10.0]], belly, 11));
    let breast = [[8.0, -4.4, 4.4], [7.0, -7.2, 1.4], [4.8, -6.6, 2.6]];
    let pelvis = [[3.4, -11.4, 4.0], [2.9, -10.6, 0.4], [1.6, -8.4, 1.2]];
    let roots = [[[3.7, -2.2, 9.0], [3.4, -4.0, 8.0]], [[1.4, -7.4, 8.0], [1.0, -7.4, 4.6]]];
    for (group, root, tips, rays) in [(4, roots[0], breast, 9), (6, roots[1], pelvis, 8)] {
        let left: Vec<Primitive> = fan(group, root, tips, rays).collect();
        lumps.extend(left.iter().map(|ray| ray.clone().mirrored().group(group + 1)));
        lumps.extend(left);
    }
    lumps
}

/// Rays from a line to a curve: `tips` are the control points of a parabola. They melt into a web.
fn fan(group: u32, roots: [[f64; 3]; 2], tips: [[f64; 3]; 3], rays: u32) -> impl Iterator<Item = Primitive> {
    let (roots, tips) = (roots.map(DVec3::from_array), tips.map(DVec3::from_array));
    (0..rays).map(move |ray| {
        let share = f64::from(ray) / f64::from(rays - 1);
        let tip = tips[0].lerp(tips[1], share).lerp(tips[1].lerp(tips[2], share), share);
        Primitive::cone(roots[0].lerp(roots[1], share), tip, 0.48, 0.40).group(group).blend(0.8)
    })
}

fn cone(from: [f64; 3], to: [f64; 3], start: f64, end: f64) -> Primitive {
    Primitive::cone(DVec3::from_array(from), DVec3::from_array(to), start, end)
}

fn ellipsoid(at: [f64; 3], semi_axes: [f64; 3]) -> Primitive {
    Primitive::ellipsoid(DVec3::from_array(at), DVec3::from_array(semi_axes))
}
