//! The JSON of a glTF, object by object.
//!
//! In: JSON text. Out: the objects that geometry and motion need, and nothing of materials, textures and cameras, so
//! that a fault there does not keep a mesh from loading.
//! Must hold: an object that does not fit its schema is an error that names it; indices are not checked here.

use gltf::json;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::Problem;

/// What the reader uses of a glTF.
#[derive(Debug)]
pub(super) struct Document {
    pub generator: Option<String>,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
    pub accessors: Vec<json::Accessor>,
    /// An animation that does not fit the schema is an error of its own.
    pub animations: Vec<Animation>,
    pub buffers: Vec<json::Buffer>,
    pub buffer_views: Vec<json::buffer::View>,
    pub meshes: Vec<json::Mesh>,
    pub nodes: Vec<json::Node>,
    pub skins: Vec<json::Skin>,
    /// The scene that the file names.
    pub scene: Option<usize>,
    pub scenes: Vec<Scene>,
    material_names: Vec<String>,
}

/// An animation and its name, which is known even if the rest is wrong.
#[derive(Debug)]
pub(super) struct Animation {
    pub name: Option<String>,
    pub stored: Result<json::Animation, String>,
}

/// Roots of what is shown together.
#[derive(Debug, Deserialize)]
pub(super) struct Scene {
    name: Option<String>,
    #[serde(default)]
    pub nodes: Vec<usize>,
}

impl Document {
    pub fn parse(text: &[u8], notes: &mut Vec<String>) -> Result<Self, Problem> {
        let root: Value =
            serde_json::from_slice(text).map_err(|e| Problem::invalid("JSON", e.to_string()))?;
        let Value::Object(mut root) = root else {
            return Err(Problem::invalid("JSON", "expected an object"));
        };
        check_version(&root)?;
        Ok(Self {
            generator: root.get("asset").and_then(|a| a.get("generator")?.as_str()).map(str::to_owned),
            extensions_used: objects(&mut root, "extensionsUsed", "used extension")?,
            extensions_required: objects(&mut root, "extensionsRequired", "required extension")?,
            accessors: objects(&mut root, "accessors", "accessor")?,
            buffers: objects(&mut root, "buffers", "buffer")?,
            buffer_views: objects(&mut root, "bufferViews", "buffer view")?,
            meshes: objects(&mut root, "meshes", "mesh")?,
            nodes: objects(&mut root, "nodes", "node")?,
            skins: objects(&mut root, "skins", "skin")?,
            scene: root.get("scene").and_then(Value::as_u64).and_then(|i| usize::try_from(i).ok()),
            scenes: objects(&mut root, "scenes", "scene")?,
            material_names: material_names(&root),
            animations: {
                drop_channels_without_node(&mut root, notes);
                let list: Vec<Value> = objects(&mut root, "animations", "animation")?;
                list.into_iter().map(Animation::parse).collect()
            },
        })
    }

    /// The name of a material, empty if it has none.
    pub fn material_name(&self, index: Option<usize>) -> String {
        index.and_then(|i| self.material_names.get(i)).cloned().unwrap_or_default()
    }

    /// The name of a scene; `scene N` if it has none.
    pub fn scene_name(&self, index: usize) -> String {
        let name = self.scenes[index].name.clone().filter(|name| !name.is_empty());
        name.unwrap_or_else(|| format!("scene {index}"))
    }

    pub fn mesh_place(&self, index: usize) -> String {
        place("mesh", index, self.meshes.get(index).and_then(|m| m.name.as_deref()))
    }

    pub fn node_place(&self, index: usize) -> String {
        place("node", index, self.nodes.get(index).and_then(|n| n.name.as_deref()))
    }

    pub fn skin_place(&self, index: usize) -> String {
        place("skin", index, self.skins.get(index).and_then(|s| s.name.as_deref()))
    }

    pub fn animation_place(&self, index: usize) -> String {
        place("animation", index, self.animations.get(index).and_then(|a| a.name.as_deref()))
    }
}

impl Animation {
    fn parse(value: Value) -> Self {
        let name =
            value.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()).map(str::to_owned);
        Self { name, stored: serde_json::from_value(value).map_err(|e| e.to_string()) }
    }
}

/// An object of a list, or an error that names what was looked for: `mesh 7: does not exist; there are 3`.
pub(super) fn lookup<'a, T>(list: &'a [T], what: &str, index: usize) -> Result<&'a T, Problem> {
    list.get(index).ok_or_else(|| {
        Problem::invalid(format!("{what} {index}"), format!("does not exist; there are {}", list.len()))
    })
}

/// `mesh 3 (Body)`, or `mesh 3` where there is no name. Names are cut: they may be as long as the file.
fn place(what: &str, index: usize, name: Option<&str>) -> String {
    const LONGEST: usize = 60;
    match name {
        Some(name) if !name.is_empty() => {
            let name: String = name.chars().take(LONGEST).collect();
            format!("{what} {index} ({name})")
        }
        _ => format!("{what} {index}"),
    }
}

fn check_version(root: &Map<String, Value>) -> Result<(), Problem> {
    let version = root.get("asset").and_then(|a| a.get("version")?.as_str());
    match version {
        Some(version) if version.split('.').next() == Some("2") => Ok(()),
        Some(version) => Err(Problem::invalid("asset", format!("version {version:?}; expected 2.x"))),
        None => Err(Problem::invalid("asset", "has no version; expected \"2.0\"")),
    }
}

/// Takes a list out of the document, object by object so that an error can name one.
fn objects<T: DeserializeOwned>(
    root: &mut Map<String, Value>,
    key: &str,
    what: &str,
) -> Result<Vec<T>, Problem> {
    let list = match root.remove(key) {
        None => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(Problem::invalid(key, "expected a list")),
    };
    let parse = |(index, value)| {
        serde_json::from_value(value).map_err(|e| Problem::invalid(format!("{what} {index}"), e.to_string()))
    };
    list.into_iter().enumerate().map(parse).collect()
}

fn material_names(root: &Map<String, Value>) -> Vec<String> {
    let materials = root.get("materials").and_then(Value::as_array);
    let name = |m: &Value| m.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    materials.map(|list| list.iter().map(name).collect()).unwrap_or_default()
}

/// Channels without a node belong to extensions; the specification says that they should be ignored.
fn drop_channels_without_node(root: &mut Map<String, Value>, notes: &mut Vec<String>) {
    let Some(Value::Array(animations)) = root.get_mut("animations") else { return };
    for (index, animation) in animations.iter_mut().enumerate() {
        let Some(Value::Array(channels)) = animation.get_mut("channels") else { continue };
        let before = channels.len();
        channels.retain(|c| c.get("target").is_none_or(|t| t.get("node").is_some_and(|n| !n.is_null())));
        if channels.len() < before {
            let count = before - channels.len();
            notes.push(format!("animation {index}: {count} channels without a node were ignored"));
        }
    }
}
