//! Tests of `supple::model`.

mod part;
mod posed;
