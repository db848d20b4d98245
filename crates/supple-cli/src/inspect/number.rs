//! Numbers as a reader wants them: few digits, no trailing zeros.

/// Four significant digits, without trailing zeros.
pub fn number(value: f64) -> String {
    trimmed(value, decimals(value))
}

/// How many decimals give four significant digits.
pub fn decimals(value: f64) -> usize {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    (3 - value.abs().log10().floor() as i32).clamp(0, 9) as usize
}

/// Rounded to that many decimals, without trailing zeros.
pub fn trimmed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let short = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, expected) in [
            (1.0, "1"),
            (0.01, "0.01"),
            (99.99999, "100"),
            (-0.123456, "-0.1235"),
            (12345.6, "12346"),
            (-0.0, "0"),
        ] {
            assert_eq!(number(value), expected);
        }
    }
}
