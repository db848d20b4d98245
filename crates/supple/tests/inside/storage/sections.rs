//! Tests of what `storage/sections` keeps to itself.

use super::*;

#[test]
fn checksums_are_those_of_the_reference() {
    assert_eq!(checksum([b"", b"", b""]), 0xcbf2_9ce4_8422_2325);
    assert_eq!(checksum([b"a", b"", b""]), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(checksum([b"foo", b"b", b"ar"]), 0x8594_4171_f739_67e8);
}
