//! A picture's subject as meshes that any program opens: the grey body, the two body parts tinted, the triangles that intersect vivid.
//!
//! In: a subject, and the parts of its model. Out: a frame for [`supple_io::write_coloured_glb`], with a mesh per part and the
//! colours of the picture. Triangles of no part are left out.

use std::ops::Range;

use supple_io::{ColouredFrame, ColouredMesh};

use super::picture::{Paint, Subject};

/// Makes a frame called `name`. Each part has a name and a range of triangles.
pub fn coloured_frame<'a>(
    subject: &Subject<'a>,
    parts: impl IntoIterator<Item = (String, Range<usize>)>,
    name: &str,
) -> ColouredFrame<'a> {
    let paint = Paint::new(subject);
    let mesh = |(name, triangles): (String, Range<usize>)| {
        let colours = paint.colours.get(triangles.clone()).unwrap_or_default();
        ColouredMesh {
            name,
            positions: subject.positions,
            triangles: subject.triangles.get(triangles).unwrap_or_default(),
            colours: colours.iter().map(|colour| opaque(colour.to_linear_bytes())).collect(),
        }
    };
    ColouredFrame { name: name.to_owned(), meshes: parts.into_iter().map(mesh).collect() }
}

fn opaque([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, u8::MAX]
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::audit::picture::{BODY, MARKS, TINTS};

    #[test]
    fn parts_have_the_colours_of_the_picture() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 2, 3], [0, 1, 3]];
        let subject = Subject {
            positions: &positions,
            triangles: &triangles,
            side_of: &[Some(0), Some(0), Some(1), Some(1), None],
            pairs: &[[0, 3]],
        };
        let parts = [("coat".to_owned(), 0..2), ("arm".to_owned(), 2..5), ("none".to_owned(), 7..9)];
        let frame = coloured_frame(&subject, parts, "wave, frame 12");
        assert_eq!(frame.name, "wave, frame 12");
        let bytes = |colour: supple_draw::Colour| opaque(colour.to_linear_bytes());
        let expected = [
            ("coat", &triangles[..2], vec![bytes(MARKS[0]), bytes(TINTS[0])]),
            ("arm", &triangles[2..], vec![bytes(TINTS[1]), bytes(MARKS[1]), bytes(BODY)]),
            ("none", &[], vec![]),
        ];
        for (mesh, (name, triangles, colours)) in frame.meshes.iter().zip(expected) {
            assert_eq!((mesh.name.as_str(), mesh.triangles, &mesh.colours), (name, triangles, &colours));
        }
        assert_eq!(frame.meshes.len(), 3);
        assert_eq!(bytes(MARKS[0]), [233, 51, 0, 255]);
        let glb = supple_io::coloured_glb_bytes(&[frame]).unwrap();
        let read = supple_io::read_bytes("glb", &glb, &mut supple_io::no_other_files).unwrap().model;
        let names: Vec<&str> = read.parts().iter().map(|part| part.name.as_str()).collect();
        assert_eq!((names, read.mesh().triangles().len()), (vec!["coat", "arm"], 5));
    }
}
