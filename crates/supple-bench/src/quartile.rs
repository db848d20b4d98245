//! One time of several rounds.

/// The lower quartile; the least of up to four. A machine that does something else in between only ever adds time, and
/// sides take turns, so this is fair to all.
///
/// # Panics
/// There is none.
pub fn lower_quartile(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[(times.len() - 1) / 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_times_is_not_greater() {
        assert_eq!(lower_quartile(vec![2.0, 1.0, 9.0, 3.0]), 1.0);
        assert_eq!(lower_quartile(vec![5.0, 1.0, 4.0, 2.0, 3.0]), 2.0);
    }
}
