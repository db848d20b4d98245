//! Numbers on the command line, with errors that say what was expected.

use std::ops::RangeInclusive;

use glam::DVec3;

/// Seconds and rates beyond this, and rates below its inverse, are a mistake; products with numbers of frames stay finite.
const MOST: f64 = 1e9;

/// Seconds.
pub fn finite(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    let is_sensible = number.abs() <= MOST;
    if is_sensible { Ok(number) } else { Err("expected seconds, -1e9 to 1e9".to_owned()) }
}

/// A rate.
pub fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f64| (MOST.recip()..=MOST).contains(number));
    number
        .map(|number| number as f32)
        .ok_or_else(|| "expected a number greater than 0, 1e-9 to 1e9".to_owned())
}

/// A length, a mass ...
pub fn measure(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|n: &f64| (1e-12..=1e15).contains(n));
    number.ok_or_else(|| "expected a number greater than 0, 1e-12 to 1e15".to_owned())
}

/// How many.
pub fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a whole number, 0 or more".to_owned())
}

/// How many, within limits.
pub fn count_in(text: &str, range: RangeInclusive<usize>) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected a whole number, {} to {}", range.start(), range.end()))
}

/// A part of something, within limits.
pub fn part_in(text: &str, range: RangeInclusive<f64>) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected a number, {} to {}", range.start(), range.end()))
}

/// How many percent.
pub fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').parse().ok().filter(|p: &f64| p.is_finite() && *p >= 0.0);
    number.ok_or_else(|| "expected a percentage, 0 or more".to_owned())
}

/// `NAME=VALUE`; the name may contain `=`.
pub fn weight(text: &str) -> Result<(String, f32), String> {
    let expected = || "expected NAME=VALUE with a finite number".to_owned();
    let (name, value) = text.rsplit_once('=').ok_or_else(expected)?;
    let value = value.parse().ok().filter(|v: &f32| v.is_finite()).ok_or_else(expected)?;
    Ok((name.to_owned(), value))
}

/// `X,Y,Z`
pub fn vector(text: &str) -> Result<DVec3, String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|n| n.trim().parse().ok()).collect();
    match numbers[..] {
        [x, y, z] if text.split(',').count() == 3 && numbers.iter().all(|n| n.is_finite()) => {
            Ok(DVec3::new(x, y, z))
        }
        _ => Err("expected three finite numbers with commas between them, like 0.5,0,-1".to_owned()),
    }
}

/// Degrees.
pub fn angle(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|a: &f64| a.is_finite()).ok_or_else(|| "expected degrees".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_checked() {
        assert_eq!(finite("-0.5"), Ok(-0.5));
        assert!(finite("inf").is_err() && finite("x").is_err());
        assert!(positive("0").is_err() && positive("-1").is_err() && positive("NaN").is_err());
        assert!(measure("1e9") == Ok(1e9) && measure("0").is_err() && measure("inf").is_err());
        assert!(finite("1e9").is_ok() && finite("1e10").is_err() && positive("1e30").is_err());
        assert!(
            count_in("8", 8..=9) == Ok(8) && count_in("7", 8..=9).is_err() && count_in("x", 8..=9).is_err()
        );
        assert!(part_in("0.9", 0.0..=0.9) == Ok(0.9) && part_in("NaN", 0.0..=0.9).is_err());
        assert_eq!(count("0"), Ok(0));
        assert!(count("-1").is_err() && count("1.5").is_err());
        assert_eq!(percent("0.5%"), Ok(0.5));
        assert!(percent("-1").is_err() && percent("NaN").is_err());
        assert!(angle("180").is_ok() && angle("inf").is_err());
    }

    #[test]
    fn names_may_contain_the_sign_before_the_value() {
        assert_eq!(weight("a=b=0.5"), Ok(("a=b".to_owned(), 0.5)));
        assert!(weight("a").is_err() && weight("a=").is_err() && weight("a=inf").is_err());
    }

    #[test]
    fn vectors_have_three_numbers() {
        assert_eq!(vector("-1,0.5,2e3"), Ok(DVec3::new(-1.0, 0.5, 2000.0)));
        for wrong in ["", "1", "1,2", "1,2,3,4", "1,2,x", "1,2,3,x", "1,2,inf", "1,,2"] {
            assert!(vector(wrong).is_err(), "{wrong}");
        }
    }
}
