//! The audit is the same on any number of threads.

use std::sync::Arc;

use supple::{BuildOptions, Shape};
use supple_audit::{AuditOptions, audit};

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
