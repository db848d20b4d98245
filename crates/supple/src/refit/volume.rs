//! Bounding volumes that can be refitted: boxes and spheres.

use std::ops::Range;

use glam::{Vec3, Vec4};

use super::cache::Cache;
use super::children::{Children, EightBoxes, EightVolumes};
use super::eight_spheres::EightSpheres;
use super::leaf::PosedLeaf;
use super::posed_twigs::Point;
use super::twig_boxes;
use crate::math::outward::radius_of;
use crate::math::{Aabb, Sphere, enclosing_sphere_of_spheres, smallest_enclosing_sphere_of_few};
use crate::pool::Pool;
use crate::rest::{Shift, rest_rows, rest_sphere};
use crate::simd::Eight;
use crate::skin::{Palette, Skin, group_box, group_sphere, linear_box, with_margin};
use crate::tree::{Group, Groups, Tree, WIDTH};

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
    pub groups: &'a Groups,
    pub most_joints: usize,
    pub most_changes: usize,
    pub skin: &'a Skin,
    pub palette: &'a Palette,
    pub coefficients: &'a [f32],
}

/// A bounding volume.
///
/// Law: `of_groups`, `of_linear_groups` and `in_twig` contain the posed position of every vertex below a node; `around_children` contains what is
/// given.
pub(crate) trait Volume: Copy + std::fmt::Debug {
    type Eight: EightVolumes<Self>;
    /// Whether it is a box: the only volume that the pass over a whole body computes.
    const IS_BOX: bool;
    /// From the groups of a node, by its number there. The palette is prepared for their joint-sets.
    fn of_groups<E: Eight>(inputs: BoundInputs, node: usize) -> Self;
    /// From linear groups and how far vertices are from their linear blend at most; and whether that is tight. `None` where it makes no sense.
    fn of_linear_groups<E: Eight>(inputs: BoundInputs, node: usize, bend: f32) -> Option<(Self, bool)>;
    /// Of a twig, or a node below it, which is posed.
    fn in_twig(tree: &Tree, node: usize, points: &[Point]) -> Self;
    /// Of nodes below a twig, side by side.
    #[inline(always)]
    fn all_in_twig<E: Eight>(tree: &Tree, nodes: Range<usize>, points: &[Point], all: &mut Self::Eight) {
        for (lane, node) in nodes.enumerate() {
            all.set(lane, &Self::in_twig(tree, node, points));
        }
    }
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

/// A box of linear groups is tight where the bend is at most this part of the sum of its extents: it widens the box
/// by six times that.
const MOST_BEND: f32 = 0.015;

/// This many spheres of groups are united at once: nodes with more groups stand near the root of large skeletons.
const MOST_SPHERES: usize = 32;

impl Volume for Aabb {
    type Eight = EightBoxes;
    const IS_BOX: bool = true;

    #[inline(always)]
    fn of_linear_groups<E: Eight>(inputs: BoundInputs, node: usize, bend: f32) -> Option<(Self, bool)> {
        let BoundInputs { groups, palette, coefficients, .. } = inputs;
        let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        let shift = Shift::new(groups.changes_of(node), coefficients);
        for group in groups.linear_of(node) {
            let rest = rest_rows::<E>(&group.rest_box, shift.as_ref().filter(|_| group.moved));
            let (joints, base) = groups.joints_of(group);
            let [low, high] = linear_box(palette, joints, base, group.spread, rest);
            min = min.min(low);
            max = max.max(high);
        }
        let [min, max] = with_margin(palette, [min, max], inputs.most_joints, inputs.most_changes);
        let (min, max) = (min.truncate() - bend, max.truncate() + bend);
        // Of huge boxes and joints that weigh nothing there may come what is no number.
        let size = (max - min).element_sum();
        (!size.is_nan()).then_some((Self { min, max }, bend <= MOST_BEND * size))
    }

    #[inline(always)]
    fn of_groups<E: Eight>(inputs: BoundInputs, node: usize) -> Self {
        let BoundInputs { groups, skin, palette, coefficients, .. } = inputs;
        let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        let changes = groups.changes_of(node);
        let shift = Shift::new(changes, coefficients);
        for group in groups.of(node) {
            let rest = rest_rows::<E>(&group.rest_box, shift.as_ref().filter(|_| group.moved));
            let [low, high] = group_box(palette, &groups.skin_term(skin, group), rest, changes.len());
            min = min.min(low);
            max = max.max(high);
        }
        Self { min: min.truncate(), max: max.truncate() }
    }

    #[inline(always)]
    fn in_twig(tree: &Tree, node: usize, points: &[Point]) -> Self {
        let [min, max] = twig_boxes::in_twig(tree, node, points);
        Self { min: min.truncate(), max: max.truncate() }
    }

    #[inline(always)]
    fn all_in_twig<E: Eight>(tree: &Tree, nodes: Range<usize>, points: &[Point], all: &mut EightBoxes) {
        twig_boxes::all_in_twig::<E>(tree, nodes, points, all);
    }

    #[inline(always)]
    fn around_children(children: &Children<Self>) -> Self {
        children.bounds.around()
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
    const IS_BOX: bool = false;

    fn of_linear_groups<E: Eight>(_: BoundInputs, _: usize, _: f32) -> Option<(Self, bool)> {
        None
    }

    fn of_groups<E: Eight>(inputs: BoundInputs, node: usize) -> Self {
        let changes = inputs.groups.changes_of(node);
        let shift = Shift::new(changes, inputs.coefficients);
        let sphere = |group: &Group| {
            let rest = rest_sphere(group.sphere, shift.as_ref().filter(|_| group.moved));
            group_sphere(inputs.palette, &inputs.groups.skin_term(inputs.skin, group), rest, changes.len())
        };
        match inputs.groups.of(node) {
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

    /// The smallest one: it turns with its points, and moves little where they do. About the center of their box, chairs that
    /// should have come to rest kept ten times the energy.
    fn in_twig(tree: &Tree, node: usize, points: &[Point]) -> Self {
        let corners = tree.corners[tree.triangles_below(node)].as_flattened();
        let points = corners.iter().map(|&place| points[place as usize]);
        smallest_enclosing_sphere_of_few(points.map(|[x, y, z, _]| Vec3::new(x, y, z)))
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
