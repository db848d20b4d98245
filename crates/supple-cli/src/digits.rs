//! Numbers in words: as many digits as count.

use crate::table::grouped;

/// A percentage with three digits that count.
pub fn percent(value: f64) -> String {
    format!("{} %", three_digits(value))
}

/// A number with three digits that count.
pub fn three_digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let before_point = value.abs().log10().floor() as i32 + 1;
    if before_point < -3 {
        format!("{value:.2e}")
    } else {
        format!("{value:.*}", (3 - before_point).clamp(0, 6) as usize)
    }
}

/// A size in bytes.
pub fn kilobytes(bytes: usize) -> String {
    format!("{} kB", grouped(bytes.div_ceil(1000)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        for (value, text) in [
            (0.0, "0"),
            (12.3456, "12.3"),
            (0.123456, "0.123"),
            (0.00123456, "0.00123"),
            (1234.5, "1234"),
            (1.23456e-7, "1.23e-7"),
        ] {
            assert_eq!(three_digits(value), text);
        }
    }
}
