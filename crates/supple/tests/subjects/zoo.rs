//! Shapes of the zoo, made once per process: to grow a mesh and to build its tree takes longer than most tests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use supple::Shape;

use super::characters::shape_of;

type Made = Arc<OnceLock<Arc<Shape>>>;

/// An animal of the zoo.
pub fn zoo(name: &str) -> Arc<Shape> {
    detailed(name, 0)
}

/// An animal with four times the triangles per step of detail.
pub fn detailed(name: &str, detail: u32) -> Arc<Shape> {
    static SHAPES: Mutex<BTreeMap<(String, u32), Made>> = Mutex::new(BTreeMap::new());
    let made = Arc::clone(SHAPES.lock().unwrap().entry((name.to_owned(), detail)).or_default());
    Arc::clone(made.get_or_init(|| shape_of(supple_zoo::make(name, detail).unwrap())))
}
