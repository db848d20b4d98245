//! How well a fit went, in words and a table.

use std::fmt;
use std::path;

use supple::Skinning;
use supple_fit::{Fitted, MeshSequence};

use super::exported::Exported;
use crate::digits::{kilobytes, percent, three_digits};
use crate::table::{Side, Table, counted};

/// Rows of the table of errors.
const RANGES: usize = 10;

/// Joints per vertex that every player of glTF reads.
const COMMON_INFLUENCES: usize = 4;

/// All that is told about a fit.
pub struct Summary<'a> {
    pub about: &'a str,
    pub sequence: &'a MeshSequence,
    pub fitted: &'a Fitted,
    pub seconds: f64,
    pub exported: &'a Exported,
    pub path: &'a path::Display<'a>,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { about, sequence, fitted, seconds, exported, path } = self;
        let (rest, model) = (sequence.rest(), &fitted.model);
        let count = fitted.model.rest().coefficient_count();
        writeln!(
            f,
            "{about}: {}, {}, {} in {:.2} s",
            counted(rest.positions().len(), "vertex"),
            counted(rest.triangles().len(), "triangle"),
            counted(sequence.frames().len(), "frame"),
            sequence.times().last().unwrap_or(&0.0) - sequence.times().first().unwrap_or(&0.0)
        )?;
        writeln!(
            f,
            "fitted in {seconds:.1} s: {}, {} skinning, {} per vertex at most, {}\n",
            counted(model.skin().joint_count(), "joint"),
            fitted.skinning.name(),
            model.skin().max_influences(),
            counted(count, "correction")
        )?;
        write!(f, "{}", self.errors().text(RANGES + 1))?;
        if count > 0 {
            writeln!(f, "\nwithout corrections: {}", percent(fitted.uncorrected.percent))?;
        } else {
            writeln!(f)?;
        }
        let sizes = fitted.sizes;
        writeln!(
            f,
            "sizes: {} of frames became {}, {:.1} times less:\n  \
             rest mesh {}, weights {}, joints {}, corrections {};\n  \
             the file holds more than these: triangles, times, names",
            kilobytes(sizes.sequence),
            kilobytes(sizes.rest + sizes.weights + sizes.joints + sizes.corrections),
            sizes.ratio(),
            kilobytes(sizes.rest),
            kilobytes(sizes.weights),
            kilobytes(sizes.joints),
            kilobytes(sizes.corrections)
        )?;
        let file = &exported.file;
        writeln!(f, "{path}: {}, read back: {}", kilobytes(file.bytes.len()), file.likeness())?;
        if fitted.skinning != Skinning::Linear {
            let linear = percent(exported.linear_percent);
            writeln!(
                f,
                "played by tools that blend matrices its error is {linear}; --skinning linear is made for them"
            )?;
        }
        if model.skin().max_influences() > COMMON_INFLUENCES {
            writeln!(
                f,
                "some vertices follow more than {COMMON_INFLUENCES} joints, and not every tool reads so many"
            )?;
        }
        Ok(())
    }
}

impl Summary<'_> {
    /// Ranges of frames with as many frames each as can be, then all.
    fn errors(&self) -> Table {
        let distortion = &self.fitted.distortion;
        let count = distortion.frames.len();
        let mean = |frames: &[f64]| {
            (frames.iter().map(|rms| rms * rms).sum::<f64>() / frames.len().max(1) as f64).sqrt()
        };
        let whole = mean(&distortion.frames);
        // The same denominator for all: ranges of equal lengths average to the whole in the square.
        let share = |rms: f64| if whole > 0.0 { distortion.percent * rms / whole } else { 0.0 };
        let columns = ["frames", "seconds", "error", "rms distance"];
        let mut table = Table::new(&columns.map(|name| (name, Side::Right)));
        let ranges = RANGES.min(count);
        for range in 0..ranges {
            let (first, end) = (range * count / ranges, (range + 1) * count / ranges);
            let rms = mean(&distortion.frames[first..end]);
            let times = [first, end - 1].map(|frame| self.sequence.times()[frame]);
            table.row([
                format!("{first}-{}", end - 1),
                format!("{:.2}-{:.2}", times[0], times[1]),
                percent(share(rms)),
                three_digits(rms),
            ]);
        }
        table.row(["all".to_owned(), String::new(), percent(distortion.percent), three_digits(whole)]);
        table
    }
}
