//! House rules that a machine can check: layer order, module docs, file sizes, no unwrap in library sources, tests where their sources are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of the library that grows beyond this many lines of code holds more than one concept.
const MAX_CODE_LINES: usize = 400;

/// Modules of the library crate stand in `lib.rs` in the order in which data meets them, and use only those above.
#[test]
fn modules_use_only_modules_above_them() {
    let src = crates_folder().join("supple/src");
    let order = declared_modules(&read(&src.join("lib.rs")));
    assert!(order.len() > 5, "lib.rs declares the modules: {order:?}");
    let rank: BTreeMap<&str, usize> = order.iter().enumerate().map(|(i, m)| (m.as_str(), i)).collect();
    let mut wrong = Vec::new();
    for file in rust_files(&src) {
        let path = module_path(&src, &file);
        let Some(&own) = path.first().and_then(|m| rank.get(m.as_str())) else { continue };
        for used in used_modules(&without_tests(&without_comments(&read(&file))), path.len()) {
            if rank.get(used.as_str()).is_some_and(|&other| other > own) {
                wrong.push(format!("{} uses `{used}`, which stands below it", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_opens_with_its_documentation() {
    let silent: Vec<_> = library_files().into_iter().filter(|f| !read(f).starts_with("//!")).collect();
    assert!(silent.is_empty(), "files without //! at the top: {silent:?}");
}

#[test]
fn files_stay_small() {
    let long: Vec<_> = library_files()
        .into_iter()
        .map(|file| (code_lines(&read(&file)), file))
        .filter(|(lines, _)| *lines > MAX_CODE_LINES)
        .collect();
    assert!(long.is_empty(), "more than {MAX_CODE_LINES} lines of code: {long:?}");
}

#[test]
fn library_sources_do_not_unwrap_or_leave_things_undone() {
    let mut found = Vec::new();
    for file in library_files() {
        let code = without_tests(&without_comments(&read(&file)));
        for word in [".unwrap()", "todo!(", "unimplemented!(", "dbg!("] {
            if code.contains(word) {
                found.push(format!("{} has {word}", file.display()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// In browsers there is no clock for `std`, and nothing to start threads with: asking for them would be a panic.
#[test]
fn libraries_that_run_in_browsers_ask_no_clock_and_start_no_threads() {
    let (mut found, mut files) = (Vec::new(), 0);
    for name in ["supple", "supple-io", "supple-zoo", "supple-audit"] {
        for file in rust_files(&crates_folder().join(name).join("src")) {
            files += 1;
            let code = without_tests(&without_comments(&read(&file)));
            for word in ["Instant", "SystemTime", "std::thread", "thread::spawn", "thread::scope"] {
                if code.contains(word) {
                    found.push(format!("{} has {word}", file.display()));
                }
            }
        }
    }
    assert!(files > 100 && found.is_empty(), "{files} files: {}", found.join("\n"));
}

/// The library's tests stand in folders named after its modules, and no file is forgotten: what no `mod` names is never run.
#[test]
fn tests_stand_in_folders_of_their_modules() {
    let (src, tests) = (crates_folder().join("supple/src"), crates_folder().join("supple/tests"));
    let modules = declared_modules(&read(&src.join("lib.rs")));
    let library = declared_modules(&read(&tests.join("library.rs")));
    // What tests share, and what is said of everything.
    let known =
        |name: &String| modules.contains(name) || ["assets", "subjects", "api"].contains(&name.as_str());
    let mut wrong: Vec<String> = library.iter().filter(|name| !known(name)).cloned().collect();
    for folder in fs::read_dir(&tests).unwrap().map(|entry| entry.unwrap().path()) {
        let name = module_path(&tests, &folder).concat();
        // A folder with a main file is a binary of its own, and what is inside belongs to the sources.
        if !folder.is_dir() || folder.join("main.rs").exists() || name == "inside" {
            continue;
        }
        if !library.contains(&name) {
            wrong.push(format!("{} is not part of library.rs", folder.display()));
        }
        let declared = declared_modules(&read(&folder.join("mod.rs")));
        for file in rust_files(&folder) {
            let path = module_path(&folder, &file);
            if !path.is_empty() && !declared.contains(&path.concat()) {
                wrong.push(format!("{} is not part of its mod.rs", file.display()));
            }
        }
    }
    let sources: String = rust_files(&src).iter().map(|file| read(file)).collect();
    for file in rust_files(&tests.join("inside")) {
        let path = file.strip_prefix(&tests).unwrap().display().to_string();
        if !sources.contains(&format!("/tests/{path}\"]")) {
            wrong.push(format!("{path} is not part of the library"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_layer_check_sees_grouped_and_nested_imports() {
    let uses = |code: &str, depth| used_modules(code, depth);
    assert_eq!(uses("use crate::math::Isometry;", 1), ["math"]);
    assert_eq!(
        uses("use crate::{mesh::{Mesh, MeshError}, pose::Clip,\n skin};", 1),
        ["mesh", "pose", "skin"]
    );
    assert_eq!(uses("fn f() { crate::model::g() }", 1), ["model"]);
    assert_eq!(uses("use super::super::query::Hit;", 2), ["query"]);
    assert_eq!(uses("use super::{super::tree::Node, leaf};", 2), ["tree"]);
    assert_eq!(uses("use super::sibling;", 2), [""; 0]);
    assert_eq!(uses("use super::model;", 1), ["model"]);
}

#[test]
fn comments_and_tests_do_not_count() {
    assert_eq!(without_comments("a // crate::x\nb"), "a \nb");
    assert_eq!(without_tests("code\n#[cfg(test)]\nmod tests { x }"), "code\n");
    assert_eq!(code_lines("//! doc\n\ncode;\n// why\nmore;\n#[cfg(test)]\nmod tests {}\n"), 2);
}

fn crates_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Sources of all library crates (binaries may use `anyhow` and are not held to the rules for libraries).
fn library_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(crates_folder()).unwrap() {
        let src = entry.unwrap().path().join("src");
        if src.join("lib.rs").exists() {
            files.extend(rust_files(&src));
        }
    }
    files.sort();
    files
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// `src/skin/linear.rs` is `[skin, linear]`, `src/skin/mod.rs` is `[skin]`, `src/lib.rs` is `[]`.
fn module_path(src: &Path, file: &Path) -> Vec<String> {
    let relative = file.strip_prefix(src).unwrap().with_extension("");
    let names = relative.iter().map(|n| n.to_string_lossy().into_owned());
    names.filter(|n| n != "mod" && n != "lib").collect()
}

fn declared_modules(lib: &str) -> Vec<String> {
    let name = |line: &str| {
        let rest = line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod "))?;
        rest.strip_suffix(';').map(str::to_owned)
    };
    lib.lines().filter_map(name).collect()
}

fn without_comments(code: &str) -> String {
    let line = |line: &str| line.split("//").next().unwrap_or("").to_owned();
    code.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Unit tests stand at the end of a file.
fn without_tests(code: &str) -> String {
    code.split("#[cfg(test)]").next().unwrap_or("").to_owned()
}

fn code_lines(code: &str) -> usize {
    without_tests(&without_comments(code)).lines().filter(|l| !l.trim().is_empty()).count()
}

/// Top-level modules that a file at a depth of the module tree names, in order of appearance.
fn used_modules(code: &str, depth: usize) -> Vec<String> {
    let mut used = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if !code[..at].ends_with(is_word) {
            first_names(&code[at + "crate::".len()..], &mut used);
        }
    }
    for (at, _) in code.match_indices("super::") {
        if !code[..at].ends_with(is_word) && !code[..at].ends_with("super::") {
            from_super(&code[at..], depth, &mut used);
        }
    }
    used
}

/// Follows `super::` chains that climb to the crate's root, also through one group.
fn from_super(mut code: &str, mut depth: usize, used: &mut Vec<String>) {
    while let Some(rest) = code.strip_prefix("super::") {
        depth = depth.saturating_sub(1);
        code = rest;
    }
    if depth == 0 {
        first_names(code, used);
    } else if code.starts_with('{') {
        for item in split_group(code) {
            if item.starts_with("super::") {
                from_super(item, depth, used);
            }
        }
    }
}

/// The first name of a path, or of each path of a group.
fn first_names(code: &str, used: &mut Vec<String>) {
    if code.starts_with('{') {
        for item in split_group(code) {
            first_names(item, used);
        }
    } else {
        used.push(code.chars().take_while(|c| is_word(*c)).collect());
    }
}

/// Items of `{a, b::{c, d}, e}...` at the outer level.
fn split_group(code: &str) -> Vec<&str> {
    let (mut level, mut start, mut items) = (0, 1, Vec::new());
    for (at, c) in code.char_indices() {
        match c {
            '{' => level += 1,
            '}' | ',' if level == 1 => {
                items.push(code[start..at].trim());
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => level -= 1,
            _ => {}
        }
    }
    items.retain(|item| !item.is_empty());
    items
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
