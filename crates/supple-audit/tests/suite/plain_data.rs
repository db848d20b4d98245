//! With the feature `serde` an audit can be written and read back.
#![cfg(feature = "serde")]

use supple_audit::{Audit, AuditOptions, audit};

use crate::hand_and_thigh::hand_and_thigh;

#[test]
fn an_audit_reads_back_as_it_was_written() {
    let shape = hand_and_thigh(["thigh", "hand"], 2.05);
    let found = audit(&shape, &AuditOptions::default().with_fps(10.0)).unwrap();
    let json = serde_json::to_string(&found).unwrap();
    assert!(json.contains("\"class\":\"fault\"") && json.contains("\"worst_frame\":10"), "{json}");
    assert_eq!(serde_json::from_str::<Audit>(&json).unwrap(), found);
}
