//! Tests of `supple::pose`.

mod clip;
mod skeleton;
