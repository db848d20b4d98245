//! From the lines of an OBJ file to a rigid model.

use glam::{Vec2, Vec3};
use supple::{Mesh, Model};

use super::faces::{Corner, Counts, PerVertex, parse_corner};
use super::objects::Objects;
use crate::Problem;

/// Reads the bytes of an OBJ file as a rigid model; objects and groups become its parts.
///
/// Polygons are cut into fans. Normals and texture coordinates are kept where every corner has one and all corners
/// of a vertex agree; OBJ allows several per vertex, a mesh does not.
///
/// # Errors
/// A line is not what OBJ demands; the error names the line.
pub(crate) fn read(bytes: &[u8]) -> Result<Model, Problem> {
    let text = String::from_utf8_lossy(bytes);
    let mut file = ObjFile::default();
    let totals = count_elements(&text);
    for (line, words) in logical_lines(&text) {
        file.read_line(&words, &totals)
            .map_err(|message| Problem::invalid(format!("line {line}"), message))?;
    }
    file.into_model()
}

/// What was read so far.
#[derive(Default)]
struct ObjFile {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    uvs: Vec<Vec2>,
    triangles: Vec<[u32; 3]>,
    normal_of: PerVertex,
    uv_of: PerVertex,
    objects: Objects,
}

impl ObjFile {
    fn read_line(&mut self, words: &str, totals: &Counts) -> Result<(), String> {
        let (keyword, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        match keyword {
            "v" => self.positions.push(parse_position(rest)?),
            "vn" => self.normals.push(Vec3::from_array(parse_numbers::<3>("normal", rest)?)),
            "vt" => self.uvs.push(parse_uv(rest)?),
            "f" => self.read_face(rest, totals)?,
            "o" | "g" => self.objects.begin_object(rest.trim(), self.triangles.len()),
            "usemtl" => self.objects.begin_material(rest.trim(), self.triangles.len()),
            _ => {}
        }
        Ok(())
    }

    fn read_face(&mut self, rest: &str, totals: &Counts) -> Result<(), String> {
        let before =
            Counts { positions: self.positions.len(), uvs: self.uvs.len(), normals: self.normals.len() };
        let corners = rest
            .split_whitespace()
            .map(|word| parse_corner(word, &before, totals))
            .collect::<Result<Vec<Corner>, String>>()?;
        if corners.len() < 3 {
            return Err(format!("a face needs at least 3 corners, this one has {}", corners.len()));
        }
        for corner in &corners {
            self.normal_of.add(corner.position, corner.normal);
            self.uv_of.add(corner.position, corner.uv);
        }
        let first = corners[0].position;
        for pair in corners[1..].windows(2) {
            self.triangles.push([first, pair[0].position, pair[1].position]);
        }
        Ok(())
    }

    fn into_model(self) -> Result<Model, Problem> {
        if self.triangles.is_empty() {
            let found = format!("no face among {} vertices; expected `f` lines", self.positions.len());
            return Err(Problem::invalid("end of file", found));
        }
        let count = self.positions.len();
        let parts = self.objects.into_parts(&self.triangles, count);
        let normals = self.normal_of.values(count, &self.normals);
        let uvs = self.uv_of.values(count, &self.uvs);
        let mut mesh = Mesh::new(self.positions, self.triangles).map_err(supple::ModelError::from)?;
        if let Some(normals) = normals {
            mesh = mesh.with_normals(normals).map_err(supple::ModelError::from)?;
        }
        if let Some(uvs) = uvs {
            mesh = mesh.with_uvs(uvs).map_err(supple::ModelError::from)?;
        }
        Ok(Model::rigid(mesh).with_parts(parts)?)
    }
}

/// Lines with their numbers, from 1; a backslash at the end of a line joins it with the next.
fn logical_lines(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut lines = text.lines().zip(1usize..);
    std::iter::from_fn(move || {
        let (line, number) = lines.next()?;
        let mut whole = line.trim().to_owned();
        while whole.ends_with('\\') {
            whole.pop();
            let Some((next, _)) = lines.next() else { break };
            whole.push(' ');
            whole.push_str(next.trim());
        }
        Some((number, whole))
    })
}

/// How many of each the whole file has: a face may name what comes after it.
fn count_elements(text: &str) -> Counts {
    let mut counts = Counts::default();
    for line in text.lines() {
        match line.split_whitespace().next() {
            Some("v") => counts.positions += 1,
            Some("vn") => counts.normals += 1,
            Some("vt") => counts.uvs += 1,
            _ => {}
        }
    }
    counts
}

/// `x y z`, `x y z w` (homogeneous) or `x y z r g b`.
fn parse_position(rest: &str) -> Result<Vec3, String> {
    let position = Vec3::from_array(parse_numbers::<3>("position", rest)?);
    if rest.split_whitespace().count() != 4 {
        return Ok(position);
    }
    let [.., w] = parse_numbers::<4>("position", rest)?;
    let divided = position / w;
    if divided.is_finite() { Ok(divided) } else { Err(format!("the position cannot be divided by w = {w}")) }
}

/// `u`, `u v` or `u v w`.
fn parse_uv(rest: &str) -> Result<Vec2, String> {
    if rest.split_whitespace().count() == 1 {
        let [u] = parse_numbers::<1>("texture coordinate", rest)?;
        return Ok(Vec2::new(u, 0.0));
    }
    Ok(Vec2::from_array(parse_numbers::<2>("texture coordinate", rest)?))
}

fn parse_numbers<const N: usize>(what: &str, rest: &str) -> Result<[f32; N], String> {
    let mut numbers = [0.0f32; N];
    let mut words = rest.split_whitespace();
    for (i, number) in numbers.iter_mut().enumerate() {
        let word = words.next().ok_or_else(|| format!("a {what} needs {N} numbers, this one has {i}"))?;
        *number = word.parse().map_err(|_| format!("{word:?} in a {what} is not a number"))?;
        if !number.is_finite() {
            return Err(format!("{word:?} in a {what} is not finite"));
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "o square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    fn read(text: &str) -> Result<Model, String> {
        super::read(text.as_bytes()).map_err(|problem| problem.to_string())
    }

    #[test]
    fn polygons_become_fans_and_indices_may_be_negative() {
        let model = read(&format!("{SQUARE}f -4 -3 \\\n -2 -1\n")).unwrap();
        assert_eq!(model.mesh().triangles(), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(model.parts()[0].name, "square");
    }

    #[test]
    fn vertices_keep_their_order_whatever_the_faces_do() {
        let model = read(&format!("f 4 2 1\n{SQUARE}v 9 9 9 2\nl 1 2 3\n")).unwrap();
        assert_eq!(model.mesh().positions()[1], Vec3::X);
        assert_eq!(model.mesh().positions()[4], Vec3::splat(4.5));
        assert_eq!(model.mesh().triangles(), [[3, 1, 0]]);
    }

    #[test]
    fn normals_stay_only_where_vertices_have_one() {
        let one = read(&format!("{SQUARE}vn 0 0 1\nf 1//1 2//1 3//1\n")).unwrap();
        assert_eq!(one.mesh().normals().unwrap()[2], Vec3::Z);
        let two = format!("{SQUARE}vn 0 0 1\nvn 0 1 0\nf 1//1 2//1 3//1\nf 1//2 3//2 4//2\n");
        assert_eq!(read(&two).unwrap().mesh().normals(), None);
        let some = format!("{SQUARE}vn 0 0 1\nf 1//1 2//1 3//1\nf 1 3 4\n");
        assert_eq!(read(&some).unwrap().mesh().normals(), None);
    }

    #[test]
    fn errors_name_the_line() {
        for (line, message) in [
            ("v 0 nan 0", "line 6: \"nan\" in a position is not finite"),
            ("v 0 0", "line 6: a position needs 3 numbers, this one has 2"),
            ("vt x 0", "line 6: \"x\" in a texture coordinate is not a number"),
            ("f 1 2", "line 6: a face needs at least 3 corners, this one has 2"),
            ("f 1 2 5", "line 6: corner \"5\" names position 5, but there are only 4"),
            ("f 1 2 0", "line 6: corner \"0\": indices count from 1"),
            ("f 1 2 -5", "line 6: corner \"-5\" names position -5, but only 4 come before it"),
            (
                "f 1//9223372036854775807 2 3",
                "line 6: corner \"1//9223372036854775807\" names normal 9223372036854775807, but there are only 0",
            ),
            ("", "end of file: no face among 4 vertices; expected `f` lines"),
        ] {
            assert_eq!(read(&format!("{SQUARE}{line}\n")).unwrap_err(), message);
        }
    }
}
