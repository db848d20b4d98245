//! Models from files, from bytes, from the zoo.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use supple_io::{LoadError, Problem};

use crate::failure::{bad_type, bad_value, words, work, wrong};
use crate::given;
use crate::model::PyModel;
use crate::shape::PyShape;

/// Reads a model: .glb, .gltf, .vrm, .fbx, .obj, or .supple, which is a model with its tree; or `"zoo:man"`, `"zoo:man:1"` with its detail.
///
/// `source` is a path, or bytes, whose `name` is the file's name or its extension. `scene` is the name or number of a scene of a glTF file.
///
/// >>> import supple
/// >>> supple.load("zoo:man:1").triangle_count
/// 35184
/// >>> import supple
/// >>> supple.load("nowhere.glb")
/// Traceback (most recent call last):
///     ...
/// FileNotFoundError: nowhere.glb: cannot be read: No such file or directory (os error 2)
#[pyfunction]
#[pyo3(signature = (source, *, name=None, scene=None))]
pub fn load(
    py: Python,
    source: &Bound<PyAny>,
    #[pyo3(from_py_with = given::name)] name: Option<String>,
    #[pyo3(from_py_with = given::scene)] scene: Option<String>,
) -> PyResult<PyModel> {
    let mut options = supple_io::ReadOptions::default();
    options.scene = scene;
    if let Ok(bytes) = source.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        let name = name.ok_or_else(|| {
            bad_value("name", "expected the name of the file that the bytes are of, or its end: \".glb\"")
        })?;
        if name.ends_with(".supple") {
            return Ok(PyModel::of_shape(&PyShape::read(py, bytes)?.shape));
        }
        let read =
            work(py, || supple_io::read_bytes_with(&name, bytes, &mut supple_io::no_other_files, &options))?;
        return loaded(py, read);
    }
    let path: PathBuf = source.extract().map_err(|_| bad_type("source", "a path or bytes", source))?;
    if let Some(animal) = path.to_str().and_then(|path| path.strip_prefix("zoo:")) {
        let (name, detail) = animal.split_once(':').unwrap_or((animal, "0"));
        let detail =
            detail.parse().map_err(|_| bad_value("source", "expected zoo:NAME or zoo:NAME:DETAIL"))?;
        return made(py, name, detail, "source");
    }
    if path.extension().is_some_and(|extension| extension == "supple") {
        let bytes = work(py, || supple_io::read_whole_file(&path))?.map_err(|error| {
            PyOSError::new_err((error.raw_os_error(), format!("{}: cannot be read: {error}", path.display())))
        })?;
        let shape = PyShape::read(py, &bytes)
            .map_err(|error| bad_value(&path.to_string_lossy(), error.value(py).to_string()))?;
        return Ok(PyModel::of_shape(&shape.shape));
    }
    loaded(py, work(py, || supple_io::read_with(&path, &options))?)
}

fn loaded(py: Python, read: Result<supple_io::Loaded, LoadError>) -> PyResult<PyModel> {
    match read {
        Ok(read) => Ok(PyModel::of_file(Arc::new(read.model), read.notes)),
        Err(error) => {
            let text = words(&error);
            let Problem::Io(io) = &error.problem else {
                return Err(pyo3::exceptions::PyValueError::new_err(text));
            };
            // Its own class, as open() has it, with all that there is to say.
            let class = PyErr::from(std::io::Error::from(io.kind())).get_type(py);
            Err(PyErr::from_type(class, text))
        }
    }
}

/// Files that a file names and that are read with it: buffers of a .gltf.
#[pyfunction]
pub fn other_files(path: PathBuf) -> Vec<PathBuf> {
    supple_io::other_files_of(path)
}

/// A character of supple's own; each detail has four times the triangles of the one before. `zoo_names` lists them.
///
/// >>> import supple
/// >>> supple.zoo("man")
/// <supple.Model: 4400 vertices, 8796 triangles, 27 joints, 0 coefficients, 6 clips>
#[pyfunction]
#[pyo3(signature = (name, detail=0))]
pub fn zoo(py: Python, name: &str, #[pyo3(from_py_with = given::detail)] detail: u32) -> PyResult<PyModel> {
    made(py, name, detail, "name, detail")
}

fn made(py: Python, name: &str, detail: u32, argument: &str) -> PyResult<PyModel> {
    let made = work(py, || supple_zoo::make(name, detail))?;
    Ok(PyModel::of(Arc::new(made.map_err(wrong(argument))?)))
}

/// What the zoo has.
///
/// >>> import supple
/// >>> "man" in supple.zoo_names()
/// True
#[pyfunction]
pub fn zoo_names() -> Vec<&'static str> {
    supple_zoo::kinds().iter().map(|kind| kind.name).collect()
}
