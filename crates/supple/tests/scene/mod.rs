//! Tests of scenes, against all bodies asked one by one.

mod contacts;
mod members;
mod near;
mod rays;
