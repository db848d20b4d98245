//! Shapes: models with their trees.

use std::sync::Arc;

use supple::{BuildOptions, Shape};
use wasm_bindgen::prelude::*;

use crate::model::RawModel;
use crate::words::words;

/// A shape, shared by bodies.
#[wasm_bindgen]
pub struct RawShape {
    pub(crate) shape: Arc<Shape>,
}

#[wasm_bindgen]
impl RawShape {
    /// Builds the tree of a model.
    pub fn build(model: &RawModel) -> Result<Self, String> {
        let shape = Shape::build(Arc::clone(&model.model), &BuildOptions::default()).map_err(words)?;
        Ok(Self { shape: Arc::new(shape) })
    }

    /// The shape that `to_bytes` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        Ok(Self { shape: Arc::new(Shape::from_bytes(bytes).map_err(words)?) })
    }

    /// The shape as bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        self.shape.to_bytes().map_err(words)
    }

    /// Its model.
    pub fn model(&self) -> RawModel {
        RawModel::of(Arc::clone(self.shape.model()))
    }

    /// How many levels the tree has.
    pub fn levels(&self) -> usize {
        self.shape.depth()
    }
}
