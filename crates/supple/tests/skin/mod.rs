//! Tests of `supple::skin`.

mod influences;
