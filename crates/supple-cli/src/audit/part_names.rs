//! Names of meshes and materials as the user writes them: `A,B`, or `A,B,C` for what is between A and all others.

use supple::Model;
use supple_audit::PartSets;

use super::ask::blamed;
use crate::failure::{Failure, bad_usage};

/// What can be told before any model is read.
pub fn check(text: Option<&String>) -> Result<(), Failure> {
    match text {
        Some(text) if text.split_once(',').is_none_or(|(a, b)| a.is_empty() || b.is_empty()) => {
            Err(bad_usage(format!(
                "--between {text:?}: expected two meshes or materials with a comma between them, A,B"
            )))
        }
        _ => Ok(()),
    }
}

/// Understands `A,B`. Names may contain commas, so every comma is tried: the first that has a name before it and names behind it.
pub fn split(model: &Model, text: &str) -> Result<[Vec<String>; 2], Failure> {
    let is_known = |name: &str| PartSets::new(model, &[name], &[name]).is_ok();
    let others = |text: &str| -> Option<Vec<String>> {
        if is_known(text) {
            return Some(vec![text.to_owned()]);
        }
        let names: Vec<String> = text.split(',').map(str::to_owned).collect();
        names.iter().all(|name| is_known(name)).then_some(names)
    };
    let splits: Vec<[&str; 2]> =
        text.match_indices(',').map(|(at, _)| [&text[..at], &text[at + 1..]]).collect();
    let found =
        splits.iter().find_map(|[a, b]| Some([vec![(*a).to_owned()], others(b)?]).filter(|_| is_known(a)));
    if let Some(names) = found {
        return Ok(names);
    }
    let unknown = text.split(',').find_map(|name| PartSets::new(model, &[name], &[name]).err());
    Err(unknown.map_or_else(|| bad_usage(format!("--between {text:?}: expected A,B")), blamed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::model::Part;

    fn model(names: &[&str]) -> Model {
        let man = supple_zoo::make("man", 0).unwrap();
        let whole = man.parts()[0].clone();
        let parts = names.iter().map(|name| Part { name: (*name).to_owned(), ..whole.clone() }).collect();
        man.with_parts(parts).unwrap()
    }

    #[test]
    fn commas_in_names_are_no_obstacle_and_there_may_be_several_others() {
        let model = model(&["body", "shirt", "hat, red", "hat"]);
        let split = |text: &str| split(&model, text).map(|sets| sets.map(|names| names.join("|")));
        assert_eq!(split("body,shirt").unwrap(), ["body", "shirt"]);
        assert_eq!(split("body,shirt,hat").unwrap(), ["body", "shirt|hat"]);
        assert_eq!(split("body,hat, red").unwrap(), ["body", "hat, red"]);
        assert_eq!(split("hat, red,body").unwrap(), ["hat, red", "body"]);
        let error = split("body,shrit").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(
            error.to_string().contains("no mesh and no material \"shrit\"; the nearest of 5: \"shirt\""),
            "{error}"
        );
    }

    #[test]
    fn two_names_are_needed() {
        for bad in ["body", "body,", ",shirt", ""] {
            assert_eq!(check(Some(&bad.to_owned())).unwrap_err().exit_code(), 2, "{bad}");
        }
        assert!(check(Some(&"body,shirt".to_owned())).is_ok() && check(None).is_ok());
    }
}
