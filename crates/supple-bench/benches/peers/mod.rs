//! Published libraries with box trees, on the same frames and positions. They give candidates, the exact test is ours.

mod obvhs;
mod parry;
#[cfg(feature = "native-peers")]
mod native;

use glam::Vec3;
use supple::Model;

#[cfg(feature = "native-peers")]
pub use native::EmbreeRays;
use obvhs::Obvhs;
use parry::Parry;

/// A library with two instances of a character.
pub trait Peer {
    /// What the tables call it.
    fn name(&self) -> &'static str;
    /// Whether its candidates are all that touch. Otherwise frames in which some are missing are counted.
    fn exact(&self) -> bool {
        true
    }
    /// Takes posed positions of both instances and updates the trees.
    fn refit(&mut self, positions: &[Vec<Vec3>; 2]);
    /// Reports touching pairs until told to stop.
    fn walk(&self, stop_after: &mut dyn FnMut([u32; 2]) -> bool);

    /// All touching pairs, ascending.
    fn all_pairs(&self) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        self.walk(&mut |pair| {
            pairs.push(pair);
            false
        });
        pairs.sort_unstable();
        pairs
    }

    /// Some touching pair.
    fn first_contact(&self) -> Option<[u32; 2]> {
        let mut found = None;
        self.walk(&mut |pair| {
            found = Some(pair);
            true
        });
        found
    }
}

/// All peers, their trees built for a pose.
pub fn all(model: &Model, pose: &[Vec3]) -> Vec<Box<dyn Peer>> {
    let own: [Box<dyn Peer>; 2] = [Box::new(Parry::new(model, pose)), Box::new(Obvhs::new(model, pose))];
    #[cfg(feature = "native-peers")]
    let native = native::all(model, pose);
    #[cfg(not(feature = "native-peers"))]
    let native = [];
    own.into_iter().chain(native).collect()
}
