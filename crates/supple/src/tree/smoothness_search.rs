//! Finds how smoothly weights vary around nodes: see `smoothness.rs`.
//!
//! *Slopes between points follow from slopes between vertices.* Let `f` be linear on triangles, and `|f(v) - f(w)| <= h |v - w|` for their
//! vertices. A point is a mean of corners; take corners of both triangles at random, with those weights. Then `|f(x) - f(y)|` is at most the mean
//! of `h |v - w|`, and the mean of `|v - w|^2` is `|x - y|^2` and two variances, each at most a third of the longest edge squared. Triangles that
//! share no vertex are at least the clearance of either apart. So
//!
//! ```text
//! |f(x) - f(y)|  <=  h sqrt(1 + 2/3 s^2) |x - y|,          s the largest of longest edge / clearance
//! ```
//!
//! Twigs compare vertices. Nodes above compare planes that fit the weights
//! of what is below them and around: points in each other's surroundings further below are known from there, others are at least that reach
//! apart.

use glam::{DVec3, Vec3};

use super::clearance::gap;
use super::displacements::{Displacements, displaced};
use super::kinship::united;
use super::layout::Tree;
use super::slopes::Slopes;
use super::smoothness::{ANY_FIELD, FieldSmoothness, JointSmoothness, Scope, Smoothness};
use super::threads;
use super::weight_fits::{Fit, WeightFits, ends, find, longest_edge, product_error, weights};
use crate::math::Aabb;
use crate::model::Model;
use crate::simd;

/// More fields than this are not compared one by one: faces with a hundred shapes would take seconds to build.
const MOST_FIELDS: usize = 16;

/// What is known of a joint around a node.
#[derive(Clone, Copy, Default)]
struct Known {
    joint: u32,
    /// Slopes that differ from the plane's, and of what products of weights and places add.
    uneven: f64,
    product: f64,
    /// Of weights.
    least: f64,
    most: f64,
}

/// What is known of a field around a node.
#[derive(Clone, Copy)]
struct KnownField {
    field: u32,
    slope: f64,
    length: f64,
}

/// What is found around a node, joints and fields ascending.
#[derive(Default)]
struct Found {
    scope: Scope,
    joints: Vec<Known>,
    fields: Vec<KnownField>,
}

/// Smoothness of all nodes. `clearances` are those of triangles, in the order of the leaves.
pub(super) fn smoothness(tree: &Tree, model: &Model, clearances: &[f64]) -> Smoothness {
    let mut smoothness = Smoothness::new(tree, model);
    let search = Search::new(tree, model, clearances, &smoothness);
    let count = tree.nodes.len();
    let nodes: Vec<usize> = (0..count).collect();
    let parts = threads::equal_parts(&nodes, |_| 1);
    let found = threads::map(parts, |nodes| {
        let mut near = Surroundings::new(model);
        let of_node = |&node: &usize| match tree.nodes[node].twig() {
            Some(twig) if twig == node => search.between_vertices(node, &mut near),
            // Nothing is kept of what is below twigs.
            Some(_) => Found::default(),
            None => search.between_cells(node),
        };
        nodes.iter().map(of_node).collect::<Vec<_>>()
    });
    let mut found: Vec<Found> = found.into_iter().flatten().collect();
    // Children come after their parents.
    for node in (0..count).rev().filter(|&node| tree.nodes[node].twig().is_none()) {
        let children = tree.nodes[node].range();
        let (above, below) = found.split_at_mut(children.start);
        search.add_children(node, &mut above[node], &below[..children.len()]);
    }
    let stored = found.iter().enumerate().map(|(node, found)| search.stored(node, found));
    let stored: Vec<_> = stored.collect();
    for ((joints, fields), found) in stored.into_iter().zip(&found) {
        smoothness.push(found.scope, joints, fields);
    }
    smoothness
}

struct Search<'a> {
    tree: &'a Tree,
    model: &'a Model,
    clearances: &'a [f64],
    around: &'a Smoothness,
    around_triangles: Vec<Aabb>,
    /// Longest edges of triangles.
    longest: Vec<f64>,
    /// The largest of longest edge / clearance below each node.
    widest: Vec<f64>,
    fits: WeightFits,
    /// Whether fields displace a vertex below each node; empty where the model has none.
    displaced: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(tree: &'a Tree, model: &'a Model, clearances: &'a [f64], around: &'a Smoothness) -> Self {
        let (triangles, positions) = (model.mesh().triangles(), model.mesh().positions());
        let corners = |&t: &u32| triangles[t as usize].map(|vertex| positions[vertex as usize]);
        let corners: Vec<[Vec3; 3]> = tree.triangles.iter().map(corners).collect();
        let around_triangles: Vec<Aabb> = corners.iter().map(|&corners| Aabb::from_points(corners)).collect();
        let longest = |corners: &[Vec3; 3]| longest_edge(&corners.map(|corner| corner.as_dvec3()));
        let longest: Vec<f64> = corners.iter().map(longest).collect();
        let least = f64::from(around.least_clearance);
        let wide = longest.iter().zip(clearances).map(|(longest, clearance)| longest / clearance.max(least));
        let greatest = |wide: &[f64]| wide.iter().copied().fold(0.0, f64::max);
        Self {
            tree,
            model,
            clearances,
            widest: united(&tree.nodes, &wide.collect::<Vec<_>>(), greatest),
            longest,
            fits: WeightFits::new(tree, model, &around.boxes),
            around,
            around_triangles,
            displaced: displaced(tree, model),
        }
    }

    fn reach(&self, node: usize) -> f64 {
        f64::from(self.around.reaches[node])
    }

    fn around(&self, node: usize) -> &Aabb {
        &self.around.boxes[node]
    }

    /// Of two triangles that something is said of, one has this clearance, and the other has it or is at least as far away.
    fn clearance(&self, triangle: usize) -> f64 {
        self.clearances[triangle].max(self.around.least_clearance.into())
    }

    fn vertices(&self, triangle: usize) -> [u32; 3] {
        self.model.mesh().triangles()[self.tree.triangles[triangle] as usize]
    }

    /// What a query needs to know.
    fn stored(&self, node: usize, found: &Found) -> (Vec<JointSmoothness>, Vec<FieldSmoothness>) {
        let mut joints: Vec<_> = found.joints.iter().map(|known| self.stored_joint(node, known)).collect();
        // What may bend most first: a query that finds too much gives up.
        joints.sort_by(|a, b| b.varying.total_cmp(&a.varying));
        (joints, found.fields.iter().map(KnownField::stored).collect())
    }

    fn stored_joint(&self, node: usize, known: &Known) -> JointSmoothness {
        let fit = find(self.fits.of(node), known.joint).unwrap_or_default();
        let (weight, gradient) = (fit.mean as f32, fit.gradient.as_vec3());
        // How far the stored gradient is off is counted as unevenness.
        let uneven = known.uneven + (gradient.as_dvec3() - fit.gradient).length();
        let differing = (known.most - f64::from(weight)).max(f64::from(weight) - known.least).max(0.0);
        let over_node = self.fits.radii[node] * (fit.gradient.length() + uneven);
        JointSmoothness {
            joint: known.joint,
            weight,
            gradient: gradient.to_array(),
            varying: up(differing + over_node + known.product),
            uneven: up(uneven),
        }
    }

    /// Compares vertices of a twig with those around it.
    fn between_vertices(&self, node: usize, near: &mut Surroundings) -> Found {
        near.collect(self, node);
        let shape = |&triangle: &usize| self.longest[triangle] / self.clearance(triangle);
        let widest = near.triangles.iter().map(shape).fold(0.0, f64::max);
        let widened = steeper(widest);
        let radius = near.radius(self, node);
        let mut joints = near.weights(self, node);
        simd::run(&mut near.slopes);
        for (known, slope) in joints.iter_mut().zip(near.slopes.steepest()) {
            known.uneven = slope * widened;
            known.product *= 2.0;
        }
        joints.sort_unstable_by_key(|known| known.joint);
        let mut fields = near.fields(self);
        fields.iter_mut().for_each(|field| field.slope *= widened);
        Found { scope: Scope { radius: up(radius), steeper: up(widened) }, joints, fields }
    }

    /// Compares what is right below a node above twigs with what is around it, as far as that is not in the child's surroundings.
    fn between_cells(&self, node: usize) -> Found {
        let fits = &self.fits;
        let cells = self.cells(node);
        let mut joints: Vec<u32> =
            cells.iter().flat_map(|&cell| fits.of(cell)).map(|fit| fit.joint).collect();
        joints.sort_unstable();
        joints.dedup();
        let all = |of_joints: &[Fit]| -> Vec<Fit> {
            joints.iter().map(|&joint| find(of_joints, joint).unwrap_or_default()).collect()
        };
        let planes = all(fits.of(node));
        let of_cells: Vec<Vec<Fit>> = cells.iter().map(|&cell| all(fits.of(cell))).collect();
        let known = |(place, &joint): (usize, &u32)| {
            let weights = of_cells.iter().map(|fits| (fits[place].least, fits[place].most));
            let (least, most) = weights.fold((f64::INFINITY, 0.0f64), |a, b| (a.0.min(b.0), a.1.max(b.1)));
            Known { joint, least, most, ..Known::default() }
        };
        let mut found: Vec<Known> = joints.iter().enumerate().map(known).collect();
        for child in self.tree.nodes[node].range() {
            let (of_child, reach) = (all(fits.of(child)), self.reach(child));
            for (&cell, of_cell) in cells.iter().zip(&of_cells) {
                if is_within(self.around(cell), self.around(child), reach) {
                    continue;
                }
                let apart = gap(self.around(child), self.around(cell)).max(reach);
                let weights = of_child.iter().zip(of_cell);
                for ((known, plane), weights) in found.iter_mut().zip(&planes).zip(weights) {
                    if weights.0.most > 0.0 || weights.1.most > 0.0 {
                        self.compare_planes(known, plane, [child, cell], weights, apart);
                    }
                }
            }
        }
        // Displacements are not compared.
        let displaced = cells.iter().any(|&cell| self.displaced.get(cell) == Some(&true));
        let widest = cells.iter().map(|&cell| self.widest[cell]).fold(0.0, f64::max);
        let reached = |&cell: &usize| fits.centers[node].distance(fits.centers[cell]) + fits.radii[cell];
        let radius = cells.iter().map(reached).fold(0.0, f64::max);
        let scope = Scope { radius: up(radius), steeper: up(steeper(widest)) };
        Found { scope, joints: found, fields: displaced.then_some(KnownField::ANY).into_iter().collect() }
    }

    /// Between points of two cells. With `g` for the mean of their gradients and `d` for half the difference, at points `x` and `y`
    ///
    /// ```text
    /// w(x) - w(y)  =  g (x - y)  +  what the planes differ at both middles  +  d (x - x_0) + d (y - y_0)  +  off
    /// ```
    fn compare_planes(
        &self,
        known: &mut Known,
        plane: &Fit,
        [cell_a, cell_b]: [usize; 2],
        (a, b): (&Fit, &Fit),
        apart: f64,
    ) {
        let fits = &self.fits;
        let gradient = 0.5 * (a.gradient + b.gradient);
        let step = (a.mean - b.mean - gradient.dot(fits.centers[cell_a] - fits.centers[cell_b])).abs();
        let turned = 0.5 * (a.gradient - b.gradient).length() * (fits.radii[cell_a] + fits.radii[cell_b]);
        let jump = step + turned + a.off + b.off;
        known.uneven = known.uneven.max((gradient - plane.gradient).length() + jump / apart);
        known.product = known.product.max((a.product + b.product) / apart);
    }

    /// Adds what is known between points that are in each other's surroundings further below.
    fn add_children(&self, node: usize, found: &mut Found, children: &[Found]) {
        let first = self.tree.nodes[node].range().start;
        for known in &mut found.joints {
            let plane = find(self.fits.of(node), known.joint).unwrap_or_default();
            for (below, child) in children.iter().zip(first..) {
                let of_child = find(self.fits.of(child), known.joint).unwrap_or_default();
                let turned = (of_child.gradient - plane.gradient).length();
                let at = below.joints.binary_search_by_key(&known.joint, |known| known.joint);
                let below = at.map_or(Known::default(), |at| below.joints[at]);
                known.uneven = known.uneven.max(below.uneven + turned);
                known.product = known.product.max(below.product);
            }
        }
    }

    /// Nodes no larger than those right below a node, or leaves, that together hold all triangles in its surroundings.
    fn cells(&self, node: usize) -> Vec<usize> {
        let (fits, nodes) = (&self.fits, &self.tree.nodes);
        let largest = nodes[node].range().map(|child| fits.radii[child]).fold(0.0, f64::max);
        let mut cells = Vec::new();
        self.near(node, |other| {
            let is_cell = nodes[other].is_leaf() || (fits.radii[other] <= largest && other != node);
            cells.extend(is_cell.then_some(other));
            is_cell
        });
        cells
    }

    /// Visits nodes in the surroundings of a node, and what is below them unless the visitor says that this is enough.
    fn near(&self, node: usize, mut is_enough: impl FnMut(usize) -> bool) {
        let (around, reach) = (self.around(node), self.reach(node));
        let mut open = vec![0];
        while let Some(other) = open.pop() {
            if gap(self.around(other), around) <= reach
                && !is_enough(other)
                && !self.tree.nodes[other].is_leaf()
            {
                open.extend(self.tree.nodes[other].range());
            }
        }
    }
}

/// Whether a box is within a distance of another one on every axis.
fn is_within(inner: &Aabb, outer: &Aabb, reach: f64) -> bool {
    let beyond =
        (outer.min.as_dvec3() - inner.min.as_dvec3()).max(inner.max.as_dvec3() - outer.max.as_dvec3());
    beyond.max_element() <= reach
}

/// Triangles and vertices in the surroundings of one node after another.
struct Surroundings {
    triangles: Vec<usize>,
    /// Vertices of triangles below the node, then others.
    vertices: Vec<u32>,
    own: usize,
    joints: Vec<u32>,
    /// The place of each joint in that list.
    places: Vec<u32>,
    slopes: Slopes,
}

const NOWHERE: u32 = u32::MAX;

impl Surroundings {
    fn new(model: &Model) -> Self {
        Self {
            triangles: Vec::new(),
            vertices: Vec::new(),
            own: 0,
            joints: Vec::new(),
            places: vec![NOWHERE; model.skin().joint_count()],
            slopes: Slopes::default(),
        }
    }

    /// Finds what is around a node.
    fn collect(&mut self, search: &Search, node: usize) {
        let (around, reach) = (search.around(node), search.reach(node));
        self.triangles.clear();
        search.near(node, |other| {
            if search.tree.nodes[other].is_leaf() {
                let triangles = search.tree.nodes[other].range();
                let is_near = |triangle: &usize| gap(&search.around_triangles[*triangle], around) <= reach;
                self.triangles.extend(triangles.filter(is_near));
            }
            false
        });
        let below = search.tree.triangles_below(node);
        self.vertices.clear();
        for own in [true, false] {
            let start = self.vertices.len();
            let triangles = self.triangles.iter().filter(|&triangle| below.contains(triangle) == own);
            self.vertices.extend(triangles.flat_map(|&triangle| search.vertices(triangle)));
            self.vertices[start..].sort_unstable();
            self.vertices.dedup();
            if own {
                self.own = self.vertices.len();
            }
        }
        self.joints.drain(..).for_each(|joint| self.places[joint as usize] = NOWHERE);
        for &vertex in &self.vertices {
            for &joint in search.model.skin().joints_and_weights(vertex as usize).0 {
                let place = &mut self.places[joint as usize];
                if *place == NOWHERE {
                    *place = self.joints.len() as u32;
                    self.joints.push(joint);
                }
            }
        }
    }

    /// How far the vertices are from the middle of a node.
    fn radius(&self, search: &Search, node: usize) -> f64 {
        let (positions, middle) = (search.model.mesh().positions(), search.fits.centers[node]);
        let distance = |&vertex: &u32| positions[vertex as usize].as_dvec3().distance(middle);
        self.vertices.iter().map(distance).fold(0.0, f64::max)
    }

    /// Prepares slopes of all weights that differ from a node's planes. Out: least and greatest weights, errors of products.
    fn weights(&mut self, search: &Search, node: usize) -> Vec<Known> {
        let planes: Vec<Fit> =
            self.joints.iter().map(|&joint| find(search.fits.of(node), joint).unwrap_or_default()).collect();
        let none = |&joint: &u32| Known { joint, least: f64::INFINITY, ..Known::default() };
        let mut known: Vec<Known> = self.joints.iter().map(none).collect();
        let mut of_vertex = vec![0.0; planes.len()];
        self.slopes.start(self.own, self.vertices.len(), planes.len());
        for (at, &vertex) in self.vertices.iter().enumerate() {
            of_vertex.fill(0.0);
            for (joint, weight) in weights(search.model, vertex) {
                of_vertex[self.places[joint as usize] as usize] = weight;
            }
            let position = search.model.mesh().positions()[vertex as usize].as_dvec3();
            let from = position - search.fits.centers[node];
            self.slopes.set_position(at, from);
            for (place, (&weight, plane)) in of_vertex.iter().zip(&planes).enumerate() {
                let known = &mut known[place];
                (known.least, known.most) = (known.least.min(weight), known.most.max(weight));
                self.slopes.set_value(place, at, weight - plane.gradient.dot(from));
            }
        }
        let mut at_corners = vec![[0.0; 3]; planes.len()];
        for &triangle in &self.triangles {
            at_corners.fill([0.0; 3]);
            for (corner, vertex) in search.vertices(triangle).into_iter().enumerate() {
                for (joint, weight) in weights(search.model, vertex) {
                    at_corners[self.places[joint as usize] as usize][corner] = weight;
                }
            }
            for (known, weights) in known.iter_mut().zip(&at_corners) {
                let (least, most) = ends(weights);
                let error = product_error(most - least, search.longest[triangle]);
                known.product = known.product.max(error / search.clearance(triangle));
            }
        }
        known
    }

    /// Slopes and lengths of displacements, field by field.
    fn fields(&self, search: &Search) -> Vec<KnownField> {
        let Some(displacements) = Displacements::of(search.model) else { return Vec::new() };
        let (mut of_vertices, mut fields) = (Vec::new(), Vec::new());
        for &vertex in &self.vertices {
            let of_vertex = displacements.of_vertex(vertex);
            let new = of_vertex.iter().map(|(field, _)| *field).filter(|field| !fields.contains(field));
            let new: Vec<u32> = new.collect();
            fields.extend(new);
            if fields.len() > MOST_FIELDS {
                return vec![KnownField::ANY];
            }
            of_vertices.push(of_vertex);
        }
        fields.sort_unstable();
        let positions: Vec<DVec3> = (self.vertices.iter())
            .map(|&vertex| search.model.mesh().positions()[vertex as usize].as_dvec3())
            .collect();
        let of_field = |&field: &u32| {
            let of_vertex = |all: &Vec<(u32, DVec3)>| {
                let at = all.binary_search_by_key(&field, |(own, _)| *own);
                at.map_or(DVec3::ZERO, |at| all[at].1)
            };
            let values: Vec<DVec3> = of_vertices.iter().map(of_vertex).collect();
            let (mut slope_sq, mut length) = (0.0f64, 0.0f64);
            for (one, position) in values[..self.own].iter().zip(&positions) {
                for (other, other_position) in values.iter().zip(&positions) {
                    let (step, distance) =
                        (one.distance_squared(*other), position.distance_squared(*other_position));
                    if step > 0.0 {
                        slope_sq = slope_sq.max(step / distance);
                    }
                }
            }
            values.iter().for_each(|value| length = length.max(value.length()));
            KnownField { field, slope: slope_sq.sqrt(), length }
        };
        fields.iter().map(of_field).collect()
    }
}

impl KnownField {
    /// Some field, of which nothing is known.
    const ANY: Self = Self { field: ANY_FIELD, slope: f64::INFINITY, length: f64::INFINITY };

    fn stored(&self) -> FieldSmoothness {
        FieldSmoothness { field: self.field, slope: up(self.slope), length: up(self.length) }
    }
}

/// By how much slopes between points exceed those between vertices, with the largest of longest edge / clearance.
fn steeper(widest: f64) -> f64 {
    (1.0 + 2.0 / 3.0 * widest * widest).sqrt()
}

/// Rounded up, errors of f64 included; what is infinite becomes the largest number.
fn up(bound: f64) -> f32 {
    // A NaN comes from nothing divided by nothing: nothing is known.
    if bound.is_nan() { f32::MAX } else { ((bound * (1.0 + 1e-6)) as f32).min(f32::MAX) }
}
