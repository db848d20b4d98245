//! Names: new ones for what both models have, and those that are much like one that nobody has.

use std::collections::{BTreeMap, BTreeSet};

/// Names that are offered for one that is not there.
const NEAR_NAMES: usize = 5;

/// Names for the second model's things: their own, with a number behind it where the first has that name. What shares a name in the
/// second model still does. Things without a name stay without.
pub fn renamed<'n>(
    first: impl IntoIterator<Item = &'n str>,
    second: impl IntoIterator<Item = &'n str>,
) -> Vec<String> {
    let second: Vec<&str> = second.into_iter().collect();
    let first: BTreeSet<&str> = first.into_iter().collect();
    let mut taken: BTreeSet<String> = first.iter().chain(&second).map(|&name| name.to_owned()).collect();
    let mut new_names: BTreeMap<&str, String> = BTreeMap::new();
    for &name in second.iter().filter(|name| !name.is_empty() && first.contains(*name)) {
        if !new_names.contains_key(name) {
            let free = (2..).map(|n| format!("{name} ({n})")).find(|new| !taken.contains(new));
            let free = free.expect("there are more numbers than names");
            taken.insert(free.clone());
            new_names.insert(name, free);
        }
    }
    second.iter().map(|name| new_names.get(name).map_or_else(|| (*name).to_owned(), String::clone)).collect()
}

/// The known names that are most like a name.
pub fn nearest<'n>(wanted: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let known: BTreeSet<&str> = known.into_iter().filter(|name| !name.is_empty()).collect();
    let mut ranked: Vec<(usize, &str)> = known
        .into_iter()
        .map(|name| {
            let lower = name.to_lowercase();
            let contains = !wanted.is_empty() && (lower.contains(&wanted) || wanted.contains(&lower));
            (if contains { 0 } else { strsim::levenshtein(&wanted, &lower) }, name)
        })
        .collect();
    ranked.sort_unstable();
    ranked.iter().take(NEAR_NAMES).map(|(_, name)| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_clash_get_a_number() {
        let names = renamed(["body", "hat", ""], ["body", "sword", "body", "", "hat (2)", "hat"]);
        assert_eq!(names, ["body (2)", "sword", "body (2)", "", "hat (2)", "hat (3)"]);
    }

    #[test]
    fn the_most_alike_come_first() {
        assert_eq!(nearest("hand", ["foot", "rig:Hand_R", ""]), ["rig:Hand_R", "foot"]);
        assert!(nearest("hand", [""]).is_empty());
    }
}
