//! Plots as SVG: lines over linear or logarithmic axes, and bars.
//!
//! Must hold: words and axes take the colour of the text around them, so that a plot is readable on a light and on a dark
//! page; the colours of series are readable on both. Legends are the page's: it knows its fonts.

use std::ops::Range;

use crate::columns::number;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// What stands on it.
    pub kind: Kind,
    /// Of the vertical axis.
    pub y: Axis,
}

/// What stands on a plot.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Points joined by lines.
    Lines {
        /// The horizontal axis.
        x: Axis,
        /// Names and points, in the order of x.
        series: Vec<(String, Vec<[f64; 2]>)>,
    },
    /// Bars from 0 upwards, or from the lower end of a logarithmic axis.
    Bars {
        /// Below each group of bars.
        groups: Vec<String>,
        /// Names and one number per group.
        series: Vec<(String, Vec<f64>)>,
    },
}

/// An axis.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// What is measured, with its unit.
    pub label: String,
    /// Whether equal ratios have equal lengths; only for positive numbers.
    pub logarithmic: bool,
}

impl Axis {
    /// An axis with even steps.
    pub fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), logarithmic: false }
    }

    /// An axis for ratios and orders of magnitude.
    pub fn logarithmic(label: &str) -> Self {
        Self { label: label.to_owned(), logarithmic: true }
    }

    /// The part of the axis that is shown: round numbers on a logarithmic one, from 0 on a linear one.
    fn range(&self, values: impl Iterator<Item = f64>) -> Range<f64> {
        let usable = |v: &f64| v.is_finite() && (!self.logarithmic || *v > 0.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        values.filter(usable).for_each(|v| (low, high) = (low.min(v), high.max(v)));
        match (low <= high, self.logarithmic) {
            (false, _) => 0.1..1.0,
            (true, true) => {
                let (first, last) = (low.log10().floor(), high.log10().ceil());
                10f64.powf(first)..10f64.powf(last.max(first + 1.0))
            }
            (true, false) => {
                let room = 0.08 * (high.max(0.0) - low.min(0.0)).max(1e-12);
                let below = if low < 0.0 { low - room } else { 0.0 };
                below..high.max(0.0) + room
            }
        }
    }
}

/// Pixels; the page scales them.
const SIZE: (u32, u32) = (760, 380);

/// Stands for the colour of the text around the plot: replaced in the SVG.
const INK: RGBColor = RGBColor(1, 2, 3);
const INK_IN_SVG: &str = "#010203";

/// Colours of series, readable on white and on black.
pub const COLOURS: [&str; 6] = ["#3a7bd5", "#f0820f", "#3aa35b", "#8c5fc4", "#e0383e", "#8a93a3"];

impl Plot {
    /// Names of the series, in the order of [`COLOURS`], which repeat.
    pub fn legend(&self) -> impl Iterator<Item = (&str, &'static str)> {
        let names: Vec<&str> = match &self.kind {
            Kind::Lines { series, .. } => series.iter().map(|(name, _)| name.as_str()).collect(),
            Kind::Bars { series, .. } => series.iter().map(|(name, _)| name.as_str()).collect(),
        };
        names.into_iter().zip(COLOURS.into_iter().cycle())
    }

    /// All numbers that are drawn.
    pub fn values(&self) -> Vec<f64> {
        match &self.kind {
            Kind::Lines { series, .. } => {
                series.iter().flat_map(|(_, points)| points.iter().flatten()).copied().collect()
            }
            Kind::Bars { series, .. } => series.iter().flat_map(|(_, values)| values).copied().collect(),
        }
    }

    /// An `<svg>` element.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let drawn = self.draw(&area).and_then(|()| area.present());
        drop(area);
        drawn.expect("writing into a string cannot fail");
        let (_, element) = svg.split_at(svg.find("<svg").unwrap_or(0));
        // Inside of a page no namespace is needed.
        let element = element.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", " role=\"img\"", 1);
        element.replace(INK_IN_SVG, "currentColor")
    }

    fn draw(&self, area: &Area) -> Drawn {
        let count = |groups: &[String]| groups.len().max(1) as f64;
        let (x, xs) = match &self.kind {
            Kind::Lines { x, series } => {
                (x.clone(), x.range(series.iter().flat_map(|(_, points)| points.iter().map(|p| p[0]))))
            }
            Kind::Bars { groups, .. } => (Axis::default(), 0.0..count(groups)),
        };
        let ys = match &self.kind {
            Kind::Lines { series, .. } => {
                self.y.range(series.iter().flat_map(|(_, points)| points.iter().map(|p| p[1])))
            }
            Kind::Bars { series, .. } => self.y.range(series.iter().flat_map(|(_, values)| values).copied()),
        };
        let floor = ys.start;
        match (x.logarithmic, self.y.logarithmic) {
            (false, false) => self.chart(area, xs, ys, &x.label, floor),
            (true, false) => self.chart(area, xs.log_scale(), ys, &x.label, floor),
            (false, true) => self.chart(area, xs, ys.log_scale(), &x.label, floor),
            (true, true) => self.chart(area, xs.log_scale(), ys.log_scale(), &x.label, floor),
        }
    }

    fn chart<X, Y>(&self, area: &Area, xs: X, ys: Y, x_label: &str, floor: f64) -> Drawn
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let mut builder = ChartBuilder::on(area);
        builder.margin(16).x_label_area_size(46).y_label_area_size(62);
        let mut chart = builder.build_cartesian_2d(xs, ys)?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(x_label).y_desc(&self.y.label).x_label_formatter(&tick).y_label_formatter(&tick);
        mesh.axis_style(INK.mix(0.6)).bold_line_style(INK.mix(0.14)).light_line_style(TRANSPARENT);
        mesh.label_style(words(15)).axis_desc_style(words(16)).y_labels(8);
        if matches!(self.kind, Kind::Bars { .. }) {
            // Groups are named below their middle, by hand: the axis would put words where it has round numbers.
            mesh.disable_x_mesh().x_labels(0);
        }
        mesh.draw()?;
        let at = |chart: &Chart<X, Y>, x: f64, y: f64| chart.backend_coord(&(x, y));
        match &self.kind {
            Kind::Lines { series, .. } => {
                for (index, (_, points)) in series.iter().enumerate() {
                    let shown = |p: &&[f64; 2]| p[0].is_finite() && p[1].is_finite();
                    let points = || points.iter().filter(shown).map(|p| (p[0], p[1]));
                    chart.draw_series([PathElement::new(
                        points().collect::<Vec<_>>(),
                        colour(index).stroke_width(2),
                    )])?;
                    chart.draw_series(points().map(|p| Circle::new(p, 3, colour(index).filled())))?;
                }
            }
            Kind::Bars { groups, series } => {
                let width = 0.76 / series.len().max(1) as f64;
                for (index, (_, values)) in series.iter().enumerate() {
                    for (group, &value) in values.iter().enumerate().filter(|(_, value)| value.is_finite()) {
                        let left = group as f64 + 0.12 + index as f64 * width;
                        let corners = [(left, floor), (left + 0.92 * width, value)];
                        chart.draw_series([Rectangle::new(corners, colour(index).filled())])?;
                        let (x, y) = at(&chart, left + 0.46 * width, value);
                        area.draw_text(&number(value), &centerd(14, VPos::Bottom), (x, y - 2))?;
                    }
                }
                for (group, name) in groups.iter().enumerate() {
                    let (x, y) = at(&chart, group as f64 + 0.5, floor);
                    area.draw_text(name, &centerd(15, VPos::Top), (x, y + 9))?;
                }
            }
        }
        Ok(())
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Chart<'a, 'b, X, Y> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<<X as AsRangedCoord>::CoordDescType, <Y as AsRangedCoord>::CoordDescType>,
>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Words in the colour of the text around the plot.
fn words(size: i32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

fn centerd(size: i32, vertical: VPos) -> TextStyle<'static> {
    words(size).pos(Pos::new(HPos::Center, vertical))
}

fn colour(index: usize) -> RGBColor {
    let hex = COLOURS[index % COLOURS.len()];
    let part = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0);
    RGBColor(part(1), part(3), part(5))
}

/// A number on an axis.
fn tick(value: &f64) -> String {
    let rounded = (value * 1e9).round() / 1e9;
    let is_plain = rounded == 0.0 || (1e-3..1e6).contains(&rounded.abs());
    if is_plain { rounded.to_string() } else { format!("{value:e}") }
}
