//! Tests of histories.

mod pose_history;
