//! The library against the opponent and against what no query can beat, on the same frames.
//!
//!     cargo bench [-- [--quick] [--model NAME] [--rounds N] [--only TABLES]]
//!
//! `TABLES` are `pairs` (two characters), `shapes` (52 of them), `rays`, `self` (one character against itself) or `pose` (setting
//! one); without it they are all printed. `build` is printed only if named: with the feature `rayon`, on 1
//! and 2 threads. The feature `native-peers` adds FCL, Bullet and Embree. Prints microseconds and ratios, with the library's aims beside them. One thread, one process.

#[cfg(target_arch = "x86_64")]
mod behind;
#[cfg(target_arch = "x86_64")]
mod threads;
#[cfg(target_arch = "x86_64")]
mod parts;
#[cfg(target_arch = "x86_64")]
mod ours;
#[cfg(target_arch = "x86_64")]
mod rival;
#[cfg(target_arch = "x86_64")]
mod peers;
#[cfg(target_arch = "x86_64")]
mod measure;
#[cfg(target_arch = "x86_64")]
mod shapes;
#[cfg(target_arch = "x86_64")]
mod rays;
#[cfg(all(target_arch = "x86_64", feature = "native-peers"))]
mod native_rays;
#[cfg(target_arch = "x86_64")]
mod itself;
#[cfg(target_arch = "x86_64")]
mod set_pose;
#[cfg(target_arch = "x86_64")]
mod cores;
#[cfg(target_arch = "x86_64")]
mod report;
#[cfg(target_arch = "x86_64")]
mod run;

fn main() {
    #[cfg(target_arch = "x86_64")]
    threads::Threads::start(1).run(run::run);
    #[cfg(not(target_arch = "x86_64"))]
    println!("the opponent needs an x86-64 processor");
}
