//! The audit is the same on any number of threads.

use std::sync::Arc;

use supple::{BuildOptions, Shape};
use supple_audit::{AuditError, AuditOptions, audit, audit_while};

#[test]
fn results_and_errors_do_not_depend_on_threads() {
    let shape =
        Arc::new(Shape::build(supple_zoo::make("man", 0).unwrap(), &BuildOptions::default()).unwrap());
    let options = AuditOptions::default().with_fps(3.0);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| audit(&shape, &options))
    };
    let one = on(1).unwrap();
    assert!(!one.events.is_empty());
    assert!(on(2).unwrap() == one && on(5).unwrap() == one);
}

#[test]
fn who_wants_no_more_frames_stops_the_audit() {
    let shape =
        Arc::new(Shape::build(supple_zoo::make("dwarf", 0).unwrap(), &BuildOptions::default()).unwrap());
    let options = AuditOptions::default().with_fps(3.0);
    let mut calls = 0;
    let stopped = audit_while(&shape, &options, |progress| {
        calls += 1;
        progress.done == 0
    });
    assert_eq!(calls, 2);
    let Err(AuditError::Stopped { done, frames }) = stopped else { panic!("{stopped:?}") };
    assert!(done > 0 && done <= frames, "{done} of {frames}");
    assert_eq!(audit_while(&shape, &options, |_| true), audit(&shape, &options));
}
