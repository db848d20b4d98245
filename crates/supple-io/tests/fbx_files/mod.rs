//! FBX files for tests: a small one as text, and ways to turn text into binary and back.
#![allow(dead_code, unused_imports, reason = "every test binary uses another part of it")]

mod binary;
mod printer;

pub use binary::as_binary;
pub use printer::as_text;

/// A unit square in centimetres; its upper two corners follow the bone `tip`, which turns by 90 degrees in a second.
pub const SQUARE: &str = include_str!("square.fbx");
