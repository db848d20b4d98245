//! Thousands of damaged FBX files, binary and text: refused or read, but never a panic, a hang or wild memory.
//!
//! Mutations follow from a fixed seed; `SUPPLE_MUTANTS` asks for more of them per file.
#![cfg(feature = "fbx")]

mod fbx_files;
mod from_memory;
mod limits;
mod random;

use fbx_files::{SQUARE, as_binary};
use from_memory::read_fbx;
use limits::{mutants_per_file, pose, within_limits};
use random::Random;

const SEED: u64 = 0x5eed_0003;
const MUTANTS_PER_FILE: usize = 3000;
/// The library may have 64 MB for what is kept and 64 MB meanwhile; then the model and its clips are made of it.
const MOST_MEGABYTES: f32 = 256.0;

#[test]
fn damaged_files_are_refused_or_read_but_never_worse() {
    let mut random = Random(SEED);
    let mutants = mutants_per_file(MUTANTS_PER_FILE);
    for (name, good) in [("text", SQUARE.as_bytes().to_vec()), ("binary", as_binary(SQUARE))] {
        assert!(read_fbx(&good).is_ok(), "{name}");
        let (mut read, mut refused) = (0, 0);
        for mutant in 0..mutants {
            let bytes = mutate(&good, &mut random);
            match try_read(&bytes, &format!("{name}, mutant {mutant}")) {
                true => read += 1,
                false => refused += 1,
            }
        }
        println!("{name}: {read} read, {refused} refused");
        assert!(read > mutants / 20 && refused > mutants / 20, "{name}: {read} read, {refused} refused");
    }
}

#[test]
fn small_files_that_ask_for_much() {
    let bombs = [
        ("vertices", SQUARE.replace("Vertices: *12", "Vertices: *2000000000")),
        ("late key", SQUARE.replace("0,46186158000", "0,9000000000000000000")),
        ("early key", SQUARE.replace("0,46186158000", "-9000000000000000000,9000000000000000000")),
        ("weights", SQUARE.replace("Indexes: *2", "Indexes: *4000000000")),
        ("huge numbers", SQUARE.replace("100,100,0", "1e300,100,0")),
        (
            "units",
            SQUARE.replace(
                "\"UnitScaleFactor\", \"double\", \"Number\", \"\",1",
                "\"UnitScaleFactor\", \"double\", \"Number\", \"\",1e-300",
            ),
        ),
        ("index", SQUARE.replace("0,1,2,-4", "0,1,2,-2147483648")),
    ];
    for (name, text) in bombs {
        assert_ne!(text, SQUARE, "{name}");
        try_read(text.as_bytes(), name);
        try_read(&as_binary(&text), name);
    }
    // One mesh under very many nodes.
    let copies: String =
        (0..20_000).map(|i| format!("Model: {}, \"Model::m\", \"Mesh\" {{ }}\n", 1000 + i)).collect();
    let links: String =
        (0..20_000).map(|i| format!("C: \"OO\",{0},0\nC: \"OO\",10,{0}\n", 1000 + i)).collect();
    let many = SQUARE
        .replace("  Model: 20,", &format!("{copies}  Model: 20,"))
        .replace("  C: \"OO\",20,0\n", &format!("{links}  C: \"OO\",20,0\n"));
    try_read(many.as_bytes(), "instances");
}

/// Whether the bytes could be read.
fn try_read(bytes: &[u8], name: &str) -> bool {
    within_limits(name, MOST_MEGABYTES, || {
        let read = read_fbx(bytes);
        read.iter().for_each(pose);
        read.map_err(|problem| assert!(!problem.to_string().is_empty())).is_ok()
    })
}

fn mutate(good: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    match random.below(5) {
        // Bits flip anywhere.
        0 => (0..=random.below(4)).for_each(|_| {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }),
        // The end is missing.
        1 => bytes.truncate(random.below(bytes.len())),
        // A piece is repeated or removed.
        2 => {
            let (from, to) = (random.below(bytes.len()), random.below(bytes.len()));
            let piece = from.min(to)..from.max(to).min(from.min(to) + 400);
            match random.below(2) {
                0 => {
                    let copy = bytes[piece].to_vec();
                    let at = random.below(bytes.len());
                    drop(bytes.splice(at..at, copy));
                }
                _ => drop(bytes.drain(piece)),
            }
        }
        // Bytes become extreme.
        3 => (0..=random.below(4)).for_each(|_| {
            let at = random.below(bytes.len());
            bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)];
        }),
        // Digits change, which keeps most texts readable; in a binary file they are names and sizes.
        _ => (0..=random.below(4)).for_each(|_| {
            let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
            bytes[digits[random.below(digits.len())]] = b"0123456789-e"[random.below(12)];
        }),
    }
    bytes
}
