//! A mark of what is audited, so that parts of different audits are not mixed.
//!
//! In: a model, options. Out: a short text. Other models, options and versions have another one, but for a chance of 1 in 2^64.

use std::fmt::{self, Write};

use supple::Model;

use crate::options::AuditOptions;

/// FNV-1a over words instead of bytes.
struct Hash(u64);

impl Hash {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        // Multiplying carries upwards only.
        self.0 ^= self.0 >> 32;
    }

    fn add_text(&mut self, text: &impl fmt::Debug) {
        // A hash takes all text.
        let _ = write!(self, "{text:?}");
    }
}

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| self.add(u64::from(byte)));
        Ok(())
    }
}

/// The mark of a model that is audited with options. Of morph targets only the vertices of the rest pose count.
pub fn mark(model: &Model, options: &AuditOptions) -> String {
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    let mesh = model.mesh();
    let words = |words: &mut dyn Iterator<Item = u32>, hash: &mut Hash| {
        let mut count = 0;
        words.for_each(|word| {
            hash.add(u64::from(word));
            count += 1;
        });
        hash.add(count);
    };
    words(&mut mesh.positions().iter().flat_map(|p| p.to_array()).map(f32::to_bits), &mut hash);
    words(&mut mesh.triangles().iter().flatten().copied(), &mut hash);
    let vertices = 0..mesh.positions().len() as u32;
    let influences = vertices.flat_map(|vertex| model.skin().influences(vertex));
    words(&mut influences.flat_map(|(joint, weight)| [joint.0, weight.to_bits()]), &mut hash);
    let defaults = model.rest().default_coefficients();
    words(&mut defaults.iter().map(|value| value.to_bits()), &mut hash);
    for channel in model.clips().iter().flat_map(|clip| clip.channels()) {
        words(&mut channel.times.iter().map(|time| time.to_bits()), &mut hash);
        words(&mut channel.values.iter().map(|value| value.to_bits()), &mut hash);
    }
    for clip in model.clips() {
        let targets: Vec<_> = clip.channels().iter().map(|c| (&c.target, c.interpolation)).collect();
        hash.add_text(&(clip.name(), targets));
    }
    hash.add_text(&(model.skeleton().nodes(), model.skeleton().joints(), model.parts()));
    hash.add_text(&(env!("CARGO_PKG_VERSION"), options));
    format!("{:016x}", hash.0)
}
