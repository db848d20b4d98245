//! Bounding volumes that can be refitted: boxes and spheres.

use glam::{Vec3, Vec4};

use super::cache::Cache;
use super::children::{Children, EightBoxes, EightVolumes};
use super::eight_spheres::EightSpheres;
use super::leaf::PosedLeaf;
use crate::math::outward::{radius_of, radius_of_sq};
use crate::math::{Aabb, Sphere, enclosing_sphere_of_spheres};
use crate::pool::Pool;
use crate::rest::{Shift, rest_rows, rest_sphere};
use crate::simd::Eight;
use crate::skin::{Palette, PosedBends, Skin, Skinning, group_box, group_sphere, linear_box, with_margin};
use crate::tree::{Group, Node, Tree, WIDTH};

/// Which bounding volumes a query uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum VolumeKind {
    /// Axis-aligned boxes: tighter around upright and flat things, and cheap to unite.
    #[default]
    Box,
    /// Spheres, as in the papers.
    Sphere,
}

/// What bounds are computed from.
#[derive(Clone, Copy)]
pub(crate) struct BoundInputs<'a> {
    pub tree: &'a Tree,
    pub skin: &'a Skin,
    pub palette: &'a Palette,
    pub bends: &'a PosedBends,
    pub coefficients: &'a [f32],
}

/// A bounding volume.
///
/// Law: `of_groups` and `of_linear_groups` contain the posed position of every vertex below an inner node, `of_leaf` those
/// of a leaf; `around_points`, `around_triangles` and `around_children` contain what is given.
pub(crate) trait Volume: Copy + std::fmt::Debug {
    type Eight: EightVolumes<Self>;
    /// From groups. The palette is prepared for their joint-sets.
    fn of_groups<E: Eight>(inputs: BoundInputs, node: &Node) -> Self;
    /// From linear groups, if that is tight enough.
    fn of_linear_groups<E: Eight>(inputs: BoundInputs, node: &Node) -> Option<Self>;
    fn of_leaf(leaf: &PosedLeaf, triangles: usize) -> Self;
    /// Of points in two slices, at least one; the fourth numbers have no meaning.
    fn around_points(points: [&[Vec4]; 2]) -> Self;
    /// Of the corners of triangles, which are indices into some points.
    fn around_triangles(points: &[Vec4], corners: &[[u8; 3]]) -> Self;
    fn around_children(children: &Children<Self>) -> Self;
    /// Bit `i` is set where triangle `i` of a leaf may overlap the volume.
    fn overlapped_by<E: Eight>(&self, leaf: &PosedLeaf) -> u8;
    /// A box around it.
    fn around(&self) -> Aabb;
    /// The larger of two volumes is descended first.
    fn size(&self) -> f32;
    fn stored(cache: &mut Cache) -> &mut Pool<Children<Self>>;
    fn stored_ref(cache: &Cache) -> &Pool<Children<Self>>;
}

/// A box of linear groups is good enough where the bend is at most this part of the sum of its extents: it widens the box
/// by six times that.
const MOST_BEND: f32 = 0.03;

/// This many spheres of groups are united at once: nodes with more groups stand near the root of large skeletons.
const MOST_SPHERES: usize = 32;

/// A box that grows: four of them, as each waits for its last step to be done.
struct Gathered {
    min: [Vec4; 4],
    max: [Vec4; 4],
}

impl Gathered {
    const EMPTY: Self = Self { min: [Vec4::INFINITY; 4], max: [Vec4::NEG_INFINITY; 4] };

    /// Up to four points.
    #[inline(always)]
    fn add(&mut self, points: &[Vec4]) {
        for (i, &point) in points.iter().enumerate().take(4) {
            self.min[i] = self.min[i].min(point);
            self.max[i] = self.max[i].max(point);
        }
    }

    #[inline(always)]
    fn aabb(self) -> Aabb {
        let ([a, b, c, d], [p, q, r, s]) = (self.min, self.max);
        Aabb { min: a.min(b).min(c.min(d)).truncate(), max: p.max(q).max(r.max(s)).truncate() }
    }
}

/// A sphere around points, about the center of their box: the smallest sphere takes many times as long.
fn sphere_about(around: Aabb, points: impl Iterator<Item = Vec4>) -> Sphere {
    let center = around.center();
    let exact = center.as_dvec3();
    let farthest = points.map(|p| p.truncate().as_dvec3().distance_squared(exact)).fold(0.0, f64::max);
    Sphere::new(center, radius_of_sq(farthest))
}

impl Volume for Aabb {
    type Eight = EightBoxes;

    #[inline(always)]
    fn of_linear_groups<E: Eight>(inputs: BoundInputs, node: &Node) -> Option<Self> {
        let BoundInputs { tree, palette, coefficients, .. } = inputs;
        let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        let mut bend = 0.0f32;
        let shift = Shift::new(&tree.changes[node.changes()], coefficients);
        for group in &tree.linear_groups[node.linear_groups()] {
            let rest = rest_rows::<E>(&group.rest_box, shift.as_ref().filter(|_| group.moved));
            let (joints, base) = tree.joints_of(group);
            let [low, high] = linear_box(palette, joints, base, group.spread, rest);
            min = min.min(low);
            max = max.max(high);
            if palette.skinning() != Skinning::Linear {
                bend =
                    joints.iter().map(|&joint| inputs.bends.of_joints[joint as usize]).fold(bend, f32::max);
            }
        }
        let [min, max] = with_margin(palette, [min, max], tree.most_joints, tree.most_changes);
        let (min, max) = (min.truncate() - bend, max.truncate() + bend);
        (bend <= MOST_BEND * (max - min).element_sum()).then_some(Self { min, max })
    }

    #[inline(always)]
    fn of_groups<E: Eight>(inputs: BoundInputs, node: &Node) -> Self {
        let BoundInputs { tree, skin, palette, coefficients, .. } = inputs;
        let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        let changes = &tree.changes[node.changes()];
        let shift = Shift::new(changes, coefficients);
        for group in &tree.groups[node.groups()] {
            let rest = rest_rows::<E>(&group.rest_box, shift.as_ref().filter(|_| group.moved));
            let [low, high] = group_box(palette, &tree.skin_term(skin, group), rest, changes.len());
            min = min.min(low);
            max = max.max(high);
        }
        Self { min: min.truncate(), max: max.truncate() }
    }

    #[inline(always)]
    fn of_leaf(leaf: &PosedLeaf, _: usize) -> Self {
        leaf.bounds
    }

    #[inline(always)]
    fn around_points(points: [&[Vec4]; 2]) -> Self {
        let mut around = Gathered::EMPTY;
        for part in points {
            let fours = part.chunks_exact(4);
            around.add(fours.remainder());
            for four in fours {
                around.add(four);
            }
        }
        around.aabb()
    }

    #[inline(always)]
    fn around_triangles(points: &[Vec4], corners: &[[u8; 3]]) -> Self {
        let mut around = Gathered::EMPTY;
        for triangle in corners {
            let [p, q, r] = triangle.map(|corner| points[usize::from(corner)]);
            around.add(&[p, q, r]);
        }
        around.aabb()
    }

    /// What is not there is infinitely empty.
    #[inline(always)]
    fn around_children(children: &Children<Self>) -> Self {
        let halves = |row: &[f32; WIDTH]| [Vec4::from_slice(&row[..4]), Vec4::from_slice(&row[4..])];
        let least = |row: &[f32; WIDTH]| {
            let [low, high] = halves(row);
            low.min(high).min_element()
        };
        let greatest = |row: &[f32; WIDTH]| {
            let [low, high] = halves(row);
            low.max(high).max_element()
        };
        let EightBoxes { min: [x, y, z], max: [u, v, w] } = &children.bounds;
        Self {
            min: Vec3::new(least(x), least(y), least(z)),
            max: Vec3::new(greatest(u), greatest(v), greatest(w)),
        }
    }

    #[inline(always)]
    fn overlapped_by<E: Eight>(&self, leaf: &PosedLeaf) -> u8 {
        leaf.boxes.overlapping::<E>(self) & leaf.present
    }

    fn around(&self) -> Aabb {
        *self
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        let d = self.max - self.min;
        d.x * d.y + d.y * d.z + d.z * d.x
    }

    fn stored(cache: &mut Cache) -> &mut Pool<Children<Self>> {
        &mut cache.boxes
    }

    fn stored_ref(cache: &Cache) -> &Pool<Children<Self>> {
        &cache.boxes
    }
}

impl Volume for Sphere {
    type Eight = EightSpheres;

    fn of_linear_groups<E: Eight>(_: BoundInputs, _: &Node) -> Option<Self> {
        None
    }

    fn of_groups<E: Eight>(inputs: BoundInputs, node: &Node) -> Self {
        let changes = &inputs.tree.changes[node.changes()];
        let shift = Shift::new(changes, inputs.coefficients);
        let sphere = |group: &Group| {
            let rest = rest_sphere(group.sphere, shift.as_ref().filter(|_| group.moved));
            group_sphere(inputs.palette, &inputs.tree.skin_term(inputs.skin, group), rest, changes.len())
        };
        match &inputs.tree.groups[node.groups()] {
            [only] => sphere(only),
            groups => {
                // Without memory of its own; more spheres than there is room for are united on the way.
                let (mut spheres, mut count) = ([Self::new(Vec3::ZERO, 0.0); MOST_SPHERES], 0);
                for group in groups {
                    if count == MOST_SPHERES {
                        (spheres[0], count) = (enclosing_sphere_of_spheres(&spheres), 1);
                    }
                    spheres[count] = sphere(group);
                    count += 1;
                }
                enclosing_sphere_of_spheres(&spheres[..count])
            }
        }
    }

    fn of_leaf(leaf: &PosedLeaf, triangles: usize) -> Self {
        let corners = (0..triangles).flat_map(|i| leaf.triangle(i));
        sphere_about(leaf.bounds, corners.map(|corner| corner.extend(0.0)))
    }

    fn around_points(points: [&[Vec4]; 2]) -> Self {
        sphere_about(Aabb::around_points(points), points.into_iter().flatten().copied())
    }

    fn around_triangles(points: &[Vec4], corners: &[[u8; 3]]) -> Self {
        let used = corners.as_flattened().iter().map(|&corner| points[usize::from(corner)]);
        sphere_about(Aabb::around_triangles(points, corners), used)
    }

    /// About the center of their box.
    fn around_children(children: &Children<Self>) -> Self {
        let spheres = (0..usize::from(children.count)).map(|lane| children.bounds.get(lane));
        let around = spheres.clone().fold(Aabb::EMPTY, |all, sphere| {
            all.including(sphere.center - sphere.radius).including(sphere.center + sphere.radius)
        });
        let center = around.center();
        let far_side =
            |sphere: Self| sphere.center.as_dvec3().distance(center.as_dvec3()) + f64::from(sphere.radius);
        Self::new(center, radius_of(spheres.map(far_side).fold(0.0, f64::max)))
    }

    fn overlapped_by<E: Eight>(&self, leaf: &PosedLeaf) -> u8 {
        // The sphere contains its vertices as `contains` tests them; so does the test of the box's nearest point.
        let overlaps = |lane: usize| {
            let aabb = leaf.boxes.get(lane);
            self.contains(self.center.clamp(aabb.min, aabb.max))
        };
        (0..WIDTH).map(|lane| u8::from(overlaps(lane)) << lane).sum::<u8>() & leaf.present
    }

    fn around(&self) -> Aabb {
        let (center, radius) = (self.center, self.radius);
        let down = |v: Vec3| Vec3::from_array((v - radius).to_array().map(f32::next_down));
        let up = |v: Vec3| Vec3::from_array((v + radius).to_array().map(f32::next_up));
        Aabb { min: down(center), max: up(center) }
    }

    fn size(&self) -> f32 {
        self.radius
    }

    fn stored(cache: &mut Cache) -> &mut Pool<Children<Self>> {
        &mut cache.spheres
    }

    fn stored_ref(cache: &Cache) -> &Pool<Children<Self>> {
        &cache.spheres
    }
}
