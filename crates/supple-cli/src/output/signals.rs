//! Signals that end the program: what is unfinished is removed first.
//!
//! The program then ends by the signal itself, so that a shell sees 130 after Ctrl-C and 143 after SIGTERM. Signals that were
//! ignored when the program began stay ignored, as `nohup` wants it. A file that grows beyond the limit of the shell
//! (`ulimit -f`) is an error of writing, and no signal.

use std::fs;
use std::sync::Once;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::unfinished::{all, remove};

const ENDING: [i32; 5] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU];

static WATCHING: Once = Once::new();

/// Watches from now on. Before anything is unfinished nothing has to be removed.
pub fn watch() {
    WATCHING.call_once(|| {
        let ignored = ignored();
        let watched = ENDING.into_iter().chain([SIGXFSZ]).filter(|&signal| !is_in(ignored, signal));
        // Without a watcher signals end the program at once: a hidden file may be left, and no other harm is done.
        let Ok(mut signals) = Signals::new(watched) else { return };
        let wait = move || {
            for signal in signals.forever().filter(|signal| ENDING.contains(signal)) {
                // Never given back: nothing new is begun until the program ends.
                let all = all();
                all.iter().for_each(|path| remove(path));
                _ = emulate_default_handler(signal);
            }
        };
        _ = thread::Builder::new().name("signals".to_owned()).spawn(wait);
    });
}

/// Signals that are ignored, as bits. Only Linux tells; elsewhere `nohup` is believed to be there.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(1 << (SIGHUP - 1))
}

fn is_in(signals: u64, signal: i32) -> bool {
    signals >> (signal - 1) & 1 == 1
}
