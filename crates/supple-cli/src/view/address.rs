//! Parts of the address: the token that nobody else knows, and names that mean only themselves in it.

use std::collections::hash_map::RandomState;
use std::fmt::Write;
use std::hash::{BuildHasher, Hasher};

/// 128 bits in hexadecimal digits. The keys of the standard library's hash tables come from the system's source of randomness.
pub fn token() -> String {
    let mut token = String::new();
    for part in 0..2_u8 {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u8(part);
        let _ = write!(token, "{:016x}", hasher.finish());
    }
    token
}

/// A name in which everything but letters, digits and the harmless signs is a percent sign and its number.
pub fn encoded(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_have_32_digits() {
        let [a, b] = [token(), token()];
        assert_ne!(a, b);
        assert!(a.len() == 32 && a.bytes().all(|byte| byte.is_ascii_hexdigit()), "{a}");
    }

    #[test]
    fn names_mean_only_themselves() {
        assert_eq!(encoded("my fox#1&é.glb"), "my%20fox%231%26%C3%A9.glb");
    }
}
