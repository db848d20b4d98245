//! Tests of `supple::rest`.

mod fields;
mod morph;
