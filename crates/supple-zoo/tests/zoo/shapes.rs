//! What every kind promises: counts, closed and outward surfaces, well-shaped triangles, local fields, looping clips.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use glam::Vec3;
use supple::mesh::{edge_counts, weld_positions};
use supple::rest::Rest;
use supple::{Body, BuildOptions, Model, Shape, Skinning, self_collide};
use supple_zoo::{ZooError, kinds, make, subdivide};

use crate::{cases, is_made_again, model};

#[test]
fn counts_are_what_the_papers_need() {
    for (name, expected) in [("blob", 20_480), ("dolphin", 564), ("chair", 17_900)] {
        assert_eq!(triangle_count(model(name)), expected, "{name}");
    }
    assert!((8_000..=12_000).contains(&triangle_count(model("face"))));
    let dolphins: Vec<usize> =
        (0..4).map(|detail| triangle_count(&make("dolphin", detail).unwrap())).collect();
    assert_eq!(dolphins, [564, 2_256, 9_024, 36_096]);
    for (name, coefficients) in [("blob", 3), ("dolphin", 3), ("face", 52)] {
        assert_eq!(model(name).rest().coefficient_count(), coefficients, "{name}");
    }
}

/// Table 1 of the BD-Tree paper: vertices, triangles, displacement fields.
#[test]
fn modal_models_are_as_large_as_those_of_the_paper() {
    for (name, [vertices, triangles, fields]) in [
        ("chair", [9_421, 17_914, 10]),
        ("bridge", [135_304, 240_316, 10]),
        ("fish", [12_531, 24_776, 3]),
        ("curtain", [6_184, 12_020, 12]),
    ] {
        let model = model(name);
        let off = |found: usize, paper: usize| (found as f64 / paper as f64 - 1.0).abs();
        let vertices = off(model.mesh().positions().len(), vertices);
        let triangles = off(triangle_count(model), triangles);
        assert!(vertices < 0.06 && triangles < 0.01, "{name}: {vertices:.4} {triangles:.4}");
        assert_eq!(model.rest().coefficient_count(), fields, "{name}");
        assert_eq!(model.skeleton().joints().len(), 1, "{name}");
    }
}

#[test]
fn every_kind_is_closed_and_oriented_outwards_at_every_detail() {
    for kind in kinds() {
        let coarse = model(kind.name);
        // The bridge is as large at detail 0 as most others are at detail 2, and by default large ones are not refined.
        let most = cases(75_000, 1_000_000);
        for detail in (0..3).filter(|&detail| detail == 0 || kind.triangles << (2 * detail) < most) {
            let finer = (detail > 0).then(|| make(kind.name, detail).unwrap());
            let model = finer.as_ref().unwrap_or(coarse);
            let (positions, triangles) = (model.mesh().positions(), model.mesh().triangles());
            assert_eq!(triangles.len(), triangle_count(coarse) << (2 * detail), "{} {detail}", kind.name);
            let edges = edge_counts(triangles, &weld_positions(positions));
            assert_eq!(
                (edges.boundary, edges.non_manifold, edges.collapsed_triangles),
                (0, 0, 0),
                "{} {detail}",
                kind.name
            );
            let (found, expected) =
                (volume(positions, triangles), volume(coarse.mesh().positions(), coarse.mesh().triangles()));
            assert!(expected > 0.0 && (found - expected).abs() < 1e-4 * expected, "{} {detail}", kind.name);
        }
    }
}

#[test]
fn normals_are_unit_and_point_outwards() {
    for kind in kinds() {
        let model = model(kind.name);
        let (positions, normals) = (model.mesh().positions(), model.mesh().normals().unwrap());
        assert!(normals.iter().all(|n| n.is_normalized()), "{}", kind.name);
        let with_surface = model.mesh().triangles().iter().filter(|t| {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            let mean: Vec3 = t.iter().map(|&v| normals[v as usize]).sum();
            (b - a).cross(c - a).dot(mean) > 0.0
        });
        let share = with_surface.count() as f64 / triangle_count(model) as f64;
        assert!(share > 0.995, "{}: {share}", kind.name);
    }
}

#[test]
fn triangles_are_well_shaped() {
    // Smallest angle of all, and of all but the worst percent, in degrees. Fins are thin at their edges, the curtain has a
    // hem 3 mm wide, and skinny triangles are what the bridge is for.
    for (name, smallest, usual) in [
        ("blob", 8.0, 20.0),
        ("dolphin", 2.5, 4.0),
        ("face", 5.0, 25.0),
        ("chair", 8.0, 28.0),
        ("fish", 8.0, 28.0),
        ("curtain", 2.0, 2.5),
        ("bridge", 1.0, 1.0),
    ] {
        let model = model(name);
        let mut angles = smallest_angles(model.mesh().positions(), model.mesh().triangles());
        angles.sort_by(f32::total_cmp);
        let (worst, percentile) = (angles[0], angles[angles.len() / 100]);
        println!("{name}: {worst:.1} degrees, 1st percentile {percentile:.1}");
        assert!(worst > smallest && percentile > usual, "{name}: {worst} {percentile}");
    }
}

#[test]
fn subdivision_keeps_the_deformed_shape() {
    for name in SHAPED {
        let (coarse, fine) = (model(name), subdivide(model(name)).unwrap());
        let mut pose = coarse.rest_pose();
        let clip = &coarse.clips()[0];
        clip.sample(0.3 * clip.duration(), &mut pose).unwrap();
        let posed = coarse.posed(&pose, Skinning::Linear).unwrap().positions();
        let finer = fine.posed(&pose, Skinning::Linear).unwrap().positions();
        // Rounding grows with the coordinates: the bridge is 240 m long.
        let size = posed.iter().map(|p| p.abs().max_element()).fold(1.0, f32::max);
        for (t, triangle) in coarse.mesh().triangles().iter().enumerate() {
            let [a, b, c] = triangle.map(|v| posed[v as usize]);
            let quarters = &fine.mesh().triangles()[4 * t..4 * t + 4];
            let expected = [[a, (a + b) / 2.0, (c + a) / 2.0], [(a + b) / 2.0, b, (b + c) / 2.0]];
            for (quarter, expected) in quarters.iter().zip(expected) {
                for (vertex, expected) in quarter.iter().zip(expected) {
                    assert!(finer[*vertex as usize].distance(expected) < 1e-6 * size, "{name} triangle {t}");
                }
            }
        }
    }
}

#[test]
fn reference_shapes_differ_and_none_is_degenerate() {
    for name in ["blob", "dolphin"] {
        let model = model(name);
        let Rest::Morph(morph) = model.rest() else { panic!("{name} is a convex morph") };
        let references = morph.to_references();
        assert_eq!(references.len(), 3);
        assert_eq!(references[0].positions, model.mesh().positions(), "{name}: the rest pose is the mesh");
        for (i, reference) in references.iter().enumerate() {
            let angles = smallest_angles(&reference.positions, model.mesh().triangles());
            assert!(angles.iter().all(|&angle| angle > 2.0), "{name} {}", reference.name);
            assert!(
                volume(&reference.positions, model.mesh().triangles()) > 0.01,
                "{name} {}",
                reference.name
            );
            let other = &references[(i + 1) % 3].positions;
            let farthest =
                reference.positions.iter().zip(other).map(|(p, q)| p.distance(*q)).fold(0.0, f32::max);
            assert!(farthest > 0.2, "{name} {}: {farthest}", reference.name);
        }
    }
}

#[test]
fn face_shapes_are_local_and_visible() {
    let model = model("face");
    let Rest::Fields(fields) = model.rest() else { panic!("the face has fields") };
    let positions = model.mesh().positions();
    for field in fields.to_fields() {
        let share = field.displacements.len() as f64 / positions.len() as f64;
        // Fine triangles gather where faces move, so shares of vertices are larger than shares of area.
        let largest_share = if field.name.starts_with("jaw") { 0.55 } else { 0.45 };
        assert!(share > 0.005 && share < largest_share, "{}: {share}", field.name);
        let farthest = field.displacements.iter().map(|(_, d)| d.length()).fold(0.0, f32::max);
        assert!((0.001..0.06).contains(&farthest), "{}: {farthest}", field.name);
        for &(vertex, _) in &field.displacements {
            let p = positions[vertex as usize];
            let is_in_region = match field.name.as_str() {
                name if name.starts_with("eye") => p.y.abs() < 0.04 && p.z > 0.04,
                name if name.starts_with("brow") => p.y > -0.005 && p.z > 0.035,
                name if name.starts_with("jaw") => p.y < -0.02 && p.z > 0.0,
                name if name.starts_with("mouth") || name == "tongueOut" => p.y < -0.01 && p.z > 0.03,
                _ => p.z > 0.02,
            };
            let is_on_side = match &field.name {
                name if name.ends_with("Left") && !matches!(name.as_str(), "jawLeft" | "mouthLeft") => {
                    p.x > -0.012
                }
                name if name.ends_with("Right") && !matches!(name.as_str(), "jawRight" | "mouthRight") => {
                    p.x < 0.012
                }
                _ => true,
            };
            assert!(is_in_region && is_on_side, "{} moves {p}", field.name);
        }
    }
}

#[test]
fn face_shapes_have_the_names_of_trackers() {
    let model = model("face");
    let names = model.rest().names();
    for name in ["browInnerUp", "eyeBlinkLeft", "eyeLookOutRight", "jawOpen", "mouthSmileLeft", "tongueOut"] {
        assert!(names.iter().any(|n| n == name), "{name}");
    }
    let mut unique = names.to_vec();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), 52);
    for name in names.iter().filter(|n| n.ends_with("Left")) {
        assert!(names.contains(&name.replace("Left", "Right")), "{name} has no right side");
    }
}

/// Low frequency: neighbours move almost alike.
#[test]
fn flexes_are_smooth_and_visible() {
    // How far a coefficient of 1 moves something, in metres, and the largest strain of an edge. The last of the curtain's components is
    // as large as the gust makes it.
    for (name, reach, largest_strain) in [
        ("chair", 0.03..0.15, 0.8),
        ("fish", 0.02..0.08, 1.0),
        ("bridge", 1.0..30.0, 0.8),
        ("curtain", 0.025..1.0, 0.8),
    ] {
        let model = model(name);
        let Rest::Fields(fields) = model.rest() else { panic!("{name} has fields") };
        let (positions, triangles) = (model.mesh().positions(), model.mesh().triangles());
        for field in fields.to_fields() {
            let mut dense = vec![Vec3::ZERO; positions.len()];
            for &(vertex, change) in &field.displacements {
                dense[vertex as usize] = change;
            }
            let farthest = dense.iter().map(|d| d.length()).fold(0.0, f32::max);
            assert!(reach.contains(&farthest), "{name} {}: {farthest}", field.name);
            let strain =
                |[a, b]: [usize; 2]| dense[a].distance(dense[b]) / positions[a].distance(positions[b]);
            let strain = edges(triangles).map(strain).fold(0.0, f32::max);
            println!("{name} {}: {farthest:.3} m, strain {strain:.2}", field.name);
            assert!(strain < largest_strain, "{name} {}: {strain}", field.name);
        }
    }
}

/// At all times of the clip: edges keep about their length, no triangle is folded over its neighbours, every piece keeps
/// about its volume.
#[test]
fn nothing_tears_or_turns_inside_out() {
    for (name, lengths, volumes) in [
        ("chair", 0.5..1.6, 0.7..1.4),
        ("fish", 0.5..1.6, 0.8..1.2),
        ("bridge", 0.5..1.8, 0.8..1.6),
        ("curtain", 0.5..1.6, 0.6..1.4),
    ] {
        let model = model(name);
        let (rest, triangles) = (model.mesh().positions(), model.mesh().triangles());
        let (smooth, pieces) = (smooth_edges(rest, triangles), pieces(rest.len(), triangles));
        let rest_volumes = volumes_of(&pieces, rest, triangles);
        assert!(rest_volumes.values().all(|&volume| volume > 0.0), "{name}");
        let clip = &model.clips()[0];
        let (mut length, mut volume) = ([f32::INFINITY, 0.0], [f64::INFINITY, 0.0]);
        for i in 0..24 {
            let posed = at_time(model, clip.duration() * (f64::from(i) + 0.5) / 24.0);
            for [a, b] in edges(triangles) {
                let ratio = posed[a].distance(posed[b]) / rest[a].distance(rest[b]);
                length = [length[0].min(ratio), length[1].max(ratio)];
            }
            for (piece, now) in volumes_of(&pieces, &posed, triangles) {
                let ratio = now / rest_volumes[&piece];
                volume = [volume[0].min(ratio), volume[1].max(ratio)];
            }
            let folded = smooth.iter().find(|pair| {
                let [n, m] = pair.map(|t| normal(&posed, &triangles[t as usize]));
                n.dot(m) <= 0.0
            });
            assert_eq!(folded, None, "{name} frame {i}");
        }
        println!("{name}: lengths {length:.2?}, volumes {volume:.2?}");
        assert!(length.iter().all(|ratio| lengths.contains(ratio)), "{name}: {length:?}");
        assert!(volume.iter().all(|ratio| volumes.contains(ratio)), "{name}: {volume:?}");
    }
}

#[test]
fn the_bridge_is_made_of_members_that_do_not_touch() {
    let bridge = model("bridge");
    let pieces = pieces(bridge.mesh().positions().len(), bridge.mesh().triangles());
    let count = volumes_of(&pieces, bridge.mesh().positions(), bridge.mesh().triangles()).len();
    assert!((7_000..8_000).contains(&count), "{count}");
    let shape = Arc::new(Shape::build(bridge.clone(), &BuildOptions::default()).unwrap());
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let touching = self_collide(&mut body).found;
    let corners: Vec<Vec3> = touching
        .iter()
        .map(|[t, _]| bridge.mesh().positions()[bridge.mesh().triangles()[*t as usize][0] as usize])
        .take(5)
        .collect();
    assert!(touching.is_empty(), "{} pairs, near {corners:?}", touching.len());
}

#[test]
fn the_bridge_bends_by_a_tenth_of_its_length() {
    let bridge = model("bridge");
    let duration = bridge.clips()[0].duration();
    let moved = |i: u32| {
        let posed = at_time(bridge, duration * f64::from(i) / 48.0);
        posed.iter().zip(bridge.mesh().positions()).map(|(p, q)| p.distance(*q)).fold(0.0, f32::max)
    };
    let farthest = (0..48).map(moved).fold(0.0, f32::max);
    assert!(farthest > 24.0, "{farthest}");
}

#[test]
fn the_wind_blows_for_110_frames() {
    for (name, clip, frames) in
        [("fish", "flap", 30.0), ("bridge", "sway", 240.0), ("curtain", "wind", 110.0)]
    {
        let duration = model(name).clip(clip).unwrap().duration();
        assert!((duration * 30.0 - frames).abs() < 1e-4, "{name}: {duration}");
    }
    // Far out at some time, and always fixed to the rod.
    let curtain = model("curtain");
    let top: Vec<usize> =
        (0..curtain.mesh().positions().len()).filter(|&v| curtain.mesh().positions()[v].y >= 2.2).collect();
    assert_eq!(top.len(), 3 * 74, "both sides and the hem");
    let mut farthest = 0.0f32;
    for i in 0..110 {
        let posed = at_time(curtain, f64::from(i) / 30.0);
        let moved = |v: usize| posed[v].distance(curtain.mesh().positions()[v]);
        assert!(top.iter().all(|&v| moved(v) < 1e-6), "frame {i}");
        farthest = (0..posed.len()).map(moved).fold(farthest, f32::max);
    }
    assert!(farthest > 0.8, "{farthest}");
}

#[test]
fn clips_loop_and_move() {
    for kind in kinds() {
        let model = model(kind.name);
        assert!(!model.clips().is_empty(), "{} has no clips", kind.name);
        for clip in model.clips() {
            assert!(clip.duration() > 0.0 && !clip.name().is_empty(), "{}", kind.name);
            let at = |time: f64| {
                let mut pose = model.rest_pose();
                clip.sample(time, &mut pose).unwrap();
                model.posed(&pose, Skinning::Linear).unwrap().positions()
            };
            let farthest =
                |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(p, q)| p.distance(*q)).fold(0.0, f32::max);
            let start = at(0.0);
            let mut times = (1..20).map(|i| clip.duration() * f64::from(i) / 20.0);
            assert!(
                times.any(|time| farthest(&start, &at(time)) > 0.003),
                "{} {} does not move",
                kind.name,
                clip.name()
            );
            if SHAPED.contains(&kind.name) {
                assert!(farthest(&start, &at(clip.duration())) < 1e-5, "{} {}", kind.name, clip.name());
            }
        }
    }
}

/// Kinds that change their shape at rest. All of their clips loop; characters also have clips that end elsewhere, such as a fall.
const SHAPED: [&str; 7] = ["blob", "dolphin", "face", "chair", "fish", "bridge", "curtain"];

#[test]
fn the_same_name_gives_the_same_model() {
    for name in SHAPED.into_iter().filter(|&name| is_made_again(name)) {
        assert_eq!(*model(name), make(name, 0).unwrap(), "{name}");
    }
}

#[test]
fn unknown_names_and_absurd_details_are_errors() {
    let error = make("unicorn", 0).unwrap_err();
    let ZooError::UnknownName { available, .. } = &error else { panic!("{error}") };
    assert!(kinds().iter().all(|kind| available.contains(kind.name)), "{error}");
    assert!(error.to_string().starts_with("there is no \"unicorn\" in the zoo; there are "));
    for detail in [12, 40, u32::MAX] {
        let error = make("dolphin", detail).unwrap_err();
        assert_eq!(error, ZooError::TooDetailed { name: "dolphin", detail, triangles: 564 });
    }
}

fn triangle_count(model: &Model) -> usize {
    model.mesh().triangles().len()
}

/// Positions in the first clip.
fn at_time(model: &Model, time: f64) -> Vec<Vec3> {
    let pose = model.sample(&model.clips()[0], time).unwrap();
    model.posed(&pose, Skinning::Linear).unwrap().positions()
}

/// Every edge of every triangle; those of closed surfaces come twice.
fn edges(triangles: &[[u32; 3]]) -> impl Iterator<Item = [usize; 2]> {
    triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).map(|edge| edge.map(|v| v as usize))
}

fn normal(positions: &[Vec3], triangle: &[u32; 3]) -> Vec3 {
    let [a, b, c] = triangle.map(|v| positions[v as usize]);
    (b - a).cross(c - a).normalize_or_zero()
}

/// Pairs of triangles that share an edge and differ by less than 45 degrees.
fn smooth_edges(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let mut sides: HashMap<[usize; 2], u32> = HashMap::new();
    let mut pairs = Vec::new();
    for (i, [a, b]) in edges(triangles).enumerate() {
        let triangle = (i / 3) as u32;
        if let Some(&other) = sides.get(&[b, a]) {
            pairs.push([triangle, other]);
        }
        sides.insert([a, b], triangle);
    }
    assert_eq!(2 * pairs.len(), 3 * triangles.len(), "every edge has two sides");
    pairs.retain(|pair| {
        let [n, m] = pair.map(|t| normal(positions, &triangles[t as usize]));
        n.dot(m) > 0.5f32.sqrt()
    });
    pairs
}

/// For each vertex, a vertex that stands for the connected piece it belongs to.
fn pieces(vertices: usize, triangles: &[[u32; 3]]) -> Vec<usize> {
    let mut leaders: Vec<usize> = (0..vertices).collect();
    fn leader(leaders: &mut [usize], mut v: usize) -> usize {
        while leaders[v] != v {
            leaders[v] = leaders[leaders[v]];
            v = leaders[v];
        }
        v
    }
    for [a, b] in edges(triangles) {
        let [a, b] = [a, b].map(|v| leader(&mut leaders, v));
        leaders[a.max(b)] = a.min(b);
    }
    (0..vertices).map(|v| leader(&mut leaders, v)).collect()
}

/// Volumes by piece. Each is seen from one of its own vertices: small pieces far from the origin lose no digits.
fn volumes_of(pieces: &[usize], positions: &[Vec3], triangles: &[[u32; 3]]) -> BTreeMap<usize, f64> {
    let mut volumes = BTreeMap::new();
    for triangle in triangles {
        let piece = pieces[triangle[0] as usize];
        let [a, b, c] = triangle.map(|v| (positions[v as usize] - positions[piece]).as_dvec3());
        *volumes.entry(piece).or_insert(0.0) += a.dot(b.cross(c)) / 6.0;
    }
    volumes
}

/// By the divergence theorem: the sum of the tetrahedra from the origin.
fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let tetrahedron = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| positions[v as usize].as_dvec3());
        a.dot(b.cross(c)) / 6.0
    };
    triangles.iter().map(tetrahedron).sum()
}

/// The smallest angle of each triangle, in degrees.
fn smallest_angles(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<f32> {
    let smallest = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| positions[v as usize]);
        let angle = |p: Vec3, q: Vec3, r: Vec3| (q - p).angle_between(r - p).to_degrees();
        angle(a, b, c).min(angle(b, c, a)).min(angle(c, a, b))
    };
    triangles.iter().map(smallest).collect()
}

#[test]
fn the_registry_knows_what_it_makes() {
    for kind in kinds() {
        let model = model(kind.name);
        let counts = [
            model.mesh().positions().len(),
            model.mesh().triangles().len(),
            model.skeleton().joints().len(),
            model.rest().coefficient_count(),
        ];
        assert_eq!(counts, [kind.vertices, kind.triangles, kind.joints, kind.shapes], "{}", kind.name);
        assert!(model.parts().iter().all(|part| part.name == kind.name));
    }
}
