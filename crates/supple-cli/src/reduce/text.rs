//! Frequencies and errors, in words and a table.

use std::fmt;
use std::path;

use supple::Mesh;
use supple_fit::reduce::{Components, ModeOptions, Modes};

use crate::digits::{kilobytes, percent, three_digits};
use crate::read_back::ReadBack;
use crate::sequence::Motion;
use crate::table::{Side, Table, counted};

/// Rows of a table; a file may have any number of modes.
const ROWS: usize = 40;

/// A file that is there.
pub struct Written<'p> {
    pub path: &'p path::Display<'p>,
    pub file: ReadBack,
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {}, read back: {}",
            self.path,
            kilobytes(self.file.bytes.len()),
            self.file.likeness()
        )
    }
}

/// All that is told about modes.
pub struct ModesSummary<'a> {
    pub file: &'a str,
    pub mesh: &'a Mesh,
    pub options: &'a ModeOptions,
    pub modes: &'a Modes,
    pub seconds: f64,
    pub written: Written<'a>,
}

impl fmt::Display for ModesSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, mesh, options, modes, seconds, written } = self;
        writeln!(
            f,
            "{file}: {}, {}, {} kg",
            counted(mesh.positions().len(), "vertex"),
            counted(mesh.triangles().len(), "triangle"),
            three_digits(modes.mass)
        )?;
        let how = if options.held.is_empty() { "free" } else { "held" };
        writeln!(
            f,
            "{} of a {how} lattice of {} cells along the longest side, in {seconds:.1} s\n",
            counted(modes.fields.len(), "mode"),
            options.resolution
        )?;
        let columns = ["mode", "frequency", "modal mass", "farthest vertex"];
        let mut table = Table::new(&columns.map(|name| (name, Side::Right)));
        for (mode, field) in modes.fields.iter().enumerate() {
            let farthest = field.displacements.iter().map(|(_, d)| d.length()).fold(0.0, f32::max);
            table.row([
                (mode + 1).to_string(),
                format!("{} Hz", three_digits(modes.frequencies[mode])),
                format!("{} kg", three_digits(modes.masses[mode])),
                format!("{} m", three_digits(f64::from(farthest))),
            ]);
        }
        write!(f, "{}\n{written}", table.text(ROWS))
    }
}

/// All that is told about principal components.
pub struct ComponentsSummary<'a> {
    pub motion: &'a Motion,
    pub components: &'a Components,
    pub seconds: f64,
    pub written: Written<'a>,
}

impl fmt::Display for ComponentsSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { motion, components, seconds, written } = self;
        let sequence = &motion.sequence;
        writeln!(
            f,
            "{}: {}, {}, {}",
            motion.about,
            counted(sequence.rest().positions().len(), "vertex"),
            counted(sequence.rest().triangles().len(), "triangle"),
            counted(sequence.frames().len(), "frame")
        )?;
        writeln!(f, "{} in {seconds:.1} s\n", counted(components.fields.len(), "component"))?;
        let columns = ["component", "of the motion", "error then left"];
        let mut table = Table::new(&columns.map(|name| (name, Side::Right)));
        let mut left = 1.0;
        for (component, share) in components.shares.iter().enumerate() {
            left -= share;
            table.row([
                (component + 1).to_string(),
                percent(100.0 * share),
                percent(100.0 * f64::max(left, 0.0).sqrt()),
            ]);
        }
        write!(f, "{}", table.text(ROWS))?;
        let distortion = &components.distortion;
        writeln!(
            f,
            "\nerror: {}, {} m at most; shares are of squares, errors are roots of what is left",
            percent(distortion.percent),
            three_digits(distortion.largest)
        )?;
        write!(f, "{written}")
    }
}
