//! Coloured meshes as others see them: the `gltf` crate, and the strict checker.

mod strict_checker;

use glam::Vec3;
use gltf::accessor::{DataType, Dimensions};
use supple_io::{ColouredFrame, ColouredMesh, GlbError, coloured_glb_bytes, write_coloured_glb};

const RED: [u8; 4] = [255, 0, 3, 255];
const BLUE: [u8; 4] = [7, 20, 200, 128];

/// Two squares that share a list of positions with a vertex that is nowhere; no triangle uses it.
const POSITIONS: [Vec3; 9] = [
    Vec3::new(0.0, 0.0, 0.0),
    Vec3::new(1.5, 0.0, 0.0),
    Vec3::new(1.5, 1.0, -2.0),
    Vec3::new(0.0, 1.0, 0.0),
    Vec3::NAN,
    Vec3::new(0.0, 0.0, 4.0),
    Vec3::new(1.0, 0.0, 4.0),
    Vec3::new(1.0, 1.0, 4.0),
    Vec3::new(0.0, 1.0, 4.25),
];
const TRIANGLES: [[u32; 3]; 4] = [[0, 1, 2], [0, 2, 3], [5, 6, 7], [5, 7, 8]];

fn mesh(name: &str, triangles: std::ops::Range<usize>, colours: &[[u8; 4]]) -> ColouredMesh<'static> {
    let triangles = &TRIANGLES[triangles];
    ColouredMesh { name: name.to_owned(), positions: &POSITIONS, triangles, colours: colours.to_vec() }
}

fn frame(name: &str, meshes: &[ColouredMesh<'static>]) -> ColouredFrame<'static> {
    ColouredFrame { name: name.to_owned(), meshes: meshes.to_vec() }
}

/// Corners of the triangles of a primitive, each with its colour.
fn read(primitive: &gltf::Primitive<'_>, blob: &[u8]) -> Vec<(Vec3, [u8; 4])> {
    let reader = primitive.reader(|_| Some(blob));
    let positions: Vec<Vec3> = reader.read_positions().unwrap().map(Vec3::from).collect();
    let colours: Vec<[u8; 4]> = reader.read_colors(0).unwrap().into_rgba_u8().collect();
    assert_eq!(positions.len(), colours.len());
    reader.read_indices().unwrap().into_u32().map(|i| (positions[i as usize], colours[i as usize])).collect()
}

#[test]
fn another_reader_finds_positions_colours_and_names() {
    let front = mesh("front", 0..2, &[RED, BLUE]);
    let back = mesh("back", 2..4, &[BLUE, BLUE]);
    let frames =
        [frame("frame 3", &[front.clone(), back, mesh("empty", 2..2, &[])]), frame("frame 7", &[front])];
    let bytes = coloured_glb_bytes(&frames).unwrap();
    let problems = strict_checker::problems(&bytes);
    assert!(problems.is_empty(), "{problems:#?}");

    let file = gltf::Gltf::from_slice(&bytes).unwrap();
    let blob = file.blob.as_deref().unwrap();
    let roots: Vec<gltf::Node<'_>> = file.default_scene().unwrap().nodes().collect();
    assert_eq!(roots.iter().map(|root| root.name().unwrap()).collect::<Vec<_>>(), ["frame 3", "frame 7"]);
    let names =
        |root: &gltf::Node<'_>| root.children().map(|n| n.name().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(
        (names(&roots[0]), names(&roots[1])),
        (vec!["front".into(), "back".into()], vec!["front".into()])
    );
    assert_eq!((file.skins().len(), file.animations().len(), file.materials().len()), (0, 0, 1));
    let material = file.materials().next().unwrap();
    assert!(material.double_sided());
    assert_eq!(material.pbr_metallic_roughness().base_color_factor(), [1.0; 4]);

    let meshes: Vec<gltf::Mesh<'_>> =
        roots.iter().flat_map(|r| r.children()).map(|n| n.mesh().unwrap()).collect();
    for (mesh, (triangles, colours, vertices)) in
        meshes.iter().zip([(0..2, [RED, BLUE], 6), (2..4, [BLUE, BLUE], 4), (0..2, [RED, BLUE], 6)])
    {
        let primitive = mesh.primitives().next().unwrap();
        let expected: Vec<(Vec3, [u8; 4])> = TRIANGLES[triangles]
            .iter()
            .zip(colours)
            .flat_map(|(corners, colour)| corners.map(|v| (POSITIONS[v as usize], colour)))
            .collect();
        assert_eq!(read(&primitive, blob), expected);
        assert_eq!(primitive.material().index(), Some(0));

        let colours = primitive.get(&gltf::Semantic::Colors(0)).unwrap();
        assert_eq!((colours.data_type(), colours.dimensions()), (DataType::U8, Dimensions::Vec4));
        assert!(colours.normalized());
        // Vertices are doubled where colours meet, and only there.
        assert_eq!(colours.count(), vertices);
        for accessor in [colours, primitive.get(&gltf::Semantic::Positions).unwrap()] {
            assert_eq!(accessor.view().unwrap().offset() % 4, 0);
            assert_eq!(accessor.view().unwrap().target(), Some(gltf::buffer::Target::ArrayBuffer));
        }
        let bounds = primitive.bounding_box();
        let points = || expected.iter().map(|(point, _)| *point);
        assert_eq!(Vec3::from(bounds.min), points().reduce(Vec3::min).unwrap());
        assert_eq!(Vec3::from(bounds.max), points().reduce(Vec3::max).unwrap());
    }
}

#[test]
fn our_own_reader_reads_it() {
    let bytes = coloured_glb_bytes(&[frame("", &[mesh("", 0..2, &[RED, RED])])]).unwrap();
    let loaded = supple_io::read_bytes("glb", &bytes, &mut supple_io::no_other_files).unwrap();
    assert_eq!(loaded.notes, [""; 0]);
    assert_eq!(loaded.model.mesh().positions(), &POSITIONS[..4]);
    assert_eq!(loaded.model.mesh().triangles(), &TRIANGLES[..2]);
}

#[test]
fn what_cannot_be_written_is_an_error_that_says_where() {
    let refused = |mesh: ColouredMesh| coloured_glb_bytes(&[frame_of(mesh)]).unwrap_err().to_string();
    let with = |triangles| ColouredMesh { triangles, ..mesh("hat", 0..0, &[RED]) };
    for position in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let positions = [Vec3::ZERO, Vec3::new(0.0, position, 0.0), Vec3::Y];
        let mesh = ColouredMesh { positions: &positions, ..with(&[[0, 1, 2]]) };
        assert_eq!(refused(mesh), "vertex 1 of mesh 'hat' has a position that is not finite");
    }
    assert_eq!(refused(with(&[[0, 1, 9]])), "triangle 0 of mesh 'hat' names vertex 9; there are 9");
    assert_eq!(
        refused(with(&[[0, 1, 2], [0, 2, 3]])),
        "mesh 'hat' has 1 colours, expected 2: one per triangle"
    );
    assert_eq!(coloured_glb_bytes(&[]), Err(GlbError::NoTriangles));
    assert_eq!(refused(mesh("hat", 0..0, &[])), "there is no triangle to write");
}

fn frame_of(mesh: ColouredMesh<'_>) -> ColouredFrame<'_> {
    ColouredFrame { name: String::new(), meshes: vec![mesh] }
}

#[test]
fn files_hold_the_bytes_and_errors_name_the_file() {
    let path = std::env::temp_dir().join(format!("supple-coloured-{}.glb", std::process::id()));
    let frames = [frame("one", &[mesh("front", 0..2, &[RED, BLUE])])];
    write_coloured_glb(&path, &frames).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), coloured_glb_bytes(&frames).unwrap());
    std::fs::remove_file(&path).unwrap();
    assert!(write_coloured_glb(path.join("no.glb"), &frames).unwrap_err().to_string().contains("no.glb"));
    assert!(write_coloured_glb(&path, &[]).unwrap_err().to_string().contains("no triangle"));
    assert!(!path.exists());
}
