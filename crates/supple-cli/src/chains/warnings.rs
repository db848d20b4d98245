//! Why answers by spheres may mean little.
//!
//! In: what is known of regions and clips. Out: a sentence for every region that spheres fit badly, and, of clips beside the exact
//! answer, for each way in which spheres fail there. `; ` is where a line may break.

use super::report::{Check, ClipReport, FitReport, RegionReport};
use crate::short_names::ShortNames;
use crate::table::{first_few, printable};

/// With a check, finding less than this share of what touches is no answer.
const LEAST_FOUND: f64 = 0.5;

/// Columns that names of clips may have together.
const CLIPS: usize = 40;

/// All there are. Spheres that enclose their triangles fit whatever their shape.
pub fn warnings(
    regions: &[RegionReport],
    clips: &[ClipReport],
    names: &ShortNames,
    enclosing: bool,
) -> Vec<String> {
    let bad = regions.iter().filter(|region| region.fit.is_bad && !enclosing);
    bad.map(|region| of_region(region, names)).chain(of_clips(clips)).collect()
}

fn of_region(region: &RegionReport, names: &ShortNames) -> String {
    let FitReport { outside, beyond, misses_surface, .. } = region.fit;
    let how = if misses_surface {
        format!("{} of its surface sticks out and {} is too wide", percent(outside), percent(beyond))
    } else {
        "its triangles reach far out of their spheres".to_owned()
    };
    let name = printable(names.cut(&region.name), 40);
    format!("the spheres do not fit {name}; {how}: answers about it mean little")
}

/// How spheres fail in a clip, at worst.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Miss {
    /// Something touches, and no spheres of it overlap.
    Everything,
    /// Most of what touches.
    Most,
    /// Most of what touches, but only if spheres of one chain are asked.
    MostByChains,
}

impl Miss {
    fn of(check: &Check) -> Option<Self> {
        let all = check.all.recall?;
        match () {
            () if check.all.found == 0 => Some(Self::Everything),
            () if all < LEAST_FOUND => Some(Self::Most),
            () if check.chains.recall? < LEAST_FOUND => Some(Self::MostByChains),
            () => None,
        }
    }
}

fn of_clips(clips: &[ClipReport]) -> Vec<String> {
    let checked = || clips.iter().filter_map(|clip| Some((clip, clip.check.as_ref()?)));
    let those = |is_one: &dyn Fn(&Check) -> bool| {
        let those: Vec<(&ClipReport, &Check)> = checked().filter(|(_, check)| is_one(check)).collect();
        (!those.is_empty()).then_some(those)
    };
    let everything = those(&|check| Miss::of(check) == Some(Miss::Everything)).map(|clips| {
        let which = which(&clips);
        format!(
            "nothing of what touches {which} was found; the answer of the spheres is worthless there: \
             ask `supple audit` instead"
        )
    });
    let most = those(&|check| Miss::of(check) == Some(Miss::Most)).map(|clips| {
        let (share, which) = (share(&clips, |check| check.all.found), which(&clips));
        format!("spheres find only {share} of what touches {which}; ask `supple audit` instead")
    });
    let by_chains = those(&|check| Miss::of(check) == Some(Miss::MostByChains)).map(|clips| {
        let (share, which) = (share(&clips, |check| check.chains.found), which(&clips));
        format!(
            "spheres of one chain find only {share} of what touches {which}; \
             ask all spheres, or `supple audit`"
        )
    });
    let wrong = those(&|check| check.all.reported > 0 && check.all.confirmed == 0).map(|clips| {
        format!("nothing that overlaps {} really touches; these overlaps are false alarms", which(&clips))
    });
    [everything, most, by_chains, wrong].into_iter().flatten().collect()
}

/// `in walk, run, … and 3 more`
fn which(clips: &[(&ClipReport, &Check)]) -> String {
    match clips {
        [(ClipReport { clip: None, .. }, _)] => "at rest".to_owned(),
        _ => format!("in {}", first_few(clips.iter().map(|(clip, _)| clip.name.as_str()), CLIPS)),
    }
}

fn share(clips: &[(&ClipReport, &Check)], found: impl Fn(&Check) -> usize) -> String {
    let sum = |count: &dyn Fn(&Check) -> usize| clips.iter().map(|(_, check)| count(check)).sum::<usize>();
    percent(sum(&found) as f64 / sum(&|check| check.touching) as f64)
}

/// A share that is not nothing is not 0 %.
fn percent(share: f64) -> String {
    match 100.0 * share {
        small if small > 0.0 && small < 0.5 => "less than 1 %".to_owned(),
        share => format!("{share:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::AgreementReport;
    use super::*;

    /// A clip in which so many pairs touch, spheres of all and of one chain find so many, and so many pairs of spheres overlap, of
    /// which so many are right.
    fn clip(
        name: &str,
        touching: usize,
        [all, chains]: [usize; 2],
        [reported, confirmed]: [usize; 2],
    ) -> ClipReport {
        let share = |part: usize, of: usize| (of > 0).then(|| part as f64 / of as f64);
        let agreement = |found: usize| AgreementReport {
            found,
            recall: share(found, touching),
            reported,
            confirmed,
            precision: share(confirmed, reported),
        };
        ClipReport {
            name: name.to_owned(),
            clip: Some(0),
            duration: 1.0,
            looked_at: 1.0,
            frames: 31,
            frames_with_overlaps: 0,
            fullest_frame: None,
            most_pairs: 0,
            pairs_in_chains: 0,
            pairs: 0,
            region_pairs: Vec::new(),
            check: Some(Check {
                frames_touching: 1,
                touching,
                tested: all,
                chains: agreement(chains),
                all: agreement(all),
            }),
        }
    }

    #[test]
    fn clips_in_which_spheres_fail_are_named() {
        let clips = [
            clip("good", 100, [90, 80], [9, 8]),
            clip("still", 0, [0, 0], [0, 0]),
            clip("survey", 91, [0, 0], [0, 0]),
            clip("random", 945, [150, 150], [70, 7]),
            clip("run", 55, [0, 0], [0, 0]),
            clip("chained", 100, [60, 46], [8, 4]),
            clip("walk", 0, [0, 0], [34, 0]),
        ];
        let expected = [
            "nothing of what touches in survey, run was found; the answer of the spheres is worthless there: \
             ask `supple audit` instead",
            "spheres find only 16 % of what touches in random; ask `supple audit` instead",
            "spheres of one chain find only 46 % of what touches in chained; \
             ask all spheres, or `supple audit`",
            "nothing that overlaps in walk really touches; these overlaps are false alarms",
        ];
        assert_eq!(of_clips(&clips), expected);
        assert!(of_clips(&clips[..2]).is_empty());
        let rest = ClipReport { clip: None, ..clip("", 3, [0, 0], [0, 0]) };
        assert!(of_clips(&[rest])[0].starts_with("nothing of what touches at rest was found"));
    }
}
