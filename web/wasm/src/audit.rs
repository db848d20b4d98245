//! Audits: where a character goes through itself.

use supple_audit::{AuditOptions, Depth, audit_while};
use wasm_bindgen::prelude::*;

use crate::body::skinning_of;
use crate::shape::RawShape;
use crate::words::words;

#[wasm_bindgen]
extern "C" {
    /// Is told how many frames of how many are done; says whether to go on.
    pub type Watcher;

    #[wasm_bindgen(method, catch)]
    fn go_on(this: &Watcher, done: f64, total: f64) -> Result<bool, JsValue>;
}

/// An audit as JSON. No `clips`: all of them. A `min_depth` that is not a number: the default.
#[wasm_bindgen]
pub fn audit(
    shape: &RawShape,
    fps: f32,
    clips: Option<Vec<String>>,
    skinning: &str,
    min_depth: f32,
    watcher: &Watcher,
) -> Result<String, JsValue> {
    let mut options = AuditOptions::default().with_fps(fps).with_skinning(skinning_of(skinning)?);
    if let Some(clips) = clips {
        options = options.with_clips(clips);
    }
    if !min_depth.is_nan() {
        options = options.with_min_depth(Depth::Units(min_depth));
    }
    let mut thrown = None;
    let audit = audit_while(&shape.shape, &options, |progress| {
        let answer = watcher.go_on(progress.done as f64, progress.frames as f64);
        answer.unwrap_or_else(|error| {
            thrown = Some(error);
            false
        })
    });
    if let Some(error) = thrown {
        return Err(error);
    }
    serde_json::to_string(&audit.map_err(words)?).map_err(|error| words(error).into())
}
