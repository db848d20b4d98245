//! What of a file is read.

/// What of a file is wanted; the default is what the file itself says.
///
/// ```
/// let options = supple_io::ReadOptions::default().with_scene("Lobby");
/// assert_eq!(options.scene.as_deref(), Some("Lobby"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The scene of a glTF, by name or number, instead of the one that the file names.
    pub scene: Option<String>,
}

impl ReadOptions {
    /// Reads that scene, by name or by its number from 0.
    #[must_use]
    pub fn with_scene(mut self, scene: impl Into<String>) -> Self {
        self.scene = Some(scene.into());
        self
    }
}
