//! The law of all bounds: a bound contains every posed vertex below its node.

use supple::refit::violations;
use supple::{Body, VolumeKind};

/// Both kinds of bounding volumes.
pub const VOLUMES: [VolumeKind; 2] = [VolumeKind::Box, VolumeKind::Sphere];

/// Bounds all nodes of a body in its current pose, by boxes and by spheres, and looks for vertices outside.
pub fn assert_law(body: &mut Body, what: &str) {
    for volume in VOLUMES {
        let found = violations(body, volume);
        let some = &found[..found.len().min(5)];
        assert!(
            found.is_empty(),
            "{what} {volume:?} {:?}: {} violations, {some:?}",
            body.skinning(),
            found.len()
        );
    }
}
