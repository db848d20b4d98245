//! Ratios beside their targets, with a mark that tells whether they reach them.

use supple_report::columns::number;

/// A ratio that must reach a target: the ratio, the target, and whether it does.
pub fn at_least(ratio: f64, target: f64) -> [String; 2] {
    [number(ratio), format!(">={} {:<5}", short(target), mark(ratio >= target))]
}

/// A ratio that must stay below a target.
pub fn at_most(ratio: f64, target: f64) -> [String; 2] {
    [number(ratio), format!("<={} {:<5}", short(target), mark(ratio <= target))]
}

/// A target.
pub fn short(value: f64) -> String {
    if value >= 10.0 { format!("{value:.0}") } else { format!("{value:.1}").replace(".0", "") }
}

/// Whether a target is reached.
pub fn mark(reached: bool) -> &'static str {
    if reached { "ok" } else { "short" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_marked() {
        assert_eq!(at_least(2.0, 1.3), ["2.00", ">=1.3 ok   "]);
        assert_eq!(at_most(2.0, 1.3), ["2.00", "<=1.3 short"]);
    }
}
