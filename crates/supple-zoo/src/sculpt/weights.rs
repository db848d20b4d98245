//! Joint weights that flow over the surface.
//!
//! In: the joint of the nearest lump for every vertex. Out: at most four influences per vertex that change little from
//! neighbour to neighbour. Weights diffuse along edges, so they never jump from one finger or leg to the other, and
//! reach farther where triangles (and limbs) are larger.

use glam::DVec3;

use super::Clay;

/// Most influences of a vertex.
const MAX_INFLUENCES: usize = 4;

/// The joint of the nearest lump, per vertex.
pub(crate) fn nearest_joints(clay: &Clay, positions: &[DVec3]) -> Vec<usize> {
    let nearest = |&p: &DVec3| {
        let lumps = clay.primitives().iter().filter(|l| !l.carves).map(|l| (l.distance(p), l.joint));
        lumps.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, joint)| joint)
    };
    positions.iter().map(nearest).collect()
}

/// Spreads the joints over neighbouring vertices in a number of steps and keeps the four largest weights.
pub(crate) fn smooth_influences(
    joints: &[usize],
    joint_count: usize,
    triangles: &[[u32; 3]],
    steps: usize,
) -> Vec<Vec<(u32, f32)>> {
    let neighbours = neighbours(joints.len(), triangles);
    let mut weights = vec![vec![0.0f32; joint_count]; joints.len()];
    for (vertex, &joint) in joints.iter().enumerate() {
        weights[vertex][joint] = 1.0;
    }
    let mut spread = weights.clone();
    for step in 0..steps {
        for (vertex, ring) in neighbours.iter().enumerate() {
            let share = 0.5 / ring.len() as f32;
            for joint in 0..joint_count {
                let sum: f32 = ring.iter().map(|&n| weights[n as usize][joint]).sum();
                spread[vertex][joint] = 0.5 * weights[vertex][joint] + share * sum;
            }
        }
        std::mem::swap(&mut weights, &mut spread);
        // Where many joints meet, dropping all but four at the end would make the others steep. Dropping them after
        // each of the last steps lets the others flow into the gap.
        if 2 * step > steps {
            for w in &mut weights {
                drop_smallest(w);
            }
        }
    }
    weights.iter_mut().for_each(|w| keep_largest(w));
    let listed = |w: &Vec<f32>| (0..).zip(w.iter().copied()).filter(|&(_, w)| w > 0.0).collect();
    weights.iter().map(listed).collect()
}

/// Zeroes all but the largest weights; of equal ones the first stay. Returns the largest that had to go.
fn drop_smallest(weights: &mut [f32]) -> f32 {
    let mut order: Vec<usize> = (0..weights.len()).filter(|&joint| weights[joint] > 0.0).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    let dropped = order.get(MAX_INFLUENCES).map_or(0.0, |&joint| weights[joint]);
    order.iter().skip(MAX_INFLUENCES).for_each(|&joint| weights[joint] = 0.0);
    normalize(weights);
    dropped
}

/// Keeps the largest weights, lowered by the largest one left out so that none jumps when it enters or leaves.
fn keep_largest(weights: &mut [f32]) {
    let before = weights.to_vec();
    // Below one percent an influence only costs time.
    let floor = drop_smallest(weights).max(0.01);
    // Where all are equal, lowering would leave nothing.
    if before.iter().any(|&w| w > floor) {
        weights.iter_mut().zip(before).for_each(|(w, before)| *w = (before - floor).max(0.0));
        normalize(weights);
    }
}

fn normalize(weights: &mut [f32]) {
    let sum: f32 = weights.iter().sum();
    weights.iter_mut().for_each(|w| *w /= sum);
}

fn neighbours(vertex_count: usize, triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); vertex_count];
    // Every edge of a closed surface occurs once in each direction.
    for &[a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            neighbours[from as usize].push(to);
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_joints_leave_four_without_a_jump() {
        let (mut almost, mut swapped) = ([0.3, 0.3, 0.2, 0.1001, 0.0999], [0.3, 0.3, 0.2, 0.0999, 0.1001]);
        keep_largest(&mut almost);
        keep_largest(&mut swapped);
        assert!((almost.iter().sum::<f32>() - 1.0).abs() < 1e-6 && almost[4] == 0.0);
        assert!(almost.iter().zip(&swapped).all(|(a, b)| (a - b).abs() < 1e-3));
    }

    #[test]
    fn equal_weights_keep_a_sum_of_one() {
        let mut equal = [0.2; 5];
        keep_largest(&mut equal);
        assert_eq!(equal, [0.25, 0.25, 0.25, 0.25, 0.0]);
    }
}
