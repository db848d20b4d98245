//! As much of JSON Schema as our own schemas use, and whether they say anything that never happens.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// A schema, and which of its properties some document has had.
pub struct JsonSchema {
    root: Value,
    seen: BTreeSet<String>,
}

impl JsonSchema {
    pub fn new(text: &str) -> Self {
        Self { root: serde_json::from_str(text).unwrap(), seen: BTreeSet::new() }
    }

    /// What is wrong with a document, each with its place.
    pub fn faults(&mut self, document: &Value) -> Vec<String> {
        let mut faults = Vec::new();
        let root = self.root.clone();
        self.check(&root, "", document, "", &mut faults);
        faults
    }

    /// Properties that no document has had.
    pub fn unseen(&self) -> Vec<String> {
        let mut described = BTreeSet::new();
        properties(&self.root, "", &mut described);
        described.difference(&self.seen).cloned().collect()
    }

    /// `name` is the place of the schema, `place` that of the value.
    fn check(&mut self, schema: &Value, name: &str, value: &Value, place: &str, faults: &mut Vec<String>) {
        let schema = schema.as_object().unwrap();
        for (key, rule) in schema {
            let fits = match key.as_str() {
                "$ref" => {
                    let name = rule.as_str().unwrap().strip_prefix('#').unwrap();
                    let target = self.root.pointer(name).unwrap().clone();
                    self.check(&target, name, value, place, faults);
                    true
                }
                "type" => types(rule).iter().any(|kind| is_of_type(value, kind)),
                "enum" => rule.as_array().unwrap().contains(value),
                "const" => rule == value,
                "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
                "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
                "minItems" => {
                    value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap())
                }
                "maxItems" => {
                    value.as_array().is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap())
                }
                "required" => {
                    let is_there = |key: &Value| value.get(key.as_str().unwrap()).is_some();
                    rule.as_array().unwrap().iter().all(is_there)
                }
                "additionalProperties" => {
                    assert_eq!(rule, false, "{name}");
                    let known = schema["properties"].as_object().unwrap();
                    value.as_object().is_none_or(|object| object.keys().all(|key| known.contains_key(key)))
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(
                            rule,
                            &format!("{name}/items"),
                            item,
                            &format!("{place}[{index}]"),
                            faults,
                        );
                    }
                    true
                }
                "properties" => {
                    let empty = Map::new();
                    for (key, item) in value.as_object().unwrap_or(&empty) {
                        let name = format!("{name}/properties/{key}");
                        self.seen.insert(name.clone());
                        if let Some(rule) = rule.get(key) {
                            self.check(rule, &name, item, &format!("{place}.{key}"), faults);
                        }
                    }
                    true
                }
                "$schema" | "$id" | "$defs" | "title" | "description" => true,
                other => panic!("{name}: the schema has {other}, which this does not know"),
            };
            if !fits {
                let shown: String = value.to_string().chars().take(100).collect();
                faults.push(format!("{place}: {key} is {rule}, the value {shown}"));
            }
        }
    }
}

fn types(rule: &Value) -> Vec<&str> {
    rule.as_array()
        .map_or_else(|| vec![rule], |types| types.iter().collect())
        .iter()
        .filter_map(|t| t.as_str())
        .collect()
}

fn is_of_type(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "null" => value.is_null(),
        other => panic!("the schema has the type {other}"),
    }
}

fn properties(schema: &Value, name: &str, found: &mut BTreeSet<String>) {
    for (key, value) in schema.as_object().into_iter().flatten() {
        let name = format!("{name}/{key}");
        match key.as_str() {
            "properties" | "$defs" => {
                for (key, value) in value.as_object().unwrap() {
                    let name = format!("{name}/{key}");
                    properties(value, &name, found);
                    if name.contains("/properties/") {
                        found.insert(name);
                    }
                }
            }
            "items" => properties(value, &name, found),
            _ => {}
        }
    }
}

#[test]
fn the_check_sees_faults() {
    let text = r##"{"type": "object", "additionalProperties": false, "required": ["a"], "properties": {
        "a": {"type": ["integer", "null"], "minimum": 0}, "b": {"type": "array", "maxItems": 1, "items": {"$ref": "#/$defs/c"}}},
        "$defs": {"c": {"enum": ["x"]}}}"##;
    let mut schema = JsonSchema::new(text);
    let mut faults = |document: Value| schema.faults(&document).len();
    assert_eq!(faults(serde_json::json!({ "a": null })), 0);
    assert_eq!(faults(serde_json::json!({ "a": -1 })), 1);
    assert_eq!(faults(serde_json::json!({ "a": 0.5 })), 1);
    assert_eq!(faults(serde_json::json!({ "z": 0 })), 2);
    assert_eq!(schema.unseen(), ["/properties/b"]);
    assert_eq!(schema.faults(&serde_json::json!({ "a": 1, "b": ["x", "y"] })).len(), 2);
    assert!(schema.unseen().is_empty());
}
