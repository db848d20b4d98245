//! Corners of faces: `position`, `position/uv`, `position//normal` or `position/uv/normal`.

/// One corner of a face, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub position: u32,
    pub uv: Option<u32>,
    pub normal: Option<u32>,
}

/// How many of each there are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub positions: usize,
    pub uvs: usize,
    pub normals: usize,
}

/// Reads a corner. Negative indices count back from what stands before the face, positive ones over the whole file.
pub(super) fn parse_corner(word: &str, before: &Counts, totals: &Counts) -> Result<Corner, String> {
    let mut pieces = word.split('/');
    let position = parse_index(word, "position", pieces.next(), before.positions, totals.positions)?;
    let uv = parse_index(word, "texture coordinate", pieces.next(), before.uvs, totals.uvs)?;
    let normal = parse_index(word, "normal", pieces.next(), before.normals, totals.normals)?;
    match position {
        Some(position) if pieces.next().is_none() => Ok(Corner { position, uv, normal }),
        _ => Err(format!("corner {word:?} is not of the form position/texture coordinate/normal")),
    }
}

fn parse_index(
    word: &str,
    what: &str,
    piece: Option<&str>,
    before: usize,
    total: usize,
) -> Result<Option<u32>, String> {
    let Some(piece) = piece.filter(|p| !p.is_empty()) else { return Ok(None) };
    let index: i64 = piece.parse().map_err(|_| format!("corner {word:?}: {piece:?} is not an index"))?;
    let from_zero = match index {
        0 => return Err(format!("corner {word:?}: indices count from 1")),
        1.. => index - 1,
        // `before` is a length in memory, far below 2^63; the sum of the two signs cannot overflow.
        _ => before as i64 + index,
    };
    if from_zero < 0 {
        return Err(format!("corner {word:?} names {what} {index}, but only {before} come before it"));
    }
    if from_zero >= total as i64 {
        return Err(format!("corner {word:?} names {what} {index}, but there are only {total}"));
    }
    u32::try_from(from_zero)
        .map(Some)
        .map_err(|_| format!("corner {word:?}: the index needs more than 32 bits"))
}

/// Which value each vertex has, as long as all its corners agree.
#[derive(Debug, Default)]
pub(super) struct PerVertex {
    corners: Vec<(u32, u32)>,
    missing: bool,
}

impl PerVertex {
    pub(super) fn add(&mut self, vertex: u32, value: Option<u32>) {
        match value {
            Some(value) => self.corners.push((vertex, value)),
            None => self.missing = true,
        }
    }

    /// One value per vertex, or none where a corner has no value or corners of a vertex differ.
    ///
    /// A vertex that no face uses takes the value of its own number, if there are as many values as vertices.
    pub(super) fn values<T: Copy + Default + PartialEq>(
        &self,
        vertices: usize,
        given: &[T],
    ) -> Option<Vec<T>> {
        if self.missing || self.corners.is_empty() {
            return None;
        }
        let mut values: Vec<Option<T>> = vec![None; vertices];
        for &(vertex, value) in &self.corners {
            let value = given[value as usize];
            if *values[vertex as usize].get_or_insert(value) != value {
                return None;
            }
        }
        let spare = |vertex: usize| if given.len() == vertices { given[vertex] } else { T::default() };
        Some(values.into_iter().enumerate().map(|(v, value)| value.unwrap_or_else(|| spare(v))).collect())
    }
}
