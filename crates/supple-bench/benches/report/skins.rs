//! Other ways to deform, beside linear skins.

use supple::Skinning;
use supple_bench::marks::{at_most, mark};
use supple_bench::targets;
use supple_report::columns::{Columns, number};

use super::rows::{Run, rows};
use crate::parts::{Part, parts_of};

/// Spherical and dual quaternion skins.
pub fn rotations(runs: &[Run]) -> Columns {
    let skins = [
        (Skinning::Spherical, targets::SPHERICAL_TO_LINEAR),
        (Skinning::DualQuaternion, targets::DUAL_TO_LINEAR),
    ];
    let mut table = Columns::new(
        &format!(
            "Spherical and dual quaternion skinning from poses, times of linear; targets: at most {} and {} (classed by linear)",
            targets::SPHERICAL_TO_LINEAR,
            targets::DUAL_TO_LINEAR
        ),
        2,
        &["character", "class", "frames", "first: sph.", "", "dual", "", "all: sph.", "", "dual", ""],
    );
    for row in rows(runs) {
        let mut cells = row.names();
        let [linear_set, linear_first, linear_all] = parts_of(Skinning::Linear);
        for (which, linear) in [(1, linear_first), (2, linear_all)] {
            for (skinning, target) in skins {
                let parts = parts_of(skinning);
                let ratio = row.time(&[parts[0], parts[which]]) / row.time(&[linear_set, linear]);
                cells.extend([number(ratio), mark(ratio <= target).to_owned()]);
            }
        }
        table.row(cells);
    }
    table
}

/// What 52 shapes cost.
pub fn print_shapes(runs: &[Run]) {
    let mut table = Columns::new(
        "52 shapes that move the surface before it is skinned, us for two characters from poses, without and with",
        2,
        &[
            "character",
            "class",
            "frames",
            "set pose",
            "with",
            "first",
            "with",
            "ratio",
            "",
            "all",
            "with",
            "ratio",
            "",
        ],
    );
    for row in rows(runs) {
        let mut cells = row.names();
        cells.extend([Part::SetPose, Part::ShapesSet].map(|part| number(row.time(&[part]))));
        for (plain, shapes) in [(Part::First, Part::ShapesFirst), (Part::All, Part::ShapesAll)] {
            let times = [row.time(&[Part::SetPose, plain]), row.time(&[Part::ShapesSet, shapes])];
            cells.extend(times.map(number));
            cells.extend(at_most(times[1] / times[0], targets::SHAPES_TO_PLAIN));
        }
        table.row(cells);
    }
    print!("{}", table.text());
}
