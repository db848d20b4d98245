//! A strict checker of GLB files, straight from the glTF 2.0 specification.
//!
//! In: bytes. Out: everything that breaks a rule the writer is concerned with: container, accessors (3.6.2), meshes
//! (3.7.2), skins (3.7.3), nodes (3.5) and animations (3.11).

use serde_json::Value;

/// All problems of a file.
pub fn problems(glb: &[u8]) -> Vec<String> {
    let (root, buffer) = split(glb);
    problems_of(&root, &buffer)
}

/// JSON and buffer of a GLB file; panics where the container itself is wrong.
pub fn split(glb: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&glb[..4], word(4), word(8)), (&b"glTF"[..], 2, glb.len()));
    assert_eq!(&glb[16..20], b"JSON");
    let text = &glb[20..20 + word(12)];
    let binary = 20 + word(12);
    assert_eq!((binary % 4, &glb[binary + 4..binary + 8]), (0, &b"BIN\0"[..]));
    assert_eq!(binary + 8 + word(binary), glb.len());
    (serde_json::from_slice(text).unwrap(), glb[binary + 8..].to_vec())
}

/// All problems of JSON and its buffer.
pub fn problems_of(root: &Value, buffer: &[u8]) -> Vec<String> {
    let mut checker = Checker { root, buffer, problems: Vec::new() };
    let declared = count(&root["buffers"][0]["byteLength"]);
    checker.demand(declared <= buffer.len() && buffer.len() < declared + 4, || "buffer length".to_owned());
    checker.check_views();
    let accessors: Vec<Option<Vec<f64>>> =
        (0..list(&root["accessors"]).len()).map(|index| checker.read_accessor(index)).collect();
    checker.check_meshes(&accessors);
    checker.check_nodes();
    checker.check_skins(&accessors);
    checker.check_animations(&accessors);
    checker.problems
}

struct Checker<'a> {
    root: &'a Value,
    buffer: &'a [u8],
    problems: Vec<String>,
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn count(value: &Value) -> usize {
    value.as_u64().unwrap_or(0) as usize
}

fn component_bytes(component: usize) -> usize {
    match component {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        5125 | 5126 => 4,
        other => panic!("component type {other}"),
    }
}

fn width(kind: &Value) -> usize {
    match kind.as_str().unwrap() {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        other => panic!("type {other}"),
    }
}

impl Checker<'_> {
    fn demand(&mut self, holds: bool, problem: impl FnOnce() -> String) {
        if !holds {
            self.problems.push(problem());
        }
    }

    fn check_views(&mut self) {
        for (index, view) in list(&self.root["bufferViews"]).iter().enumerate() {
            let end = count(&view["byteOffset"]) + count(&view["byteLength"]);
            let inside =
                end <= count(&self.root["buffers"][0]["byteLength"]) && count(&view["byteLength"]) > 0;
            self.demand(inside, || format!("view {index}: ends at {end}"));
        }
    }

    /// Numbers of `count` elements in a view, if they are inside it and aligned.
    fn read_numbers(
        &mut self,
        place: &str,
        view: usize,
        component: usize,
        numbers: usize,
    ) -> Option<Vec<f64>> {
        let view = &self.root["bufferViews"][view];
        let size = component_bytes(component);
        let start = count(&view["byteOffset"]);
        self.demand(start.is_multiple_of(size) && start.is_multiple_of(4), || {
            format!("{place}: alignment of byte {start}")
        });
        let inside = numbers * size <= count(&view["byteLength"]);
        self.demand(inside, || format!("{place}: ends beyond its view"));
        let bytes = self.buffer.get(start..start + numbers * size)?;
        let number = |bytes: &[u8]| match component {
            5121 => f64::from(bytes[0]),
            5123 => f64::from(u16::from_le_bytes(bytes.try_into().unwrap())),
            5125 => f64::from(u32::from_le_bytes(bytes.try_into().unwrap())),
            5126 => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
            other => panic!("component type {other}"),
        };
        inside.then(|| bytes.chunks_exact(size).map(number).collect())
    }

    fn read_accessor(&mut self, index: usize) -> Option<Vec<f64>> {
        let accessor = &self.root["accessors"][index];
        let place = format!("accessor {index}");
        let (component, width) = (count(&accessor["componentType"]), width(&accessor["type"]));
        let elements = count(&accessor["count"]);
        self.demand(elements > 0, || format!("{place}: empty"));
        let mut values = match accessor["bufferView"].as_u64() {
            Some(view) => self.read_numbers(&place, view as usize, component, elements * width)?,
            None => vec![0.0; elements * width],
        };
        if let Some(sparse) = accessor.get("sparse") {
            let entries = count(&sparse["count"]);
            self.demand(entries > 0 && entries <= elements, || format!("{place}: {entries} sparse entries"));
            let stored = &sparse["indices"];
            let indices = self.read_numbers(
                &place,
                count(&stored["bufferView"]),
                count(&stored["componentType"]),
                entries,
            )?;
            let ascending = indices.windows(2).all(|pair| pair[0] < pair[1]);
            let inside = indices.last().is_none_or(|&last| (last as usize) < elements);
            self.demand(ascending && inside, || format!("{place}: sparse indices"));
            let view = count(&sparse["values"]["bufferView"]);
            let changes = self.read_numbers(&place, view, component, entries * width)?;
            for (index, change) in indices.iter().filter(|_| inside).zip(changes.chunks_exact(width)) {
                values[*index as usize * width..][..width].copy_from_slice(change);
            }
        }
        self.demand(values.iter().all(|v| v.is_finite()), || format!("{place}: not finite"));
        for (name, pick) in [("min", f64::min as fn(f64, f64) -> f64), ("max", f64::max)] {
            let Some(bound) = accessor.get(name) else { continue };
            let exact: Vec<f64> = (0..width)
                .map(|c| values[c..].iter().step_by(width).copied().reduce(pick).unwrap())
                .collect();
            // Bounds are compared as floats: JSON parsers may be off by the last bit of a double.
            let given: Vec<f64> =
                list(bound).iter().filter_map(Value::as_f64).map(|x| f64::from(x as f32)).collect();
            self.demand(given == exact, || {
                format!("{place}: {name} is {given:?}, the numbers say {exact:?}")
            });
        }
        Some(values)
    }

    fn check_meshes(&mut self, accessors: &[Option<Vec<f64>>]) {
        for (m, mesh) in list(&self.root["meshes"]).iter().enumerate() {
            let targets = list(&mesh["primitives"][0]["targets"]).len();
            self.demand(list(&mesh["weights"]).len() == targets, || format!("mesh {m}: weights"));
            self.demand(list(&mesh["extras"]["targetNames"]).len() == targets, || format!("mesh {m}: names"));
            for (p, primitive) in list(&mesh["primitives"]).iter().enumerate() {
                let place = format!("mesh {m}, primitive {p}");
                self.demand(list(&primitive["targets"]).len() == targets, || format!("{place}: targets"));
                self.check_primitive(&place, primitive, accessors);
            }
        }
    }

    fn check_primitive(&mut self, place: &str, primitive: &Value, accessors: &[Option<Vec<f64>>]) {
        let get = |accessor: &Value| accessors[count(accessor)].clone().unwrap_or_default();
        let attributes = primitive["attributes"].as_object().unwrap();
        let positions = &self.root["accessors"][count(&attributes["POSITION"])];
        let vertices = count(&positions["count"]);
        self.demand(positions.get("min").is_some() && positions.get("max").is_some(), || {
            format!("{place}: bounds")
        });
        let targets = list(&primitive["targets"]).iter().filter_map(Value::as_object);
        for (name, accessor) in targets.chain([attributes]).flatten() {
            let found = count(&self.root["accessors"][count(accessor)]["count"]);
            self.demand(found == vertices, || format!("{place}: {found} of {name} for {vertices} vertices"));
        }
        let indices = get(&primitive["indices"]);
        let inside = indices.iter().all(|&i| (i as usize) < vertices) && indices.len().is_multiple_of(3);
        self.demand(inside, || format!("{place}: indices"));
        let mut sums = vec![0.0; vertices];
        let mut sets = 0;
        while let Some(weights) = attributes.get(&format!("WEIGHTS_{sets}")) {
            self.demand(attributes.contains_key(&format!("JOINTS_{sets}")), || format!("{place}: joints"));
            for (sum, four) in sums.iter_mut().zip(get(weights).chunks_exact(4)) {
                self.demand(four.iter().all(|&w| w >= 0.0), || format!("{place}: negative weight"));
                *sum += four.iter().sum::<f64>();
            }
            sets += 1;
        }
        // The specification allows 2e-7 per influence.
        let normalised = sets == 0 || sums.iter().all(|sum| (sum - 1.0).abs() <= 2e-7 * 4.0 * sets as f64);
        self.demand(normalised, || format!("{place}: weights do not sum to 1"));
        if let Some(normals) = attributes.get("NORMAL") {
            let unit = get(normals)
                .chunks_exact(3)
                .all(|n| (n.iter().map(|x| x * x).sum::<f64>().sqrt() - 1.0).abs() < 5e-4);
            self.demand(unit, || format!("{place}: normals"));
        }
    }

    fn check_nodes(&mut self) {
        let nodes = list(&self.root["nodes"]);
        let mut parents = vec![0; nodes.len()];
        for child in nodes.iter().flat_map(|node| list(&node["children"])) {
            parents[count(child)] += 1;
        }
        let roots: Vec<usize> = list(&self.root["scenes"][0]["nodes"]).iter().map(count).collect();
        for (index, &found) in parents.iter().enumerate() {
            self.demand(found < 2, || format!("node {index} has {found} parents"));
            let is_root = roots.contains(&index);
            self.demand(is_root == (found == 0), || format!("node {index}: root of the scene or child"));
        }
        for (index, node) in nodes.iter().enumerate() {
            self.demand(node.get("skin").is_none() || node.get("mesh").is_some(), || {
                format!("node {index}: skin")
            });
            let rotation: f64 = list(&node["rotation"]).iter().filter_map(Value::as_f64).map(|x| x * x).sum();
            let unit = node.get("rotation").is_none() || (rotation.sqrt() - 1.0).abs() < 5e-5;
            self.demand(unit, || format!("node {index}: rotation"));
        }
    }

    fn check_skins(&mut self, accessors: &[Option<Vec<f64>>]) {
        let nodes = list(&self.root["nodes"]);
        for (index, skin) in list(&self.root["skins"]).iter().enumerate() {
            let joints: Vec<usize> = list(&skin["joints"]).iter().map(count).collect();
            let mut unique = joints.clone();
            unique.sort_unstable();
            unique.dedup();
            self.demand(unique.len() == joints.len(), || format!("skin {index}: a joint twice"));
            let mut roots: Vec<usize> = joints.iter().map(|&joint| root_of(nodes, joint)).collect();
            roots.dedup();
            self.demand(roots.len() == 1, || format!("skin {index}: joints without a common root"));
            let matrices = accessors[count(&skin["inverseBindMatrices"])].clone().unwrap_or_default();
            self.demand(matrices.len() == joints.len() * 16, || format!("skin {index}: matrices of joints"));
            let affine =
                matrices.chunks_exact(16).all(|m| [m[3], m[7], m[11], m[15]] == [0.0, 0.0, 0.0, 1.0]);
            self.demand(affine, || format!("skin {index}: last row"));
        }
        for (index, node) in nodes.iter().enumerate().filter(|(_, node)| node.get("skin").is_some()) {
            let joints = list(&self.root["skins"][count(&node["skin"])]["joints"]).len();
            for primitive in list(&self.root["meshes"][count(&node["mesh"])]["primitives"]) {
                for (name, accessor) in primitive["attributes"].as_object().unwrap() {
                    let numbers = accessors[count(accessor)].as_deref().unwrap_or_default();
                    let inside =
                        !name.starts_with("JOINTS") || numbers.iter().all(|&j| (j as usize) < joints);
                    self.demand(inside, || format!("node {index}: a joint of {name} beyond {joints}"));
                }
            }
        }
    }

    fn check_animations(&mut self, accessors: &[Option<Vec<f64>>]) {
        for (index, animation) in list(&self.root["animations"]).iter().enumerate() {
            let mut targets = Vec::new();
            for channel in list(&animation["channels"]) {
                let target = (count(&channel["target"]["node"]), channel["target"]["path"].as_str().unwrap());
                let place = format!("animation {index}, {target:?}");
                self.demand(!targets.contains(&target), || format!("{place}: twice"));
                targets.push(target);
                let sampler = &animation["samplers"][count(&channel["sampler"])];
                let times = accessors[count(&sampler["input"])].clone().unwrap_or_default();
                let ascending = times.windows(2).all(|pair| pair[0] < pair[1]) && times[0] >= 0.0;
                self.demand(ascending, || format!("{place}: times"));
                let input = &self.root["accessors"][count(&sampler["input"])];
                self.demand(input.get("min").is_some() && input.get("max").is_some(), || {
                    format!("{place}: bounds")
                });
                let node = &self.root["nodes"][target.0];
                let mesh = &self.root["meshes"][count(&node["mesh"])];
                let width = match target.1 {
                    "weights" => list(&mesh["primitives"][0]["targets"]).len(),
                    "rotation" => 4,
                    _ => 3,
                };
                let tuples = if sampler["interpolation"] == "CUBICSPLINE" { 3 } else { 1 };
                let values = accessors[count(&sampler["output"])].as_ref().map_or(0, Vec::len);
                self.demand(values == times.len() * tuples * width, || format!("{place}: {values} values"));
            }
        }
    }
}

fn root_of(nodes: &[Value], mut node: usize) -> usize {
    let parent =
        |child: usize| nodes.iter().position(|n| list(&n["children"]).iter().any(|c| count(c) == child));
    while let Some(above) = parent(node) {
        node = above;
    }
    node
}
