//! Materials by name: colours are not ours to say.

use serde_json::{Value, json};

/// The different names in order of first use.
#[derive(Debug, Default)]
pub(super) struct Materials {
    names: Vec<String>,
}

impl Materials {
    /// The number of a material; none for an empty name.
    pub(super) fn index(&mut self, name: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        let known = self.names.iter().position(|n| n == name);
        Some(known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        }))
    }

    pub(super) fn to_json(&self) -> Vec<Value> {
        self.names.iter().map(|name| json!({ "name": name })).collect()
    }
}
