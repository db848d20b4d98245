//! Everything `chains` has to say, as plain data: the JSON is this, the text is made from this.

use std::collections::BTreeMap;

use serde::Serialize;
use supple::{Model, Skinning};
use supple_chains::{Agreement, Chain, ChainSphere, Fit, Misfit, RegionKind, SphereChains};

use super::play::{Exact, Frame, PlayedClip, PlayedClips};
use super::warnings::warnings;
use crate::arguments::ChainsArguments;
use crate::short_names::ShortNames;

/// A model in its spheres.
#[derive(Debug, Serialize)]
pub struct Report {
    pub file: String,
    pub settings: Settings,
    pub regions: Vec<RegionReport>,
    pub spheres: Vec<SphereReport>,
    pub chains: Vec<ChainReport>,
    /// Tests per frame where only spheres of one chain meet, and where all do.
    pub tests_in_chains: u64,
    pub tests_of_all: u64,
    pub clips: Vec<ClipReport>,
    /// Why answers may mean little.
    pub warnings: Vec<String>,
    /// For text.
    #[serde(skip)]
    pub short_names: ShortNames,
}

/// What was asked for.
#[derive(Debug, Serialize)]
pub struct Settings {
    pub skinning: &'static str,
    /// Whether regions are the rig's or the user's.
    pub regions_from_rig: bool,
    pub rays: usize,
    pub step: f64,
    pub spheres_per_level: usize,
    pub overlap: f64,
    pub pivots: usize,
    pub enclosing: bool,
    pub keep_resting: bool,
    pub check: bool,
}

/// A limb or the trunk.
#[derive(Debug, Serialize)]
pub struct RegionReport {
    pub name: String,
    pub kind: &'static str,
    pub spheres: usize,
    pub triangles: usize,
    /// Mean over the spheres, and so are the means below; the worst is that of all.
    pub radius: f64,
    pub fit: FitReport,
    /// How far vertices are from their sphere.
    pub misfit: MisfitReport,
    /// The same of the smallest spheres around the same vertices.
    pub smallest_sphere_misfit: MisfitReport,
}

/// Shares of a region's surface that its spheres miss by more than half of their mean radius.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct FitReport {
    /// What sticks out of all spheres.
    pub outside: f64,
    /// What spheres reach beyond.
    pub beyond: f64,
    /// How far corners of triangles are from their own sphere, on average, in mean radii; none where radii are 0.
    pub off_by: Option<f64>,
    /// Whether both shares together are too much.
    pub misses_surface: bool,
    /// Whether the triangles are too long for the spheres.
    pub has_long_triangles: bool,
    /// Whether answers about the region mean little.
    pub is_bad: bool,
}

/// How far vertices are from a sphere.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct MisfitReport {
    pub mean: f64,
    pub worst: f64,
}

/// A sphere at rest.
#[derive(Debug, Serialize)]
pub struct SphereReport {
    pub region: u32,
    pub level: u32,
    pub center: [f32; 3],
    pub radius: f32,
    pub triangles: usize,
    pub misfit: MisfitReport,
    pub smallest_sphere_misfit: MisfitReport,
}

/// Two limbs and what is between them.
#[derive(Debug, Serialize)]
pub struct ChainReport {
    pub limbs: [String; 2],
    pub spheres: Vec<u32>,
    pub of_trunk: usize,
}

/// A clip, or the rest pose of a model without clips.
#[derive(Debug, Serialize)]
pub struct ClipReport {
    pub name: String,
    /// Its number in the file.
    pub clip: Option<usize>,
    pub duration: f64,
    /// Seconds of it that were looked at.
    pub looked_at: f64,
    pub frames: usize,
    pub frames_with_overlaps: usize,
    /// The frame with the most pairs of overlapping spheres, if there are any, and how many it has.
    pub fullest_frame: Option<usize>,
    pub most_pairs: usize,
    /// Pairs over all frames: those that share a chain, and all.
    pub pairs_in_chains: usize,
    pub pairs: usize,
    /// Those in most frames first.
    pub region_pairs: Vec<RegionPair>,
    pub check: Option<Check>,
}

/// Two regions that are near each other or touch in some frame, or one that does so with itself.
#[derive(Debug, Serialize)]
pub struct RegionPair {
    pub regions: [String; 2],
    /// In which their spheres overlap.
    pub frames: Vec<usize>,
    /// In how many of them chains find it.
    pub frames_by_chains: usize,
    /// In how many frames triangles touch, also where no spheres overlap; with --check.
    pub frames_touching: Option<usize>,
    pub most_pairs: usize,
    /// None where spheres never overlap.
    pub fullest_frame: Option<usize>,
}

/// Spheres beside the exact answer, over all frames of a clip.
#[derive(Debug, Serialize)]
pub struct Check {
    /// Frames in which triangles touch.
    pub frames_touching: usize,
    /// Pairs of touching triangles.
    pub touching: usize,
    /// Those of them whose spheres are tested: neither neighbours nor overlapping at rest. The others cannot be found.
    pub tested: usize,
    pub chains: AgreementReport,
    pub all: AgreementReport,
}

/// How good the answer by spheres is.
#[derive(Debug, Serialize)]
pub struct AgreementReport {
    /// Pairs of touching triangles in spheres that overlap.
    pub found: usize,
    /// Their share of everything that touches, tested or not; none where nothing touches.
    pub recall: Option<f64>,
    /// Pairs of spheres that overlap, and those with triangles that touch.
    pub reported: usize,
    pub confirmed: usize,
    /// Their share; none where nothing overlaps.
    pub precision: Option<f64>,
}

impl Report {
    /// Sums up.
    pub fn new(
        model: &Model,
        chains: &SphereChains,
        played: &PlayedClips,
        arguments: &ChainsArguments,
    ) -> Self {
        let (misfits, fits) = (chains.misfits(), chains.fits());
        let settings = Settings {
            skinning: Skinning::from(arguments.skinning).name(),
            regions_from_rig: arguments.regions.is_empty(),
            rays: arguments.rays,
            step: arguments.step,
            spheres_per_level: arguments.spheres_per_level,
            overlap: arguments.overlap,
            pivots: arguments.pivots,
            enclosing: arguments.enclosing,
            keep_resting: arguments.keep_resting,
            check: arguments.check,
        };
        let first = played.clips.iter().flat_map(|played_clip| &played_clip.frames).next();
        let regions: Vec<RegionReport> =
            fits.iter().enumerate().map(|(region, fit)| of_region(chains, &misfits, fit, region)).collect();
        let clips: Vec<ClipReport> =
            played.clips.iter().map(|played_clip| of_clip(chains, played_clip)).collect();
        let short_names = ShortNames::of(model);
        Self {
            file: arguments.input.file.clone(),
            settings,
            warnings: warnings(&regions, &clips, &short_names, arguments.enclosing),
            regions,
            short_names,
            spheres: spheres(chains, &misfits),
            chains: chains_of(chains),
            tests_in_chains: first.map_or(0, |frame| frame.chained.stats.node_visits),
            tests_of_all: first.map_or(0, |frame| frame.all.stats.node_visits),
            clips,
        }
    }
}

fn of_region(chains: &SphereChains, misfits: &[[Misfit; 2]], fit: &Fit, region: usize) -> RegionReport {
    let own = || {
        let of_region = chains.spheres().iter().zip(misfits);
        of_region.filter(move |(sphere, _)| sphere.region as usize == region)
    };
    let count = own().count();
    let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / count.max(1) as f64;
    let misfit = |which: usize| MisfitReport {
        mean: mean(&mut own().map(|(_, misfits)| misfits[which].mean)),
        worst: own().map(|(_, misfits)| misfits[which].worst).fold(0.0, f64::max),
    };
    let region = &chains.regions()[region];
    RegionReport {
        name: region.name.clone(),
        kind: match region.kind {
            RegionKind::Limb => "limb",
            RegionKind::Trunk => "trunk",
        },
        spheres: count,
        triangles: own().map(|(sphere, _)| sphere.triangles.len()).sum(),
        radius: mean(&mut own().map(|(sphere, _)| f64::from(sphere.adjusted.radius))),
        fit: FitReport {
            outside: fit.outside,
            beyond: fit.beyond,
            off_by: Some(fit.off_by).filter(|off_by| off_by.is_finite()),
            misses_surface: fit.misses_surface(),
            has_long_triangles: fit.has_long_triangles(),
            is_bad: fit.is_bad(),
        },
        misfit: misfit(0),
        smallest_sphere_misfit: misfit(1),
    }
}

fn spheres(chains: &SphereChains, misfits: &[[Misfit; 2]]) -> Vec<SphereReport> {
    let numbers = |misfit: &Misfit| MisfitReport { mean: misfit.mean, worst: misfit.worst };
    let report = |(sphere, misfits): (&ChainSphere, &[Misfit; 2])| SphereReport {
        region: sphere.region,
        level: sphere.level,
        center: sphere.adjusted.center.to_array(),
        radius: sphere.adjusted.radius,
        triangles: sphere.triangles.len(),
        misfit: numbers(&misfits[0]),
        smallest_sphere_misfit: numbers(&misfits[1]),
    };
    chains.spheres().iter().zip(misfits).map(report).collect()
}

fn chains_of(chains: &SphereChains) -> Vec<ChainReport> {
    let in_trunk = |sphere: u32| {
        chains.regions()[chains.spheres()[sphere as usize].region as usize].kind == RegionKind::Trunk
    };
    let report = |chain: &Chain| ChainReport {
        limbs: chain.limbs.map(|limb| chains.regions()[limb as usize].name.clone()),
        spheres: chain.spheres.clone(),
        of_trunk: chain.spheres.iter().filter(|&&sphere| in_trunk(sphere)).count(),
    };
    chains.chains().iter().map(report).collect()
}

fn of_clip(chains: &SphereChains, played_clip: &PlayedClip) -> ClipReport {
    let frames = &played_clip.frames;
    let pairs = |frame: &Frame| frame.all.found.len();
    let most_pairs = frames.iter().map(pairs).max().unwrap_or(0);
    ClipReport {
        name: played_clip.clip.map_or(String::new(), |(_, clip)| clip.name().to_owned()),
        clip: played_clip.clip.map(|(number, _)| number),
        duration: played_clip.clip.map_or(0.0, |(_, clip)| clip.duration()),
        looked_at: played_clip.seconds,
        frames: frames.len(),
        frames_with_overlaps: frames.iter().filter(|frame| pairs(frame) > 0).count(),
        fullest_frame: frames.iter().position(|frame| most_pairs > 0 && pairs(frame) == most_pairs),
        most_pairs,
        pairs_in_chains: frames.iter().map(|frame| frame.chained.found.len()).sum(),
        pairs: frames.iter().map(pairs).sum(),
        region_pairs: region_pairs(chains, frames),
        check: check(frames),
    }
}

/// What is gathered about two regions.
#[derive(Default)]
struct Near {
    frames: Vec<usize>,
    by_chains: usize,
    touching: usize,
    /// Pairs of spheres, and the frame.
    most: (usize, Option<usize>),
}

fn region_pairs(chains: &SphereChains, frames: &[Frame]) -> Vec<RegionPair> {
    let mut found: BTreeMap<[u32; 2], Near> = BTreeMap::new();
    for (number, frame) in frames.iter().enumerate() {
        let mut counts: BTreeMap<[u32; 2], usize> = BTreeMap::new();
        for pair in &frame.all.found {
            for regions in chains.regions_of(&[*pair]) {
                *counts.entry(regions).or_default() += 1;
            }
        }
        for (regions, count) in counts {
            let near = found.entry(regions).or_default();
            near.frames.push(number);
            if count > near.most.0 {
                near.most = (count, Some(number));
            }
        }
        for regions in chains.regions_of(&frame.chained.found) {
            found.entry(regions).or_default().by_chains += 1;
        }
        for regions in frame.exact.iter().flat_map(|exact| &exact.regions) {
            found.entry(*regions).or_default().touching += 1;
        }
    }
    let checked = frames.iter().any(|frame| frame.exact.is_some());
    let mut pairs: Vec<RegionPair> = found
        .into_iter()
        .map(|(regions, near)| RegionPair {
            regions: regions.map(|region| chains.regions()[region as usize].name.clone()),
            frames: near.frames,
            frames_by_chains: near.by_chains,
            frames_touching: checked.then_some(near.touching),
            most_pairs: near.most.0,
            fullest_frame: near.most.1,
        })
        .collect();
    // Stable: equals stay in the order of the regions.
    pairs.sort_by_key(|pair| std::cmp::Reverse((pair.frames.len(), pair.frames_touching)));
    pairs
}

fn check(frames: &[Frame]) -> Option<Check> {
    let exact: Vec<&Exact> = frames.iter().map(|frame| frame.exact.as_ref()).collect::<Option<_>>()?;
    let [mut chained, mut all] = [Agreement::default(); 2];
    for frame in &exact {
        chained += frame.chained;
        all += frame.all;
    }
    let touching = exact.iter().map(|frame| frame.touching).sum();
    let share = |part: usize, of: usize| (of > 0).then(|| part as f64 / of as f64);
    let report = |agreement: &Agreement| AgreementReport {
        found: agreement.found,
        recall: share(agreement.found, touching),
        reported: agreement.reported,
        confirmed: agreement.confirmed,
        precision: share(agreement.confirmed, agreement.reported),
    };
    Some(Check {
        frames_touching: exact.iter().filter(|frame| frame.touching > 0).count(),
        touching,
        tested: all.touching,
        chains: report(&chained),
        all: report(&all),
    })
}
