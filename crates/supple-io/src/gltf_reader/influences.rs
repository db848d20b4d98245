//! Joints and weights of a primitive's vertices.
//!
//! In: any number of JOINTS_n and WEIGHTS_n sets. Out: per vertex a list of (palette entry, weight).
//! Must hold: a joint that the skin does not have is dropped if it has no weight and an error otherwise; a vertex
//! without weight follows its first joint. Normalising is left to the skin.

use gltf::json::accessor::{ComponentType, Type};
use gltf::json::mesh::Semantic;

use super::attributes::Attributes;
use crate::Problem;

/// Weights may miss 1 by this much before a note is made: a little more than one step of 8 bit weights (0.4 %).
const SUM_TOLERANCE: f64 = 5e-3;

/// Influences of all vertices of a primitive, `width` joints with their weights each.
#[derive(Debug)]
pub(super) struct Influences {
    pub width: usize,
    pub weighted: Vec<(u32, f32)>,
}

/// Reads the sets of a skinned primitive; `None` if it has none.
pub(super) fn read_influences(
    attributes: &Attributes<'_>,
    entries: &[u32],
    vertices: usize,
    place: &str,
    notes: &mut Vec<String>,
) -> Result<Option<Influences>, Problem> {
    let sets: Vec<(Vec<u32>, Vec<f32>)> = (0..)
        .map_while(|n| read_set(attributes, n, vertices, place, notes).transpose())
        .collect::<Result<_, _>>()?;
    if sets.is_empty() {
        return Ok(None);
    }
    let width = sets.len() * 4;
    let mut oddities = Oddities::default();
    let mut weighted = Vec::with_capacity(vertices * width);
    for vertex in 0..vertices {
        let given = sets
            .iter()
            .flat_map(|(joints, weights)| (vertex * 4..vertex * 4 + 4).map(|i| (joints[i], weights[i])));
        let checked = checked_vertex(given, entries, &mut oddities)
            .map_err(|message| Problem::invalid(place, format!("vertex {vertex} {message}")))?;
        weighted.extend(checked);
        // Those that were dropped repeat the first joint with no weight.
        let first = weighted[vertex * width].0;
        weighted.resize((vertex + 1) * width, (first, 0.0));
    }
    oddities.note(place, notes);
    Ok(Some(Influences { width, weighted }))
}

type Set = (Vec<u32>, Vec<f32>);

fn read_set(
    attributes: &Attributes<'_>,
    n: u32,
    vertices: usize,
    place: &str,
    notes: &mut Vec<String>,
) -> Result<Option<Set>, Problem> {
    let find = |semantic| attributes.get(semantic).map_err(|problem| problem.within(place));
    let (joints, weights) = match (find(Semantic::Joints(n))?, find(Semantic::Weights(n))?) {
        (Some(joints), Some(weights)) => (joints, weights),
        (None, None) => return Ok(None),
        _ => {
            let message = format!("has only one of JOINTS_{n} and WEIGHTS_{n}; expected both");
            return Err(Problem::invalid(place, message));
        }
    };
    use ComponentType::{F32, I8, I16, U8, U16, U32};
    let read = || {
        let joints = joints.checked_kind(Type::Vec4, &[U8, U16, U32])?.checked_count(vertices, "vertex")?;
        if joints.kind() == U32 {
            notes
                .push(format!("{place}: JOINTS_{n} are 32 bit, which glTF does not allow; read as they are"));
        }
        let weights =
            weights.checked_kind(Type::Vec4, &[F32, U8, U16, I8, I16])?.checked_count(vertices, "vertex")?;
        Ok((joints.to_u32()?, weights.to_f32()?))
    };
    read().map(Some).map_err(|problem: Problem| problem.within(place))
}

/// Joints of a vertex, as entries of the palette, with their weights; at least one.
fn checked_vertex(
    given: impl Iterator<Item = (u32, f32)>,
    entries: &[u32],
    oddities: &mut Oddities,
) -> Result<Vec<(u32, f32)>, String> {
    let mut weighted = Vec::new();
    for (joint, weight) in given {
        if !weight.is_finite() || weight < 0.0 {
            return Err(format!(
                "has weight {weight} on joint {joint}; expected a finite number, not negative"
            ));
        }
        match entries.get(joint as usize) {
            Some(&entry) => weighted.push((entry, weight)),
            None if weight == 0.0 => oddities.unweighted_out_of_range += 1,
            None => {
                let count = entries.len();
                return Err(format!("has weight {weight} on joint {joint}; the skin has {count} joints"));
            }
        }
    }
    if weighted.is_empty() {
        return Err(format!("has no joint that exists; the skin has {} joints", entries.len()));
    }
    oddities.add_sum(weighted.iter().map(|&(_, weight)| f64::from(weight)).sum());
    Ok(weighted)
}

/// What is worth a note.
#[derive(Debug, Default)]
struct Oddities {
    unweighted_out_of_range: usize,
    zero_sums: usize,
    wrong_sums: usize,
    worst_sum: f64,
}

impl Oddities {
    fn add_sum(&mut self, sum: f64) {
        if sum == 0.0 {
            self.zero_sums += 1;
        } else if (sum - 1.0).abs() > SUM_TOLERANCE {
            self.wrong_sums += 1;
            if (sum - 1.0).abs() > (self.worst_sum - 1.0).abs() || self.wrong_sums == 1 {
                self.worst_sum = sum;
            }
        }
    }

    fn note(&self, place: &str, notes: &mut Vec<String>) {
        if self.wrong_sums > 0 {
            let direction = if self.worst_sum > 1.0 { "up" } else { "down" };
            notes.push(format!(
                "{place}: {} vertices have weights that do not sum to 1 ({direction} to {:.3}); normalised",
                self.wrong_sums, self.worst_sum
            ));
        }
        if self.zero_sums > 0 {
            notes.push(format!(
                "{place}: {} vertices have no weight at all; they follow their first joint",
                self.zero_sums
            ));
        }
        if self.unweighted_out_of_range > 0 {
            notes.push(format!(
                "{place}: {} joints that do not exist have weight 0; dropped",
                self.unweighted_out_of_range
            ));
        }
    }
}
