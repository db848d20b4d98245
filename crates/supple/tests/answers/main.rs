//! The answers of every query on every animal of the zoo and on real files, as hashes: the table that every change of the API and
//! every port to another language or processor is held against.
//!
//! `cargo test -p supple --test answers` compares with `zoo.txt` and, if `SUPPLE_ASSETS` names the folder of models, with `files.txt`.
//! `SUPPLE_RECORD_ANSWERS=all` writes both tables again; a change of a line is a change of an answer and needs a reason.
//!
//! Queries named `bounds:...` report bounding volumes or depend on them or their rounding margins (contact spheres, budgets, boxes of the past, times of
//! contact within a tolerance): they may change when a bound does, and `SUPPLE_RECORD_ANSWERS=bounds` writes these lines alone. All others
//! are exact, and may not. Zoo models use the platform's sine and cosine; the table is that of x86-64 Linux.

#[path = "../../../supple-io/tests/assets/mod.rs"]
mod assets;
mod digest;
mod questions;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use supple::Model;

use questions::answers;

/// By model and query.
type Table = BTreeMap<String, String>;

#[test]
fn zoo() {
    let mut table = Table::new();
    for kind in supple_zoo::kinds() {
        add(&mut table, kind.name, supple_zoo::make(kind.name, 0).unwrap());
    }
    compare("zoo.txt", &table);
}

#[test]
fn files() {
    let Some(folder) = assets::assets() else { return };
    let mut table = Table::new();
    for path in models_below(&folder) {
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy().replace(' ', "_");
        if let Ok(model) = supple_io::load(&path) {
            add(&mut table, &name, model);
        }
    }
    compare("files.txt", &table);
}

fn add(table: &mut Table, name: &str, model: Model) {
    for (query, digest) in answers(model) {
        table.insert(format!("{name} {query}"), digest);
    }
}

fn models_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(models_below(&path));
        } else if path.extension().is_some_and(|end| ["glb", "gltf", "vrm"].iter().any(|known| end == *known))
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn compare(file: &str, table: &Table) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers").join(file);
    let text = fs::read_to_string(&path).unwrap_or_default();
    let mut recorded: Table = text
        .lines()
        .filter_map(|line| line.rsplit_once(' '))
        .map(|(key, d)| (key.into(), d.into()))
        .collect();
    let wanted = std::env::var("SUPPLE_RECORD_ANSWERS").unwrap_or_default();
    if ["all", "bounds"].contains(&wanted.as_str()) {
        let is_written = |key: &str| wanted == "all" || key.contains(" bounds:");
        recorded.retain(|key, _| !is_written(key));
        recorded.extend(table.clone().into_iter().filter(|(key, _)| is_written(key)));
        let lines: String = recorded.iter().map(|(key, digest)| format!("{key} {digest}\n")).collect();
        fs::write(&path, lines).unwrap();
    }
    assert!(!recorded.is_empty(), "{file} is empty");
    let keys = recorded.keys().chain(table.keys()).collect::<std::collections::BTreeSet<_>>();
    let different: Vec<String> = keys
        .into_iter()
        .filter(|key| recorded.get(*key) != table.get(*key))
        .map(|key| format!("{key}: recorded {:?}, now {:?}", recorded.get(key), table.get(key)))
        .collect();
    assert!(different.is_empty(), "{} answers changed:\n{}", different.len(), different.join("\n"));
}
