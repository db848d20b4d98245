//! The measures that all parts of the bridge share, in metres: z along, x across, y up.

/// Panels of the truss, and their length.
pub(super) const PANELS: usize = 200;
pub(super) const PANEL: f32 = 1.2;
pub(super) const HALF_LENGTH: f32 = 0.5 * PANEL * PANELS as f32;

/// Towers stand this far from the middle, at nodes of the truss.
pub(super) const TOWER: f32 = 0.5 * HALF_LENGTH;

/// Height at which the cables pass over the towers.
pub(super) const SADDLE: f32 = 28.0;

/// Heights of the middle of the chords.
pub(super) const TOP: f32 = 10.0;
pub(super) const BOTTOM: f32 = 8.4;

/// Trusses and cables hang in the planes x = +- this.
pub(super) const HALF_WIDTH: f32 = 3.0;

/// Half the thickness of a chord.
pub(super) const CHORD: f32 = 0.08;

/// What is left free between members.
pub(super) const GAP: f32 = 0.01;

/// Where panel `panel` begins.
pub(super) fn node(panel: usize) -> f32 {
    panel as f32 * PANEL - HALF_LENGTH
}
