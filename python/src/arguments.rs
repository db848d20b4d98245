//! What comes from Python, checked: arrays of numbers of any kind, points, places, choices.
//!
//! Must hold: arrays of f32 without gaps are borrowed, all others are converted once. What does not do is an error with the argument's name.

use glam::{DQuat, DVec3, Vec3};
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyList, PyTuple};
use supple::{Isometry, Skinning};

use crate::failure::{bad_type, bad_value};

/// Numbers of an array, row after row.
pub struct Floats<'py> {
    data: Data<'py>,
    pub shape: Vec<usize>,
}

enum Data<'py> {
    Borrowed(PyReadonlyArrayDyn<'py, f32>),
    Owned(Vec<f32>),
}

impl Floats<'_> {
    pub fn as_slice(&self) -> &[f32] {
        match &self.data {
            Data::Borrowed(array) => array.as_slice().expect("looked at before it was borrowed"),
            Data::Owned(numbers) => numbers,
        }
    }

    /// Three numbers each, where they are.
    pub fn vectors(&self) -> &[Vec3] {
        bytemuck::cast_slice(self.as_slice().as_chunks::<3>().0)
    }

    /// Refuses an array of another shape; `None` stands for any length.
    pub fn expect(self, argument: &str, shape: &[Option<usize>]) -> PyResult<Self> {
        if self.has_shape(shape) {
            return Ok(self);
        }
        let sides: Vec<String> =
            shape.iter().map(|side| side.map_or_else(|| "n".to_owned(), |side| side.to_string())).collect();
        Err(bad_value(
            argument,
            format!("expected an array of shape {}, got {}", tuple(&sides), tuple(&self.shape)),
        ))
    }

    pub fn has_shape(&self, shape: &[Option<usize>]) -> bool {
        self.shape.len() == shape.len()
            && self.shape.iter().zip(shape).all(|(side, wanted)| wanted.is_none_or(|wanted| wanted == *side))
    }
}

fn tuple(sides: &[impl ToString]) -> String {
    match sides {
        [one] => format!("({},)", one.to_string()),
        _ => format!("({})", sides.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Real numbers of any kind, as f32.
pub fn floats<'py>(argument: &str, value: &Bound<'py, PyAny>) -> PyResult<Floats<'py>> {
    if let Ok(array) = value.cast::<PyArrayDyn<f32>>()
        && array.is_c_contiguous()
        && let Ok(array) = array.try_readonly()
        // Columns of packed records are not aligned.
        && array.as_slice().is_ok()
    {
        let shape = array.shape().to_vec();
        return Ok(Floats { data: Data::Borrowed(array), shape });
    }
    let rounded = |array: &PyReadonlyArrayDyn<f64>| {
        let numbers = array.as_slice().ok()?.iter().map(|&number| number as f32).collect();
        Some(Floats { data: Data::Owned(numbers), shape: array.shape().to_vec() })
    };
    // What numpy would return as it is: asking it takes a microsecond.
    if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
        && array.is_c_contiguous()
        && let Ok(array) = array.try_readonly()
        && let Some(numbers) = rounded(&array)
    {
        return Ok(numbers);
    }
    let array = converted(argument, value, "fiu", "numbers", "float64")?;
    let array = array.cast::<PyArrayDyn<f64>>().map_err(PyErr::from)?.try_readonly()?;
    rounded(&array).ok_or_else(|| bad_value(argument, "expected an array in one piece"))
}

/// Integers of any kind with their shape.
pub fn integers(argument: &str, value: &Bound<PyAny>) -> PyResult<(Vec<i64>, Vec<usize>)> {
    let array = converted(argument, value, "iu", "integers", "int64")?;
    let array = array.cast::<PyArrayDyn<i64>>().map_err(PyErr::from)?.try_readonly()?;
    Ok((array.as_slice()?.to_vec(), array.shape().to_vec()))
}

/// Numbers of vertices, triangles, joints: from 0 on.
pub fn indices(argument: &str, value: &Bound<PyAny>) -> PyResult<(Vec<u32>, Vec<usize>)> {
    let (numbers, shape) = integers(argument, value)?;
    let index = |(place, &number): (usize, &i64)| {
        u32::try_from(number).map_err(|_| {
            bad_value(
                argument,
                format!("number {place} of the array is {number}, expected 0 to {}", u32::MAX),
            )
        })
    };
    Ok((numbers.iter().enumerate().map(index).collect::<PyResult<_>>()?, shape))
}

/// What numpy makes of a value, without gaps; numpy's own complaints get the argument's name.
fn converted<'py>(
    argument: &str,
    value: &Bound<'py, PyAny>,
    kinds: &str,
    what: &str,
    dtype: &str,
) -> PyResult<Bound<'py, PyAny>> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let py = value.py();
    let numpy = NUMPY.get_or_try_init(py, || py.import("numpy").map(Bound::unbind))?.bind(py);
    let named = |error: PyErr| {
        let text = format!("{argument}: expected {what} in an array: {}", error.value(py));
        match error.is_instance_of::<PyTypeError>(py) {
            true => PyTypeError::new_err(text),
            false => PyValueError::new_err(text),
        }
    };
    let array = numpy.call_method1("asarray", (value,)).map_err(named)?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let is_empty = array.getattr("size")?.extract::<usize>()? == 0;
    if !(kinds.contains(&kind) || is_empty && kind == "f") {
        let dtype = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("{argument}: expected {what}, got an array of {dtype}")));
    }
    numpy.call_method1("require", (array, dtype, ["C_CONTIGUOUS", "ALIGNED"])).map_err(named)
}

/// A few numbers: a tuple, a list, or whatever numpy understands.
pub fn numbers<const N: usize>(argument: &str, value: &Bound<PyAny>) -> PyResult<[f64; N]> {
    if (value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>())
        && let Ok(numbers) = value.extract::<[f64; N]>()
    {
        return Ok(numbers);
    }
    if let Some(numbers) = few::<f64, N>(value).or_else(|| few::<f32, N>(value).map(|few| few.map(f64::from)))
    {
        return Ok(numbers);
    }
    let array = converted(argument, value, "fiu", "numbers", "float64")?;
    let array = array.cast::<PyArrayDyn<f64>>().map_err(PyErr::from)?.try_readonly()?;
    let wrong = || bad_value(argument, format!("expected {N} numbers, got shape {}", tuple(array.shape())));
    if array.shape().len() != 1 {
        return Err(wrong());
    }
    <[f64; N]>::try_from(array.as_slice()?).map_err(|_| wrong())
}

/// The usual arrays, which need not go through numpy's own conversion: that takes longer than a ray.
fn few<T: Element + Copy, const N: usize>(value: &Bound<PyAny>) -> Option<[T; N]> {
    let array = value.cast::<PyArray1<T>>().ok()?.try_readonly().ok()?;
    array.as_slice().ok()?.try_into().ok()
}

/// Three numbers, as f32.
pub fn vector(argument: &str, value: &Bound<PyAny>) -> PyResult<Vec3> {
    Ok(DVec3::from_array(numbers(argument, value)?).as_vec3())
}

/// Where a body stands.
pub fn isometry(place: Option<&Bound<PyAny>>, turn: Option<&Bound<PyAny>>) -> PyResult<Isometry> {
    let place = match place {
        Some(place) => DVec3::from_array(numbers("place", place)?),
        None => DVec3::ZERO,
    };
    if !place.is_finite() {
        return Err(bad_value("place", format!("expected finite numbers, got {place}")));
    }
    let Some(turn) = turn else { return Ok(Isometry::from_translation(place)) };
    let turn = DQuat::from_array(numbers("turn", turn)?);
    let length = turn.length();
    if !(length.is_finite() && (length - 1.0).abs() < 1e-3) {
        return Err(bad_value(
            "turn",
            format!("expected a quaternion (x, y, z, w) of length 1, its length is {length}"),
        ));
    }
    Ok(Isometry::new(turn.normalize(), place))
}

/// How joints are blended, by its short name.
pub fn skinning(name: &str) -> PyResult<Skinning> {
    let known = Skinning::ALL.into_iter().find(|skinning| skinning.name() == name);
    known.ok_or_else(|| {
        let names: Vec<String> =
            Skinning::ALL.iter().map(|skinning| format!("{:?}", skinning.name())).collect();
        bad_value("skinning", format!("there is no {name:?}; there are {}", names.join(", ")))
    })
}

/// A clip by its name or number.
pub enum ClipName {
    Name(String),
    Number(usize),
}

impl ClipName {
    pub fn from(value: &Bound<PyAny>) -> PyResult<Self> {
        if let Ok(name) = value.extract::<String>() {
            return Ok(Self::Name(name));
        }
        let number: i64 = value.extract().map_err(|_| bad_type("clip", "a name or a number", value))?;
        let number = usize::try_from(number);
        number.map(Self::Number).map_err(|_| bad_value("clip", "numbers of clips begin with 0"))
    }

    pub fn of<'m>(&self, model: &'m supple::Model) -> PyResult<&'m supple::Clip> {
        match self {
            Self::Name(name) => model.clip(name).map_err(crate::failure::wrong("clip")),
            Self::Number(number) => model.clips().get(*number).ok_or_else(|| {
                let text = match model.clips().len() {
                    0 => "the model has no clips".to_owned(),
                    count => {
                        format!("there is no number {number}; the model has {count}, the first has number 0")
                    }
                };
                bad_value("clip", text)
            }),
        }
    }
}
