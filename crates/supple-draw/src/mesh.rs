//! Drawing triangle meshes.
//!
//! In come positions, index triples and a style; out go shaded samples in the canvas. Each triangle goes
//! through the same stages: checked, coloured, turned into view space, cut, projected, covered, shaded. What
//! must hold: a triangle that cannot be drawn (index out of range, position not finite) is left out and
//! changes nothing else.

use glam::{Vec2, Vec3};

use crate::camera::Camera;
use crate::canvas::Canvas;
use crate::clip::{Corner, clip_polygon};
use crate::colour::Colour;
use crate::light::shade;
use crate::normals::{corners, face_normal, vertex_normals};
use crate::raster::{Fragment, cover_triangle, faces_viewer, sample_position};
use crate::view::View;

/// How a mesh looks.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    /// The colour of triangles without a mark.
    pub colour: Colour,
    /// Whether triangles are rounded or faceted.
    pub shading: Shading,
    /// The colour of triangle number `i`, where it differs from the rest.
    pub marks: Option<&'a dyn Fn(usize) -> Option<Colour>>,
    /// The colour of the triangles' edges, drawn over the visible surface; `None` for no edges.
    pub edges: Option<Colour>,
}

/// Where a mesh's normals come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shading {
    /// From the vertices: the mean over all triangles at the same position.
    Smooth,
    /// From each triangle alone.
    Flat,
}

impl<'a> Style<'a> {
    /// A rounded surface in one colour.
    pub fn smooth(colour: Colour) -> Self {
        Self { colour, shading: Shading::Smooth, marks: None, edges: None }
    }

    /// A faceted surface in one colour.
    pub fn flat(colour: Colour) -> Self {
        Self { shading: Shading::Flat, ..Self::smooth(colour) }
    }

    /// With triangles coloured by their number; `None` keeps the base colour.
    pub fn with_marks(self, marks: &'a dyn Fn(usize) -> Option<Colour>) -> Self {
        Self { marks: Some(marks), ..self }
    }

    /// With edges in the given colour. Where triangles get small in the picture, edges fade instead of hiding
    /// them.
    pub fn with_edges(self, colour: Colour) -> Self {
        Self { edges: Some(colour), ..self }
    }
}

impl Canvas {
    /// Draws a triangle mesh; counter-clockwise triangles face the viewer, others are drawn and lit from
    /// behind.
    ///
    /// Triangles with indices out of range or positions that are not finite are left out.
    pub fn draw_mesh(
        &mut self,
        camera: &Camera,
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        style: &Style<'_>,
    ) {
        let view = self.view(camera);
        let normals = match style.shading {
            Shading::Smooth => vertex_normals(positions, triangles),
            Shading::Flat => Vec::new(),
        };
        let edges = style.edges.map(Colour::to_linear);
        let (mut polygon, mut spare) = (Vec::new(), Vec::new());
        // Front faces first: they hide most back faces of a closed mesh, which then need no shading
        // (26k-triangle ball: 64 ms; back faces first: 89 ms).
        for front in [true, false] {
            for (index, triangle) in triangles.iter().enumerate() {
                let Some(corners) = corners(positions, *triangle) else { continue };
                let face = face_normal(corners);
                if view.is_front(corners[0], face) != front {
                    continue;
                }
                polygon.clear();
                polygon.extend((0..3).map(|side| {
                    let smooth = normals.get(triangle[side] as usize).filter(|normal| **normal != Vec3::ZERO);
                    Corner {
                        point_in_view: view.view_from_world(corners[side]),
                        normal_in_view: view.turn(*smooth.unwrap_or(&face)),
                        starts_edge: true,
                    }
                }));
                clip_polygon(&view, &mut polygon, &mut spare);
                let mark = style.marks.and_then(|marks| marks(index));
                let surface = mark.unwrap_or(style.colour).to_linear();
                self.draw_polygon(&view, &polygon, &Paint { surface, edges });
            }
        }
    }

    /// Draws a convex polygon as a fan; the fan's inner edges are no edges of the mesh.
    fn draw_polygon(&mut self, view: &View, polygon: &[Corner], paint: &Paint) {
        for second in 1..polygon.len().saturating_sub(1) {
            let fan = [polygon[0], polygon[second], polygon[second + 1]];
            // Side i lies opposite of corner i.
            let has_edge = [
                fan[1].starts_edge,
                fan[2].starts_edge && second + 2 == polygon.len(),
                fan[0].starts_edge && second == 1,
            ];
            self.draw_triangle(view, &fan, has_edge, paint);
        }
    }

    fn draw_triangle(&mut self, view: &View, corners: &[Corner; 3], has_edge: [bool; 3], paint: &Paint) {
        let seen = corners.map(|corner| view.project(corner.point_in_view));
        let pixels = seen.map(|corner| corner.pixel);
        let facing = if faces_viewer(pixels) { 1.0 } else { -1.0 };
        // Attributes are linear over the triangle in space, hence in the picture after division by the
        // divisor.
        let normals =
            corners.map(|corner| facing * corner.normal_in_view / view.divisor(corner.point_in_view));
        let edge_lines = paint.edges.map(|colour| (colour, edge_strength(pixels), heights(pixels)));
        // Shaded once per pixel, at the first sample seen (it is inside the triangle, the pixel's middle may
        // not be); depth and edges are decided per sample.
        let mut shaded = (usize::MAX, Vec3::ZERO);
        cover_triangle(pixels, self.size(), |hit| {
            let [a, b, c] = hit.weights;
            let key = seen[0].key * a + seen[1].key * b + seen[2].key * c;
            if !self.is_visible(hit.column, hit.row, key) {
                return;
            }
            let pixel = self.pixel_index(hit.column, hit.row);
            if shaded.0 != pixel {
                let normal = (normals[0] * a + normals[1] * b + normals[2] * c).normalize_or_zero();
                let to_eye = view.direction_to_eye(sample_position(hit.column, hit.row));
                shaded = (pixel, shade(paint.surface, normal, to_eye));
            }
            let colour = match &edge_lines {
                Some((colour, strength, heights)) => {
                    shaded.1.lerp(*colour, edge_cover(&hit, has_edge, heights) * strength)
                }
                None => shaded.1,
            };
            self.set(hit.column, hit.row, key, colour);
        });
    }
}

/// Linear colours of one triangle.
struct Paint {
    surface: Vec3,
    edges: Option<Vec3>,
}

/// Half the width of an edge line in pixels; each of two neighbours draws its half.
const EDGE_HALF_WIDTH: f32 = 0.55;

/// Whether the sample lies on an edge line.
fn edge_cover(hit: &Fragment, has_edge: [bool; 3], heights: &[f32; 3]) -> f32 {
    let is_on_edge = (0..3).any(|side| has_edge[side] && hit.weights[side] * heights[side] < EDGE_HALF_WIDTH);
    if is_on_edge { 0.8 } else { 0.0 }
}

/// The distance of each corner from the edge opposite of it.
fn heights([a, b, c]: [Vec2; 3]) -> [f32; 3] {
    let area = (b - a).perp_dot(c - a).abs();
    [c - b, a - c, b - a].map(|edge| area / edge.length().max(1e-6))
}

/// Full strength for triangles at least 10 pixels high, fading to a tenth for smaller ones.
fn edge_strength([a, b, c]: [Vec2; 3]) -> f32 {
    let longest = (b - a).length().max((c - b).length()).max((a - c).length());
    let height = (b - a).perp_dot(c - a).abs() / longest.max(1e-6);
    (height / 10.0).clamp(0.1, 1.0)
}
