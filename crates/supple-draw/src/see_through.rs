//! Pictures that show what they are about, wherever it is: marked triangles shine through solid ones, and solid ones through faded ones.
//!
//! In come a mesh, the kind of each of its triangles, and lines. Out goes an image, or which marks are seen. Every triangle is
//! lit from its own normal. What must hold: a mark that is in the picture changes its pixels, whatever is in front of it; a line
//! too, thinner where something solid hides it.

use std::ops::Range;

use glam::{Vec2, Vec3};

use crate::camera::Camera;
use crate::canvas::check_size;
use crate::clip::clip_segment;
use crate::colour::Colour;
use crate::error::DrawError;
use crate::image::Image;
use crate::light::shade;
use crate::nearest::{NOTHING, Nearest, PER_PIXEL, Seen};
use crate::normals::{corners, face_normal};
use crate::raster::Walk;
use crate::view::{Projected, View};

/// How much a triangle is to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What the picture is about.
    Mark,
    /// What it is on.
    Solid,
    /// What is around it.
    Faded,
}

/// Triangles with a kind each.
#[derive(Clone, Copy, Debug)]
pub struct Facets<'a> {
    /// Positions in the world.
    pub positions: &'a [Vec3],
    /// Corners; those with an index out of range or a position that is not finite are left out.
    pub triangles: &'a [[u32; 3]],
    /// One per triangle; triangles without one are left out.
    pub kinds: &'a [Kind],
}

/// What is in front of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// Nothing.
    Open,
    /// Something faded.
    Veiled,
    /// Something solid.
    Hidden,
}

/// How much light of a hidden mark comes through what is solid, and how much a faded triangle covers of what is behind it.
const THROUGH_SOLID: f32 = 0.65;
const VEIL: f32 = 0.25;

/// How much of the background is in what is faded.
const FADE: f32 = 0.3;

/// Widths of lines in pixels, and how dark they are, where they are open and where they are hidden.
const LINE_WIDTHS: [f32; 2] = [2.4, 1.4];
const LINE_SHARES: [f32; 2] = [1.0, 0.55];

/// Rows that are drawn at a time: three layers of 600 pixels take 1 MB.
const BAND: usize = 16;

/// A picture of facets and lines.
#[derive(Clone, Debug)]
pub struct SeeThrough<'a> {
    facets: Facets<'a>,
    view: View,
    size: (usize, usize),
    /// Triangles that are in the picture, and for each band the numbers of those in it, fronts and backs.
    visible: Vec<Visible>,
    in_bands: Vec<[Vec<u32>; 2]>,
    lines: Vec<[Projected; 2]>,
}

/// A projected triangle.
#[derive(Clone, Copy, Debug)]
struct Visible {
    triangle: u32,
    kind: Kind,
    pixels: [Vec2; 3],
    keys: [f32; 3],
}

/// Some rows of the picture.
struct Band {
    rows: Range<usize>,
    marks: Nearest,
    solid: Nearest,
    faded: Nearest,
    /// How much of each sample lines cover; empty without lines.
    lines: Vec<[f32; PER_PIXEL]>,
}

impl<'a> SeeThrough<'a> {
    /// Projects what is to be seen in a picture of `width` times `height` pixels. Triangles that reach behind the eye of a
    /// camera with perspective are left out.
    pub fn new(camera: &Camera, (width, height): (u32, u32), facets: Facets<'a>) -> Result<Self, DrawError> {
        check_size(width, height)?;
        let size = (width as usize, height as usize);
        let view = View::new(camera, size.0, size.1);
        let mut this =
            Self { facets, view, size, visible: Vec::new(), in_bands: Vec::new(), lines: Vec::new() };
        this.in_bands.resize(size.1.div_ceil(BAND), Default::default());
        this.project_triangles();
        Ok(this)
    }

    /// Adds lines, which lie on the surface.
    pub fn with_lines(mut self, lines: &[[Vec3; 2]]) -> Self {
        let view = self.view;
        let projected = |line: &[Vec3; 2]| {
            let [a, b] = line.map(|end| view.view_from_world(end));
            clip_segment(&view, a, b).map(|ends| ends.map(|end| view.project(end)))
        };
        self.lines.extend(lines.iter().filter_map(projected));
        self
    }

    /// Where a world point appears, in pixels from the top left; `None` if it is behind the eye or not finite. It may lie outside
    /// the picture.
    pub fn project(&self, point: Vec3) -> Option<Vec2> {
        let in_view = self.view.view_from_world(point);
        let pixel = (self.view.outside(0, in_view) <= 0.0).then(|| self.view.project(in_view).pixel)?;
        pixel.is_finite().then_some(pixel)
    }

    /// Calls `found` for every sample of the picture that has a mark: with the nearest marked triangle, and what is in front of it. A
    /// pixel has four samples.
    pub fn marks(&self, found: &mut dyn FnMut(u32, Cover)) {
        self.bands(|band| {
            for (x, y) in pixels(self.size.0, band.rows.clone()) {
                let [marks, solid, faded] = band.layers(x, y);
                for sample in (0..PER_PIXEL).filter(|&sample| marks.triangles[sample] != NOTHING) {
                    let is_before = |layer: &Seen| layer.keys[sample] > marks.keys[sample];
                    let cover = match (is_before(solid), is_before(faded)) {
                        (true, _) => Cover::Hidden,
                        (_, true) => Cover::Veiled,
                        _ => Cover::Open,
                    };
                    found(marks.triangles[sample], cover);
                }
            }
        });
    }

    /// The picture, with a colour for every triangle and for what is behind them all.
    pub fn image(&self, background: Colour, colour: &dyn Fn(usize) -> Colour) -> Result<Image, DrawError> {
        let mut image = Image::new(self.size.0 as u32, self.size.1 as u32, background)?;
        let (ink, background) = (Colour::INK.to_linear(), background.to_linear());
        let mut lit = vec![Vec3::NAN; self.facets.triangles.len()];
        let mut lit = |triangle: u32| {
            let light = &mut lit[triangle as usize];
            if light.is_nan() {
                let faded = if self.facets.kinds[triangle as usize] == Kind::Faded { FADE } else { 0.0 };
                let own = self.lit(triangle as usize, colour(triangle as usize));
                *light = own.lerp(background, faded);
            }
            *light
        };
        self.bands(|band| {
            // Neighbours mostly show the same triangles.
            let mut last = (Shown::NOTHING, background, Colour::from_linear(background));
            for (x, y) in pixels(self.size.0, band.rows.clone()) {
                let layers = band.layers(x, y);
                let lines = band.lines_at(x, y);
                let is_plain = lines == [0.0; PER_PIXEL];
                if is_plain && layers.iter().all(|layer| layer.is_empty()) {
                    continue;
                }
                let (mut sum, mut is_even) = (Vec3::ZERO, is_plain);
                for (sample, line) in lines.into_iter().enumerate() {
                    let shown = Shown::new(layers, sample);
                    if shown != last.0 {
                        let light = shown.light(background, &mut lit);
                        last = (shown, light, Colour::from_linear(light));
                        is_even &= sample == 0;
                    }
                    sum += if is_plain { last.1 } else { last.1.lerp(ink, line) };
                }
                let mean = || Colour::from_linear(sum / PER_PIXEL as f32);
                image.set(x, y, if is_even { last.2 } else { mean() });
            }
        });
        Ok(image)
    }

    /// Draws the picture, some rows at a time.
    fn bands(&self, mut drawn: impl FnMut(&Band)) {
        let mut band = Band::new(self.size.0);
        for (number, in_band) in self.in_bands.iter().enumerate() {
            let start = number * BAND;
            band.start(start..(start + BAND).min(self.size.1), !self.lines.is_empty());
            // Fronts first: they hide most backs, which are then passed over quickly.
            for &number in in_band.iter().flatten() {
                let Visible { triangle, kind, pixels, keys } = &self.visible[number as usize];
                let Some(walk) = Walk::new(*pixels, self.size) else { continue };
                let layer = match kind {
                    Kind::Mark => &mut band.marks,
                    Kind::Solid => &mut band.solid,
                    Kind::Faded => &mut band.faded,
                };
                layer.draw(*triangle, &walk, *keys);
            }
            for line in &self.lines {
                band.draw_line(&self.view, self.size, line);
            }
            drawn(&band);
        }
    }

    /// Finds the triangles whose boxes meet the picture.
    fn project_triangles(&mut self) {
        let Facets { positions, triangles, kinds } = self.facets;
        let view = self.view;
        let project = |position: &Vec3| {
            let in_view = view.view_from_world(*position);
            let is_drawn = in_view.is_finite() && view.outside(0, in_view) <= 0.0;
            if is_drawn { view.project(in_view) } else { Projected { pixel: Vec2::NAN, key: f32::NAN } }
        };
        let projected: Vec<Projected> = positions.iter().map(project).collect();
        let limit = Vec2::new(self.size.0 as f32, self.size.1 as f32);
        let last_band = self.in_bands.len() - 1;
        self.visible.reserve(triangles.len());
        for (triangle, (&[a, b, c], &kind)) in (0..).zip(triangles.iter().zip(kinds)) {
            let corner = |vertex: u32| projected.get(vertex as usize);
            let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) else { continue };
            let (low, high) = (a.pixel.min(b.pixel).min(c.pixel), a.pixel.max(b.pixel).max(c.pixel));
            let is_whole = (a.key + b.key + c.key).is_finite();
            if is_whole && low.cmple(limit).all() && high.cmpge(Vec2::ZERO).all() {
                let number = self.visible.len() as u32;
                // Corners are rounded when they are drawn.
                let band = |y: f32| (y.max(0.0) as usize / BAND).min(last_band);
                let is_front = (b.pixel - a.pixel).perp_dot(c.pixel - a.pixel) < 0.0;
                for band in band(low.y - 0.01)..=band(high.y + 0.01) {
                    self.in_bands[band][usize::from(!is_front)].push(number);
                }
                let (pixels, keys) = ([a.pixel, b.pixel, c.pixel], [a.key, b.key, c.key]);
                self.visible.push(Visible { triangle, kind, pixels, keys });
            }
        }
    }

    /// The light of a triangle towards the eye.
    fn lit(&self, triangle: usize, colour: Colour) -> Vec3 {
        let corners = corners(self.facets.positions, self.facets.triangles[triangle]);
        let Some(corners) = corners else { return colour.to_linear() };
        let normal = face_normal(corners);
        let facing = if self.view.is_front(corners[0], normal) { 1.0 } else { -1.0 };
        let pixel = self.view.project(self.view.view_from_world(corners[0])).pixel;
        let to_eye = self.view.direction_to_eye(pixel);
        shade(colour.to_linear(), self.view.turn(normal) * facing, to_eye).min(Vec3::ONE)
    }
}

fn pixels(width: usize, rows: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    rows.flat_map(move |y| (0..width).map(move |x| (x, y)))
}

impl Band {
    fn new(width: usize) -> Self {
        let layer = || Nearest::new(width);
        Self { rows: 0..0, marks: layer(), solid: layer(), faded: layer(), lines: Vec::new() }
    }

    fn start(&mut self, rows: Range<usize>, has_lines: bool) {
        for layer in [&mut self.marks, &mut self.solid, &mut self.faded] {
            layer.start(rows.clone());
        }
        self.lines.clear();
        if has_lines {
            self.lines.resize(rows.len() * self.marks.width(), [0.0; PER_PIXEL]);
        }
        self.rows = rows;
    }

    fn layers(&self, x: usize, y: usize) -> [&Seen; 3] {
        [self.marks.at(x, y), self.solid.at(x, y), self.faded.at(x, y)]
    }

    fn lines_at(&self, x: usize, y: usize) -> [f32; PER_PIXEL] {
        let pixel = (y - self.rows.start) * self.marks.width() + x;
        self.lines.get(pixel).copied().unwrap_or_default()
    }

    fn draw_line(&mut self, view: &View, size: (usize, usize), [a, b]: &[Projected; 2]) {
        let keys = [a, a, b, b].map(|end| view.lifted(end.key));
        let along = (b.pixel - a.pixel).normalize_or_zero();
        for (kind, (width, share)) in LINE_WIDTHS.into_iter().zip(LINE_SHARES).enumerate() {
            let (aside, further) = (along.perp() * (width * 0.5), along * (width * 0.25));
            let (a, b) = (a.pixel - further, b.pixel + further);
            let strip = [a + aside, a - aside, b - aside, b + aside];
            for corners in [[0, 1, 2], [0, 2, 3]] {
                let Some(walk) = Walk::new(corners.map(|corner| strip[corner]), size) else { continue };
                let depth = walk.linear(corners.map(|corner| keys[corner]));
                walk.pixels(self.rows.clone(), |x, y, values, inside| {
                    let (marks, solid) = (self.marks.at(x, y), self.solid.at(x, y));
                    let lines = &mut self.lines[(y - self.rows.start) * self.marks.width() + x];
                    for (sample, key) in depth.at(values).into_iter().enumerate() {
                        let is_hidden = marks.keys[sample].max(solid.keys[sample]) > key;
                        if inside >> sample & 1 == 1 && is_hidden == (kind == 1) {
                            lines[sample] = lines[sample].max(share);
                        }
                    }
                });
            }
        }
    }
}

/// The triangles whose light makes up a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shown {
    base: u32,
    /// A mark behind the base.
    through: u32,
    /// What is faded in front of all.
    veil: u32,
}

impl Shown {
    const NOTHING: Self = Self { base: NOTHING, through: NOTHING, veil: NOTHING };

    fn new(layers: [&Seen; 3], sample: usize) -> Self {
        let [mark, solid, faded] = layers.map(|layer| (layer.keys[sample], layer.triangles[sample]));
        let (front, through) = if solid.0 > mark.0 { (solid, mark.1) } else { (mark, NOTHING) };
        if front.1 == NOTHING {
            return Self { base: faded.1, ..Self::NOTHING };
        }
        Self { base: front.1, through, veil: if faded.0 > front.0 { faded.1 } else { NOTHING } }
    }

    fn light(&self, background: Vec3, lit: &mut impl FnMut(u32) -> Vec3) -> Vec3 {
        let mut light = background;
        for (triangle, share) in [(self.base, 1.0), (self.through, THROUGH_SOLID), (self.veil, VEIL)] {
            if triangle != NOTHING {
                light = light.lerp(lit(triangle), share);
            }
        }
        light
    }
}
