//! Tests of shapes in files.

mod shape_files;
