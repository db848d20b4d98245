//! What no damaged file may take: memory, time. And how many of them are tried.

use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use supple::{Model, Skinning};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const MOST_TIME: Duration = Duration::from_secs(5);

/// As many as `SUPPLE_MUTANTS` says.
pub fn mutants_per_file(usually: usize) -> usize {
    match std::env::var("SUPPLE_MUTANTS") {
        Ok(count) => count.parse().expect("SUPPLE_MUTANTS is a number"),
        Err(_) => usually,
    }
}

/// Does a job that takes no more memory and time than that.
pub fn within_limits<T>(name: &str, most_megabytes: f32, job: impl FnOnce() -> T) -> T {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage_as_mb();
    let start = Instant::now();
    let result = job();
    let used = ALLOCATOR.peak_usage_as_mb() - before;
    if used > 16.0 {
        println!("{name}: {used} MB");
    }
    assert!(used < most_megabytes, "{name}: {used} MB");
    assert!(start.elapsed() < MOST_TIME, "{name}: {:?}", start.elapsed());
    result
}

/// What was read must also be fit for use: posing may fail, but not panic.
pub fn pose(model: &Model) {
    let _ = model.posed(&model.rest_pose(), Skinning::Linear).map(|posed| posed.positions());
    for clip in model.clips() {
        model.sample(clip, 0.4).expect("clips were checked");
    }
}
