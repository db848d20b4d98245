//! Objects, groups and materials of an OBJ file, as parts of a model.

use std::ops::Range;

use supple::model::{Part, Primitive};

/// Where objects and materials begin, by triangle.
#[derive(Debug, Default)]
pub(super) struct Objects {
    runs: Vec<Run>,
    name: String,
    material: String,
}

/// Triangles from `first` on belong to this object and material.
#[derive(Debug)]
struct Run {
    name: String,
    material: String,
    object: usize,
    first: usize,
}

impl Objects {
    /// An `o` or `g` line.
    pub(super) fn begin_object(&mut self, name: &str, triangle: usize) {
        self.name = name.to_owned();
        let object = self.runs.last().map_or(0, |run| run.object + 1);
        self.push(object, triangle);
    }

    /// A `usemtl` line.
    pub(super) fn begin_material(&mut self, material: &str, triangle: usize) {
        self.material = material.to_owned();
        let object = self.runs.last().map_or(0, |run| run.object);
        self.push(object, triangle);
    }

    fn push(&mut self, object: usize, first: usize) {
        // A run without triangles leaves no trace.
        self.runs.pop_if(|run| run.first == first);
        self.runs.push(Run { name: self.name.clone(), material: self.material.clone(), object, first });
    }

    /// One part per object that has triangles, one primitive per material in it.
    ///
    /// Vertices between two parts belong to the first, so that none is lost. Objects that share vertices make parts
    /// whose ranges overlap.
    pub(super) fn into_parts(mut self, triangles: &[[u32; 3]], vertices: usize) -> Vec<Part> {
        if self.runs.first().is_none_or(|run| run.first > 0) {
            let run = Run { name: String::new(), material: String::new(), object: usize::MAX, first: 0 };
            self.runs.insert(0, run);
        }
        let ends: Vec<usize> = self.runs.iter().skip(1).map(|r| r.first).chain([triangles.len()]).collect();
        let mut parts: Vec<(usize, Part)> = Vec::new();
        for (run, end) in self.runs.into_iter().zip(ends).filter(|(run, end)| run.first < *end) {
            let primitive = Primitive {
                material: run.material,
                vertices: used_vertices(&triangles[run.first..end]),
                triangles: run.first..end,
            };
            match parts.last_mut() {
                Some((object, part)) if *object == run.object => add_primitive(part, primitive),
                _ => parts.push((run.object, part_of(run.name, primitive))),
            }
        }
        let mut parts: Vec<Part> = parts.into_iter().map(|(_, part)| part).collect();
        close_gaps(&mut parts, vertices);
        parts
    }
}

fn part_of(name: String, primitive: Primitive) -> Part {
    Part {
        name,
        node: 0,
        vertices: primitive.vertices.clone(),
        triangles: primitive.triangles.clone(),
        coefficients: 0..0,
        primitives: vec![primitive],
    }
}

fn add_primitive(part: &mut Part, primitive: Primitive) {
    let (a, b) = (&part.vertices, &primitive.vertices);
    part.vertices = a.start.min(b.start)..a.end.max(b.end);
    part.triangles.end = primitive.triangles.end;
    part.primitives.push(primitive);
}

fn used_vertices(triangles: &[[u32; 3]]) -> Range<usize> {
    let used = || triangles.iter().flatten().map(|&v| v as usize);
    used().min().unwrap_or(0)..used().max().map_or(0, |last| last + 1)
}

/// Stretches ranges over vertices that no face uses, where the parts follow each other.
fn close_gaps(parts: &mut [Part], vertices: usize) {
    let ordered = parts.windows(2).all(|pair| pair[0].vertices.end <= pair[1].vertices.start);
    if !ordered {
        return;
    }
    let starts: Vec<usize> = parts.iter().skip(1).map(|p| p.vertices.start).chain([vertices]).collect();
    for (index, (part, end)) in parts.iter_mut().zip(starts).enumerate() {
        part.vertices.end = end;
        if index == 0 {
            part.vertices.start = 0;
        }
        if let [only] = &mut part.primitives[..] {
            only.vertices = part.vertices.clone();
        }
    }
}
