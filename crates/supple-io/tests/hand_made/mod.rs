//! Small models that together have every feature a model can have.

use glam::{DAffine3, DVec3, Quat, Vec2, Vec3};
use supple::model::{Part, Primitive};
use supple::pose::{Channel, Interpolation, Joint, Node, Skeleton, Target};
use supple::rest::{ConvexMorph, Field, Fields, Reference, Rest};
use supple::{Clip, Mesh, Model, Skin, Transform};

/// All of them, with names.
pub fn models() -> Vec<(&'static str, Model)> {
    vec![
        ("influences", many_influences()),
        ("several parts", several_parts()),
        ("convex morph", convex_morph()),
        ("shared fields", shared_fields()),
        ("repeated joint nodes", repeated_joint_nodes()),
        ("two roots", two_roots()),
        ("large", large()),
    ]
}

/// A strip of `n` vertices along x with normals and texture coordinates.
fn strip(n: usize) -> Mesh {
    let positions: Vec<Vec3> =
        (0..n).map(|i| Vec3::new(i as f32 * 0.1, (i % 2) as f32, (i % 5) as f32 * 0.07)).collect();
    let triangles = (0..n as u32 - 2).map(|i| if i % 2 == 0 { [i, i + 2, i + 1] } else { [i, i + 1, i + 2] });
    let normals = (0..n).map(|i| Vec3::new((i as f32).sin(), (i as f32).cos(), 0.3).normalize()).collect();
    let uvs = (0..n).map(|i| Vec2::new(i as f32 / n as f32, (i % 2) as f32)).collect();
    Mesh::new(positions, triangles.collect()).unwrap().with_normals(normals).unwrap().with_uvs(uvs).unwrap()
}

fn chain(n: usize) -> Vec<Node> {
    let node = |i: usize| {
        let rest = Transform {
            translation: Vec3::new(0.1, 0.02 * i as f32, 0.0),
            rotation: Quat::from_rotation_z(0.1 * i as f32),
            scale: Vec3::new(1.0, 1.0 + 0.01 * i as f32, 1.0),
        };
        Node::new(format!("bone {i}"), i.checked_sub(1), rest)
    };
    (0..n).map(node).collect()
}

fn bind(i: usize) -> DAffine3 {
    // Exact in f32, as a file would have it.
    DAffine3::from_translation(DVec3::new(-0.125 * i as f64, 0.25, 0.0))
}

fn joints(n: usize) -> Vec<Joint> {
    (0..n).map(|node| Joint { node, inverse_bind: bind(node) }).collect()
}

fn channel(target: Target, interpolation: Interpolation, times: &[f32], values: &[f32]) -> Channel {
    Channel { target, interpolation, times: times.to_vec(), values: values.to_vec() }
}

fn turn(node: usize, interpolation: Interpolation) -> Channel {
    let keys = [Quat::from_rotation_x(0.3), Quat::from_rotation_y(-0.9), Quat::from_rotation_z(2.0)];
    let zero = [0.05; 4];
    let values: Vec<f32> = match interpolation {
        Interpolation::CubicSpline => {
            keys.iter().flat_map(|k| [zero, k.to_array(), zero]).flatten().collect()
        }
        _ => keys.iter().flat_map(|k| k.to_array()).collect(),
    };
    channel(Target::Rotation(node), interpolation, &[0.0, 0.4, 1.5], &values)
}

/// Vertices with 1 to 9 influences, all interpolations, keys that jump, a joint nobody follows.
fn many_influences() -> Model {
    let lists: Vec<Vec<(u32, f32)>> =
        (0..30u32).map(|v| (0..=v % 9).map(|j| (j, 1.0 + ((v * 7 + j * 3) % 5) as f32)).collect()).collect();
    let skin = Skin::new(11, lists.iter().map(Vec::as_slice)).unwrap();
    let mut nodes = chain(11);
    nodes.push(Node::new("body", None, Transform::from_translation(Vec3::new(9.0, 9.0, 9.0))));
    let skeleton = Skeleton::new(nodes, joints(11)).unwrap();
    let jump = [0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.5, 0.5, 0.0, 0.6, 0.5, 0.0];
    let smooth: Vec<f32> = (0..18).map(|i| 0.9 + (i as f32 * 1.7).sin() * 0.2).collect();
    let clips = vec![
        Clip::new(
            "all",
            vec![
                turn(1, Interpolation::Linear),
                turn(2, Interpolation::Step),
                turn(3, Interpolation::CubicSpline),
                channel(Target::Translation(4), Interpolation::Linear, &[0.0, 1.0, 1.0, 2.0], &jump),
                channel(Target::Scale(5), Interpolation::CubicSpline, &[0.25, 1.75], &smooth),
            ],
        ),
        Clip::new("one", vec![turn(0, Interpolation::Linear)]),
    ];
    let part = Part { name: "body".to_owned(), node: 11, ..whole(&strip(30), 0) };
    Model::new(strip(30), skin, skeleton)
        .unwrap()
        .with_clips(clips.into_iter().map(Result::unwrap).collect())
        .unwrap()
        .with_parts(vec![part])
        .unwrap()
}

fn whole(mesh: &Mesh, coefficients: usize) -> Part {
    let (vertices, triangles) = (0..mesh.positions().len(), 0..mesh.triangles().len());
    let primitives = vec![Primitive {
        material: "skin".to_owned(),
        vertices: vertices.clone(),
        triangles: triangles.clone(),
    }];
    Part { name: "whole".to_owned(), node: 0, vertices, triangles, coefficients: 0..coefficients, primitives }
}

/// A rigid part under a mirrored node, a skinned one with fields and two materials, one under a sheared and animated
/// node, one under a sheared node.
fn several_parts() -> Model {
    let piece = strip(12);
    let count = piece.positions().len();
    let repeat = |values: &[Vec3]| values.iter().cycle().take(count * 4).copied().collect::<Vec<_>>();
    let triangles = (0..4u32)
        .flat_map(|k| piece.triangles().iter().zip(0..).map(move |(t, i)| (k, i, t.map(|v| v + k * 12))))
        .filter(|&(k, i, _)| k != 1 || (i != 4 && i != 5))
        .map(|(_, _, triangle)| triangle)
        .collect::<Vec<[u32; 3]>>();
    let mesh = Mesh::new(repeat(piece.positions()), triangles).unwrap();
    let mesh = mesh.with_normals(repeat(piece.normals().unwrap())).unwrap();
    let mirrored = Transform { scale: Vec3::new(-1.0, 1.0, 2.0), ..Transform::from_translation(Vec3::Y) };
    let shear = DAffine3::from_cols_array(&[1., 0.2, 0., 0.5, 1., 0., 0., 0.1, 1., 1., 2., 3.]);
    let nodes = vec![
        Node::new("scene", None, Transform::from_rotation(Quat::from_rotation_x(0.4))),
        Node::new("mirrored", Some(0), mirrored),
        Node::new("skinned", Some(0), Transform::from_translation(Vec3::X)),
        Node { offset: Some(shear), ..Node::new("sheared and animated", Some(1), Transform::IDENTITY) },
        Node { offset: Some(shear), ..Node::new("sheared", Some(3), Transform::from_translation(Vec3::Z)) },
        Node::new("bone", Some(4), Transform::from_translation(Vec3::NEG_Z)),
    ];
    let identity = DAffine3::IDENTITY;
    let joint = |node, inverse_bind| Joint { node, inverse_bind };
    let skeleton = Skeleton::new(
        nodes,
        vec![
            joint(1, identity),
            joint(5, bind(1)),
            joint(0, bind(2)),
            joint(3, identity),
            joint(4, identity),
        ],
    )
    .unwrap();
    let list = |v: usize| match v / 12 {
        0 => vec![(0, 1.0)],
        1 => vec![(1, 0.25 + (v % 3) as f32), (2, 0.75)],
        2 => vec![(3, 1.0)],
        _ => vec![(4, 1.0)],
    };
    let lists: Vec<Vec<(u32, f32)>> = (0..48).map(list).collect();
    let skin = Skin::new(5, lists.iter().map(Vec::as_slice)).unwrap();
    let parts = [
        ("mirrored", 1, 0..0),
        ("skinned", 2, 0..2),
        ("sheared and animated", 3, 2..3),
        ("sheared", 4, 3..3),
    ];
    let parts = parts.into_iter().enumerate().map(|(k, (name, node, coefficients))| Part {
        name: name.to_owned(),
        node,
        vertices: k * 12..k * 12 + 12,
        triangles: FIRST_TRIANGLES[k]..FIRST_TRIANGLES[k + 1],
        coefficients,
        primitives: primitives(k),
    });
    let clip = Clip::new(
        "move",
        vec![
            turn(3, Interpolation::Linear),
            turn(5, Interpolation::CubicSpline),
            channel(Target::Translation(1), Interpolation::Step, &[0.5, 1.0], &[0., 1., 0., 0., 2., 0.]),
            channel(Target::Coefficients(0..2), Interpolation::Linear, &[0.0, 1.0], &[0.0, 1.0, -2.0, 0.5]),
            channel(
                Target::Coefficients(2..3),
                Interpolation::CubicSpline,
                &[0.0, 1.0],
                &[0., 1., 2., 1., 0., 0.],
            ),
        ],
    );
    Model::new(mesh, skin, skeleton)
        .unwrap()
        .with_rest(Rest::Fields(Fields::new(48, &three_fields()).unwrap()))
        .unwrap()
        .with_clips(vec![clip.unwrap()])
        .unwrap()
        .with_parts(parts.collect())
        .unwrap()
}

/// Triangles of part `k`: the strip of the skinned part is cut in two by leaving two triangles out.
const FIRST_TRIANGLES: [usize; 5] = [0, 10, 18, 28, 38];

fn primitives(k: usize) -> Vec<Primitive> {
    let primitive = |material: &str, vertices: std::ops::Range<usize>, triangles: std::ops::Range<usize>| {
        Primitive { material: material.to_owned(), vertices, triangles }
    };
    match k {
        1 => vec![primitive("skin", 12..18, 10..14), primitive("cloth", 18..24, 14..18)],
        _ => vec![primitive(
            ["steel", "", "", "steel"][k],
            k * 12..k * 12 + 12,
            FIRST_TRIANGLES[k]..FIRST_TRIANGLES[k + 1],
        )],
    }
}

fn three_fields() -> Vec<Field> {
    let field = |name: &str, vertices: std::ops::Range<u32>, normals: bool| Field {
        name: name.to_owned(),
        default: 0.25,
        displacements: vertices.clone().map(|v| (v, Vec3::new(0.0, 0.1, v as f32 * 0.01))).collect(),
        normal_changes: vertices.filter(|_| normals).map(|v| (v, Vec3::X * 0.1)).collect(),
    };
    vec![field("all", 12..24, true), field("one", 15..16, false), field("other", 24..36, false)]
}

/// Three references, weights that do not sum to 1, on an animated joint.
fn convex_morph() -> Model {
    let mesh = strip(40);
    let reference = |name: &str, stretch: f32| Reference {
        name: name.to_owned(),
        positions: mesh.positions().iter().map(|p| *p * stretch).collect(),
        normals: mesh.normals().unwrap().to_vec(),
    };
    let morph =
        ConvexMorph::new(&[reference("round", 1.0), reference("long", 1.5), reference("flat", 0.5)]).unwrap();
    let weights = [1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 0.0, 0.5, 0.5];
    let clip = Clip::new(
        "breathe",
        vec![
            channel(Target::Coefficients(0..3), Interpolation::Step, &[0.0, 1.0, 2.0], &weights),
            turn(0, Interpolation::Linear),
        ],
    );
    let part = whole(&mesh, 3);
    Model::rigid(mesh.clone())
        .with_rest(Rest::Morph(morph))
        .unwrap()
        .with_clips(vec![clip.unwrap()])
        .unwrap()
        .with_parts(vec![Part { name: "root".to_owned(), ..part }])
        .unwrap()
}

/// Two parts on one node that share coefficients, each animated by a channel of its own.
fn shared_fields() -> Model {
    let mesh = strip(600);
    let cut = mesh.triangles().iter().position(|t| t.iter().any(|&v| v >= 300)).unwrap();
    let triangles: Vec<[u32; 3]> = mesh
        .triangles()
        .iter()
        .enumerate()
        .filter(|(i, _)| *i < cut || *i >= cut + 2)
        .map(|(_, t)| *t)
        .collect();
    let last = triangles.len();
    let mesh = Mesh::new(mesh.positions().to_vec(), triangles).unwrap();
    let field = |name: &str, vertices: std::ops::Range<u32>| Field {
        name: name.to_owned(),
        default: 0.0,
        displacements: vertices.map(|v| (v, Vec3::Z * 0.3)).collect(),
        normal_changes: vec![],
    };
    let fields = Fields::new(600, &[field("left", 10..20), field("right", 290..590)]).unwrap();
    let clip = Clip::new(
        "two",
        vec![
            channel(Target::Coefficients(0..1), Interpolation::Linear, &[0.0, 1.0], &[0.0, 1.0]),
            channel(Target::Coefficients(1..2), Interpolation::Linear, &[0.5, 3.0], &[2.0, -1.0]),
        ],
    );
    let part = |name: &str, vertices: std::ops::Range<usize>, triangles: std::ops::Range<usize>| Part {
        name: name.to_owned(),
        node: 0,
        vertices: vertices.clone(),
        triangles: triangles.clone(),
        coefficients: 0..2,
        primitives: vec![Primitive { material: String::new(), vertices, triangles }],
    };
    Model::rigid(mesh)
        .with_rest(Rest::Fields(fields))
        .unwrap()
        .with_clips(vec![clip.unwrap()])
        .unwrap()
        .with_parts(vec![part("root", 0..300, 0..cut), part("second", 300..600, cut..last)])
        .unwrap()
}

/// One node twice in the palette, with different bind matrices, both at one vertex.
fn repeated_joint_nodes() -> Model {
    let lists: Vec<Vec<(u32, f32)>> = (0..10).map(|v| vec![(0, 1.0), (1, v as f32), (2, 0.5)]).collect();
    let skin = Skin::new(3, lists.iter().map(Vec::as_slice)).unwrap();
    let joint = |node, i| Joint { node, inverse_bind: bind(i) };
    let skeleton = Skeleton::new(chain(2), vec![joint(0, 0), joint(0, 1), joint(1, 2)]).unwrap();
    let clip = Clip::new("turn", vec![turn(0, Interpolation::Linear)]).unwrap();
    let part = whole(&strip(10), 0);
    Model::new(strip(10), skin, skeleton)
        .unwrap()
        .with_clips(vec![clip])
        .unwrap()
        .with_parts(vec![part])
        .unwrap()
}

/// Joints without a common root.
fn two_roots() -> Model {
    let nodes = vec![
        Node::new("left", None, Transform::from_translation(Vec3::X)),
        Node::new("right", None, Transform::from_rotation(Quat::from_rotation_y(1.0))),
    ];
    let skeleton = Skeleton::new(nodes, joints(2)).unwrap();
    let lists: Vec<Vec<(u32, f32)>> = (0..10).map(|v| vec![(0, 1.0), (1, v as f32 * 0.2)]).collect();
    let skin = Skin::new(2, lists.iter().map(Vec::as_slice)).unwrap();
    let part = whole(&strip(10), 0);
    Model::new(strip(10), skin, skeleton).unwrap().with_parts(vec![part]).unwrap()
}

/// More vertices than 16 bits can number, more joints than 8 bits can, a sparse field far out.
fn large() -> Model {
    let mesh = strip(70_000);
    let lists: Vec<Vec<(u32, f32)>> = (0..70_000u32).map(|v| vec![(v % 300, 1.0)]).collect();
    let skin = Skin::new(300, lists.iter().map(Vec::as_slice)).unwrap();
    let flat = (0..300).map(|i| Node::new(format!("bone {i}"), (i > 0).then_some(0), Transform::IDENTITY));
    let skeleton = Skeleton::new(flat.collect(), joints(300)).unwrap();
    let field = Field {
        name: "far".to_owned(),
        default: 1.0,
        displacements: vec![(69_999, Vec3::Y)],
        normal_changes: vec![(3, Vec3::Y)],
    };
    let part = whole(&mesh, 1);
    Model::new(mesh, skin, skeleton)
        .unwrap()
        .with_rest(Rest::Fields(Fields::new(70_000, &[field]).unwrap()))
        .unwrap()
        .with_parts(vec![part])
        .unwrap()
}
