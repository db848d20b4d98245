//! The library against the opponent and against what no query can beat, on the same frames.
//!
//!     cargo bench [-- [--quick] [--model NAME] [--rounds N] [--only rays|self]]
//!
//! Prints microseconds and ratios, with the library's aims beside them. One thread, one process.

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
#[cfg(target_arch = "x86_64")]
mod itself;
#[cfg(target_arch = "x86_64")]
mod report;
#[cfg(target_arch = "x86_64")]
mod run;

fn main() {
    #[cfg(target_arch = "x86_64")]
    run::run();
    #[cfg(not(target_arch = "x86_64"))]
    println!("the opponent needs an x86-64 processor");
}
