//! Shapes in files: what is loaded equals what was saved; damage is an error; made-up files do no harm.

use std::sync::Arc;

use crate::subjects::random_model::{Random, RestKind, random_model, random_pose};
use glam::{DAffine3, DVec3, Vec2, Vec3};
use supple::StorageError;
use supple::mesh::Mesh;
use supple::model::{Model, Part, Primitive};
use supple::pose::{Channel, Clip, Interpolation, Skeleton, Target};
use supple::refit::{VolumeKind, violations};
use supple::{Body, BuildError, BuildOptions, Shape, Skinning, collide};

/// A random model with everything a model can have.
fn furnished_model(seed: u64, kind: RestKind) -> Model {
    let mut random = Random(seed ^ 0xf00d);
    let plain = random_model(seed, kind);
    let mut nodes = plain.skeleton().nodes().to_vec();
    let mut joints = plain.skeleton().joints().to_vec();
    nodes[2].offset = Some(DAffine3::from_translation(DVec3::new(0.1, 0.2, f64::from(random.signed()))));
    nodes[3].name = "Knöchel".to_owned();
    joints[1].inverse_bind = DAffine3::from_rotation_x(f64::from(random.signed()));
    let uvs = plain.mesh().positions().iter().map(|p| Vec2::new(p.x, -0.0)).collect();
    let mesh = plain.mesh().clone().with_uvs(uvs).unwrap();
    let skeleton = Skeleton::new(nodes, joints).unwrap();
    let coefficients = plain.rest().coefficient_count();
    let model = Model::new(mesh, plain.skin().clone(), skeleton).unwrap();
    let model = model.with_rest(plain.rest().clone()).unwrap();
    let model = model.with_clips(clips(&mut random, coefficients)).unwrap();
    let primitive = |triangles| Primitive { material: "skin".to_owned(), vertices: 0..60, triangles };
    let part = |name: &str, triangles: std::ops::Range<usize>| Part {
        name: name.to_owned(),
        node: 1,
        vertices: 0..60,
        triangles: triangles.clone(),
        coefficients: 0..coefficients,
        primitives: vec![primitive(triangles.start..triangles.end - 3), primitive(triangles)],
    };
    model.with_parts(vec![part("left", 0..20), part("", 20..40)]).unwrap()
}

fn clips(random: &mut Random, coefficients: usize) -> Vec<Clip> {
    let mut channel = |target, interpolation, width: usize| Channel {
        target,
        interpolation,
        times: vec![0.25, 1.5],
        values: (0..2 * width).map(|_| random.signed().abs() + 0.01).collect(),
    };
    let moves = vec![
        channel(Target::Translation(1), Interpolation::Linear, 3),
        channel(Target::Rotation(2), Interpolation::CubicSpline, 12),
        channel(Target::Scale(3), Interpolation::Step, 3),
        channel(Target::Coefficients(0..coefficients), Interpolation::Linear, coefficients),
    ];
    vec![Clip::new("moves", moves).unwrap(), Clip::new("", vec![]).unwrap()]
}

fn shape(model: Model) -> Shape {
    Shape::build(model, &BuildOptions::default().with_leaf_size(2)).unwrap()
}

fn small_shape() -> Shape {
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let mesh = Mesh::new(corners, vec![[0, 1, 2], [0, 2, 3], [1, 3, 2]]).unwrap();
    // A root with groups: a node of one triangle is a twig.
    let options = BuildOptions::default().with_leaf_size(1).with_twig_size(1);
    Shape::build(Model::rigid(mesh), &options).unwrap()
}

fn error_of(bytes: &[u8]) -> String {
    Shape::from_bytes(bytes).unwrap_err().to_string()
}

#[test]
fn every_kind_of_model_comes_back_bit_by_bit() {
    for seed in 0..60 {
        for kind in RestKind::ALL {
            for model in [random_model(seed, kind), furnished_model(seed, kind)] {
                let saved = shape(model);
                let bytes = saved.to_bytes().unwrap();
                let loaded = Shape::from_bytes(&bytes).unwrap();
                assert_eq!(loaded, saved, "seed {seed} {kind:?}");
                // Comparing numbers does not tell -0 from 0; comparing bytes does.
                assert_eq!(loaded.to_bytes().unwrap(), bytes, "seed {seed} {kind:?}");
            }
        }
    }
}

#[test]
fn equal_shapes_have_equal_bytes() {
    for kind in RestKind::ALL {
        let bytes = || shape(furnished_model(7, kind)).to_bytes().unwrap();
        assert_eq!(bytes(), bytes());
    }
}

#[test]
fn loaded_shapes_collide_like_saved_ones() {
    let mut contacts = 0;
    for seed in 0..20 {
        for kind in RestKind::ALL {
            let saved = Arc::new(shape(furnished_model(seed, kind)));
            let loaded = Arc::new(Shape::from_bytes(&saved.to_bytes().unwrap()).unwrap());
            for skinning in Skinning::ALL {
                let collision = |shape: &Arc<Shape>| {
                    let [mut a, mut b] = [0, 1].map(|i| {
                        let mut body = Body::new(shape, skinning).unwrap();
                        body.set_pose(&random_pose(shape.model(), seed * 2 + i, false)).unwrap();
                        body
                    });
                    collide(&mut a, &mut b)
                };
                let expected = collision(&saved);
                assert_eq!(collision(&loaded), expected, "seed {seed} {kind:?} {skinning:?}");
                contacts += expected.found.len();
            }
        }
    }
    assert!(contacts > 1000, "only {contacts} pairs touch: the comparison says little");
}

#[test]
fn files_are_written_and_read() {
    let path = std::env::temp_dir().join(format!("supple-storage-{}.supple", std::process::id()));
    let saved = shape(furnished_model(1, RestKind::Fields));
    saved.save(&path).unwrap();
    assert_eq!(Shape::load(&path).unwrap(), saved);
    std::fs::remove_file(&path).unwrap();
    let error = Shape::load(&path).unwrap_err();
    assert!(matches!(error, StorageError::Read { .. }) && error.to_string().contains("supple-storage-"));
    let folder = std::env::temp_dir();
    assert!(matches!(saved.save(&folder), Err(StorageError::Write { .. })));
}

/// Coordinates whose squares leave f32 are refused before a tree is built.
#[test]
fn shapes_beyond_f32_are_not_built() {
    let mesh = Mesh::new(vec![Vec3::X * f32::MAX, Vec3::ZERO, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let error = Shape::build(Model::rigid(mesh), &BuildOptions::default()).unwrap_err();
    assert_eq!(error, BuildError::TooLarge { vertex: 0, length: f64::from(f32::MAX) });
}

#[test]
fn parts_beyond_the_model_are_errors() {
    let model = || random_model(1, RestKind::Plain);
    let error = |change: &dyn Fn(&mut Part)| {
        let mut part = model().parts()[0].clone();
        change(&mut part);
        model().with_parts(vec![part]).unwrap_err().to_string()
    };
    let beyond =
        |what| format!("part 0 extends beyond the model's {what}, or a range of it ends before it starts");
    assert_eq!(error(&|part| part.triangles.end = 41), beyond("triangles"));
    let primitive = "a primitive of part 0 extends beyond the part's triangles, or ends before it starts";
    assert_eq!(error(&|part| part.primitives[0].triangles.end = 41), primitive);
    assert_eq!(error(&|part| part.vertices.start = 61), beyond("vertices"));
    assert_eq!(error(&|part| part.node = usize::MAX), beyond("nodes"));
}

#[test]
fn every_change_of_a_byte_is_an_error() {
    let bytes = small_shape().to_bytes().unwrap();
    for at in 0..bytes.len() {
        for change in 1..=255 {
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            let error = Shape::from_bytes(&damaged).expect_err(&format!("byte {at} changed by {change}"));
            assert!(!matches!(error, StorageError::Wrong { .. } | StorageError::Model(_)), "{at}: {error}");
        }
    }
}

#[test]
fn every_cut_and_everything_appended_is_an_error() {
    let bytes = shape(furnished_model(3, RestKind::Morph)).to_bytes().unwrap();
    for length in 0..bytes.len() {
        let error = Shape::from_bytes(&bytes[..length]).unwrap_err();
        assert!(matches!(error, StorageError::Truncated { .. }), "{length}: {error}");
    }
    for appended in [&[0][..], &[255; 3], &bytes] {
        let error = Shape::from_bytes(&[&bytes, appended].concat()).unwrap_err();
        assert!(matches!(error, StorageError::Prolonged { .. }), "{error}");
    }
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let bytes = small_shape().to_bytes().unwrap();
    let changed = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        error_of(&bytes)
    };
    assert_eq!(error_of(b"glTF"), "this is not a shape file: it does not start with \"SUPPLE\"");
    assert_eq!(error_of(&[]), "the file ends at byte 0, inside the header that starts at byte 0");
    assert_eq!(
        changed(8, 1),
        "the file has format version 1, this library reads version 6; build the shape anew"
    );
    assert_eq!(changed(12, b'm'), "at byte 12 the mesh should start, but its tag is not there");
    let length = error_of(&bytes[..40]);
    assert_eq!(length, "the file ends at byte 40, inside the mesh that starts at byte 12");
    let [mesh, rest, ..] = sections(&bytes)[..] else { panic!("sections") };
    let place = format!("the mesh (bytes 12 to {}) is damaged: its checksum is ", rest.0);
    assert!(changed(mesh.1 + 5, 77).starts_with(&place), "{}", changed(mesh.1 + 5, 77));
    let long = error_of(&[&bytes[..], &[1, 2]].concat());
    assert_eq!(
        long,
        format!("the file should end at byte {0}, but has {1} bytes", bytes.len(), bytes.len() + 2)
    );
}

#[test]
fn wrong_content_with_a_right_checksum_is_an_error_with_a_place() {
    let bytes = small_shape().to_bytes().unwrap();
    let crafted = |section: usize, at: usize, value: u32| {
        let mut bytes = bytes.clone();
        let start = sections(&bytes)[section].1 + at;
        bytes[start..start + 4].copy_from_slice(&value.to_le_bytes());
        seal(&mut bytes);
        error_of(&bytes)
    };
    let left = sections(&bytes)[0].2 - 4;
    assert_eq!(
        crafted(0, 0, u32::MAX),
        format!("the mesh is wrong before byte 36: a list of 4294967295 does not fit into {left} bytes")
    );
    assert_eq!(crafted(0, 4, f32::NAN.to_bits()), "the mesh is wrong before byte 40: a number is not finite");
    // Four positions and a length are before the first triangle.
    let error = crafted(0, 4 + 48 + 4, 9);
    assert!(error.ends_with("triangle 0 names vertex 9, but there are only 4 vertices"), "{error}");
    // The tree: order of three triangles, then the root: kind, children.
    for triangle in [2, 3] {
        let error = crafted(6, 8, triangle);
        assert!(error.ends_with(&format!("triangle {triangle} is out of range or there twice")), "{error}");
    }
    let root = 4 + 12 + 4;
    let error = crafted(6, root + 1, 0);
    assert!(error.contains("node 0 has the children 0.."), "{error}");
    let error = crafted(6, root + 5, 900);
    assert!(error.contains("a node has 899 children or triangles"), "{error}");
    let error = crafted(6, root + 5, 8);
    assert!(error.contains("node 0 has the children 1..8 of"), "{error}");
    // After four nodes of nine bytes: the list of nodes above twigs, and how many groups, linear groups and changes each has.
    let above_twigs = root + 4 * 9 + 4;
    let error = crafted(6, above_twigs, 2);
    assert!(
        error.contains("node 2 is said to be above twigs, but is out of order, a leaf, or in a twig"),
        "{error}"
    );
    let error = crafted(6, above_twigs + 8, 0);
    assert!(
        error.contains("nodes have [0, 1, 0] groups, linear groups and changes; there are [1, 1, 0]"),
        "{error}"
    );
}

/// Thousands of files in which somebody changed numbers and made the checksums right again.
#[test]
fn made_up_files_do_no_harm() {
    let (mut loaded, mut refused) = (0, 0);
    for kind in RestKind::ALL {
        let original = shape(furnished_model(5, kind)).to_bytes().unwrap();
        for seed in 0..2000 {
            let mut random = Random(seed);
            let mut bytes = original.clone();
            for _ in 0..1 + random.below(3) {
                mutate(&mut random, &mut bytes);
            }
            seal(&mut bytes);
            match Shape::from_bytes(&bytes) {
                Ok(shape) => {
                    loaded += 1;
                    exercise(&Arc::new(shape), seed);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(loaded > 1000 && refused > 1000, "{loaded} loaded, {refused} refused: both must occur");
}

/// Asks a shape everything; what it answers does not matter.
fn exercise(shape: &Arc<Shape>, seed: u64) {
    let skinning = Skinning::ALL[seed as usize % 3];
    let Ok(mut body) = Body::new(shape, skinning) else { return };
    let mut other = body.clone();
    let mut poses = vec![random_pose(shape.model(), seed, true)];
    poses.extend(shape.model().clips().iter().map(|clip| shape.model().sample(clip, 0.7).unwrap()));
    for pose in &poses {
        // A made-up pose may not be finite; the body then keeps the one it had.
        other.set_pose(pose).ok();
        violations(&mut other, VolumeKind::Sphere);
        collide(&mut body, &mut other);
    }
    violations(&mut body, VolumeKind::Box);
    supple::collide_any(&mut other, &mut body);
    let again = shape.to_bytes().unwrap();
    assert_eq!(&Shape::from_bytes(&again).unwrap(), &**shape, "seed {seed}");
}

/// Writes something else somewhere: noise, limits, numbers of the file itself; or takes bytes out, or puts some in.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    let all = sections(bytes);
    let (header, start, length) = all[random.below(all.len())];
    if length < 8 {
        return;
    }
    let at = start + random.below(length - 4);
    let special = [0, 1, 2, 7, u32::MAX, 1 << 31, i32::MAX as u32, 0x7f7f_ffff, 0xff7f_ffff, 1, 0x8000_0001];
    match random.below(6) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.next() as u8,
        2 => {
            let value = special[random.below(special.len())];
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        3 => {
            // A number of the same section, likely to be plausible here.
            let from = start + random.below(length - 4);
            bytes.copy_within(from..from + 4, at);
        }
        4 => {
            let near = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let near = near.wrapping_add_signed(random.below(7) as i32 - 3);
            bytes[at..at + 4].copy_from_slice(&near.to_le_bytes());
        }
        _ => {
            let count = 4 * (1 + random.below(3)).min((length - 4) / 4);
            let new_length = if random.below(2) == 0 {
                bytes.drain(start..start + count);
                length - count
            } else {
                bytes.splice(at..at, vec![0; count]);
                length + count
            };
            bytes[header + 4..header + 12].copy_from_slice(&(new_length as u64).to_le_bytes());
        }
    }
}

/// Start of each section, start of its content, and length of its content.
fn sections(bytes: &[u8]) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    let mut at = 12;
    while at < bytes.len() {
        let length = u64::from_le_bytes(bytes[at + 4..at + 12].try_into().unwrap()) as usize;
        found.push((at, at + 20, length));
        at += 20 + length;
    }
    found
}

/// Makes all checksums right.
fn seal(bytes: &mut [u8]) {
    for (header, start, length) in sections(bytes) {
        let sum = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        let covered = bytes[header..header + 12].iter().chain(&bytes[start..start + length]);
        let sum = covered.fold(0xcbf2_9ce4_8422_2325, sum);
        bytes[header + 12..start].copy_from_slice(&sum.to_le_bytes());
    }
}
