//! Which triangles of two refitted trees touch.
//!
//! Out: the sorted pairs, or any one. The larger node of a pair is opened, and the box of the other is tested against its
//! eight children at once; likewise a triangle against those of a leaf, first boxes and then planes. The exact test is the
//! library's.
#![allow(unsafe_code, reason = "intrinsics and unchecked indices; every index was made by `build`")]

use std::arch::x86_64::*;

use glam::Vec4;

use super::Avx2;
use super::planes::Planes;
use super::tree::{Box4, BoxTree, EightBoxes};

/// Lists that keep their memory from query to query.
#[derive(Default)]
pub struct Query {
    pub(super) open: Vec<(u32, u32)>,
}

impl Query {
    /// All touching pairs, ascending, as the library reports them.
    pub fn all_pairs(&mut self, a: &mut BoxTree, b: &mut BoxTree, pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        let Avx2(()) = a.avx2;
        // SAFETY: the processor has the features, `avx2` proves it.
        unsafe {
            self.walk::<false>(a, b, |pair| {
                pairs.push(pair);
                false
            });
        }
        pairs.sort_unstable();
    }

    /// Some touching pair.
    pub fn first_contact(&mut self, a: &mut BoxTree, b: &mut BoxTree) -> Option<[u32; 2]> {
        let mut found = None;
        let Avx2(()) = a.avx2;
        // SAFETY: the processor has the features, `avx2` proves it.
        unsafe {
            self.walk::<true>(a, b, |pair| {
                found = Some(pair);
                true
            });
        }
        found
    }

    /// Reports touching pairs until told to stop; with `DEEPEST` those that overlap most are visited first.
    #[target_feature(enable = "avx2,fma")]
    fn walk<const DEEPEST: bool>(
        &mut self,
        a: &mut BoxTree,
        b: &mut BoxTree,
        mut stop_after: impl FnMut([u32; 2]) -> bool,
    ) {
        self.open.clear();
        if !overlap(&a.bounds[0], &b.bounds[0]) {
            return;
        }
        self.open.push((0, 0));
        while let Some((i, j)) = self.open.pop() {
            let (leaf_a, leaf_b) = (i as usize >= a.nodes.len(), j as usize >= b.nodes.len());
            // SAFETY: both are children, which are indices of `bounds`.
            let (box_a, box_b) =
                unsafe { (*a.bounds.get_unchecked(i as usize), *b.bounds.get_unchecked(j as usize)) };
            if leaf_a && leaf_b {
                if leaves(a, b, [i as usize, j as usize], [&box_a, &box_b], &mut stop_after) {
                    return;
                }
                continue;
            }
            if leaf_b || (!leaf_a && size(&box_a) >= size(&box_b)) {
                let node = &a.nodes[i as usize];
                self.open_node::<DEEPEST>(&node.boxes, &node.children, &box_b, |child| (child, j));
            } else {
                let node = &b.nodes[j as usize];
                self.open_node::<DEEPEST>(&node.boxes, &node.children, &box_a, |child| (i, child));
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn open_node<const DEEPEST: bool>(
        &mut self,
        boxes: &EightBoxes,
        children: &[u32; 8],
        other: &Box4,
        pair: impl Fn(u32) -> (u32, u32),
    ) {
        if !DEEPEST {
            let mut hits = overlapping(boxes, other);
            while hits != 0 {
                self.open.push(pair(children[hits.trailing_zeros() as usize]));
                hits &= hits - 1;
            }
            return;
        }
        let (mut hits, depths) = depths(boxes, other);
        let (mut sorted, mut count) = ([(0.0, 0); 8], 0);
        while hits != 0 {
            let lane = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            let mut at = count;
            while at > 0 && sorted[at - 1].0 > depths[lane] {
                sorted[at] = sorted[at - 1];
                at -= 1;
            }
            sorted[at] = (depths[lane], children[lane]);
            count += 1;
        }
        self.open.extend(sorted[..count].iter().map(|&(_, child)| pair(child)));
    }
}

/// Tests the triangles of two leaves; says whether to stop.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn leaves(
    a: &mut BoxTree,
    b: &mut BoxTree,
    indices: [usize; 2],
    bounds: [&Box4; 2],
    stop_after: &mut impl FnMut([u32; 2]) -> bool,
) -> bool {
    let [i, j] = [indices[0] - a.nodes.len(), indices[1] - b.nodes.len()];
    a.prepare_leaf(i);
    b.prepare_leaf(j);
    let (triangles_a, triangles_b) = (&a.triangles[i], &b.triangles[j]);
    let mut hits_a = overlapping(&triangles_a.boxes, bounds[1]);
    let reaching_b = overlapping(&triangles_b.boxes, bounds[0]);
    if reaching_b == 0 {
        return false;
    }
    let (leaf_a, leaf_b) = (&a.leaves.leaves[i], &b.leaves.leaves[j]);
    let planes = Planes::new(triangles_a, triangles_b, bounds);
    while hits_a != 0 {
        let s = hits_a.trailing_zeros() as usize;
        hits_a &= hits_a - 1;
        let mut near = overlapping(&triangles_b.boxes, &lane(&triangles_a.boxes, s)) & reaching_b;
        if near == 0 {
            continue;
        }
        let heights = planes.heights(s);
        near &= !planes.apart(&heights);
        if near == 0 {
            continue;
        }
        let sides = planes.sides(&heights);
        while near != 0 {
            let t = near.trailing_zeros() as usize;
            near &= near - 1;
            if planes.touch(&sides, s, t) && stop_after([leaf_a.ids[s], leaf_b.ids[t]]) {
                return true;
            }
        }
    }
    false
}

#[inline(always)]
fn overlap(a: &Box4, b: &Box4) -> bool {
    (a.min.cmple(b.max) & b.min.cmple(a.max)).bitmask() & 7 == 7
}

/// Half the surface, up to a factor.
#[inline(always)]
pub(super) fn size(bounds: &Box4) -> f32 {
    let e = (bounds.max - bounds.min).truncate();
    e.x * e.y + e.y * e.z + e.z * e.x
}

#[inline(always)]
pub(super) fn lane(boxes: &EightBoxes, lane: usize) -> Box4 {
    let [min, max] = [&boxes.min, &boxes.max]
        .map(|side| Vec4::new(side[0].0[lane], side[1].0[lane], side[2].0[lane], 0.0));
    Box4 { min, max }
}

/// Which of eight boxes overlap another one, as bits.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn overlapping(boxes: &EightBoxes, other: &Box4) -> u32 {
    let mut all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    for axis in 0..3 {
        // SAFETY: `Eight` is aligned.
        let (min, max) = unsafe {
            (_mm256_load_ps(boxes.min[axis].0.as_ptr()), _mm256_load_ps(boxes.max[axis].0.as_ptr()))
        };
        let below = _mm256_cmp_ps::<_CMP_LE_OQ>(min, _mm256_set1_ps(other.max[axis]));
        let above = _mm256_cmp_ps::<_CMP_GE_OQ>(max, _mm256_set1_ps(other.min[axis]));
        all = _mm256_and_ps(all, _mm256_and_ps(below, above));
    }
    _mm256_movemask_ps(all) as u32
}

/// Which of eight boxes overlap another one, and by how much on the axis where it is least.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn depths(boxes: &EightBoxes, other: &Box4) -> (u32, [f32; 8]) {
    let mut least = _mm256_set1_ps(f32::INFINITY);
    for axis in 0..3 {
        // SAFETY: `Eight` is aligned.
        let (min, max) = unsafe {
            (_mm256_load_ps(boxes.min[axis].0.as_ptr()), _mm256_load_ps(boxes.max[axis].0.as_ptr()))
        };
        let top = _mm256_min_ps(max, _mm256_set1_ps(other.max[axis]));
        let bottom = _mm256_max_ps(min, _mm256_set1_ps(other.min[axis]));
        least = _mm256_min_ps(least, _mm256_sub_ps(top, bottom));
    }
    let hits = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(least, _mm256_setzero_ps()));
    let mut depths = [0.0; 8];
    // SAFETY: eight numbers fit.
    unsafe { _mm256_storeu_ps(depths.as_mut_ptr(), least) };
    (hits as u32, depths)
}
