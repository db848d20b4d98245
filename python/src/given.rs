//! Arguments of one name are of one kind in all functions: what each must be, and what is said if it is not.
//!
//! `#[pyo3(from_py_with = given::max_time)]` reads one. pyo3 alone would leave the argument's name out of its errors.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::type_object::PyTypeInfo;

use crate::arguments::indices;
use crate::body::PyBody;
use crate::failure::{bad_type, bad_value};
use crate::motion::PyMotion;
use crate::pairs::PyTriangleClasses;
use crate::probes::PyProbe;
use crate::rays::PyRayHit;

macro_rules! given {
    ($($name:ident: $kind:ident -> $type:ty;)*) => {
        $(pub fn $name<'py>(value: &Bound<'py, PyAny>) -> PyResult<$type> {
            $kind(stringify!($name), value)
        })*
    };
}

given! {
    a: object -> Bound<'py, PyBody>;
    b: object -> Bound<'py, PyBody>;
    body: object -> Bound<'py, PyBody>;
    spare: object -> Bound<'py, PyBody>;
    start: object -> Bound<'py, PyBody>;
    end: object -> Bound<'py, PyBody>;
    motion_a: object -> Bound<'py, PyMotion>;
    motion_b: object -> Bound<'py, PyMotion>;
    probe: object -> Bound<'py, PyProbe>;
    hit: object -> Bound<'py, PyRayHit>;
    classes: object -> Bound<'py, PyTriangleClasses>;

    certificates: flag -> bool;
    creases: flag -> bool;
    front_only: flag -> bool;
    looped: flag -> bool;
    of_matrices: flag -> bool;
    parent_and_child: flag -> bool;
    same_joint: flag -> bool;
    world: flag -> bool;

    offset: real -> f32;
    radius: real -> f32;
    tolerance: real -> f32;
    max_distance: optional_real -> Option<f32>;
    max_time: optional_real -> Option<f32>;
    seconds: real -> f64;
    time: real -> f64;

    adjacent_rings: whole -> u32;
    detail: whole -> u32;
    level: whole -> u32;
    level_a: whole -> u32;
    level_b: whole -> u32;
    meets: whole -> u32;
    member: whole -> u32;
    number: whole -> usize;
    ticks: whole -> usize;
    max_visits: optional_whole -> Option<u64>;

    joint_pairs: optional_pairs -> Option<Vec<[u32; 2]>>;
    wanted: pairs -> Vec<[u32; 2]>;

    names: texts -> Option<Vec<String>>;
    coefficient_names: texts -> Option<Vec<String>>;
    name: optional_text -> Option<String>;
    scene: name_or_number -> Option<String>;
}

/// `max_distance` where there must be one.
pub fn within(value: &Bound<PyAny>) -> PyResult<f32> {
    real("max_distance", value)
}

/// An object of supple's own.
fn object<'py, T: PyTypeInfo>(argument: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, T>> {
    if let Ok(object) = value.cast::<T>() {
        return Ok(object.clone());
    }
    let class = T::type_object(value.py()).name()?;
    Err(bad_type(argument, &format!("a {class}"), value))
}

fn flag(argument: &str, value: &Bound<PyAny>) -> PyResult<bool> {
    value.extract().map_err(|_| bad_type(argument, "True or False", value))
}

/// A number, rounded to what is asked for.
fn real<T: FromF64>(argument: &str, value: &Bound<PyAny>) -> PyResult<T> {
    let number =
        value.extract::<f64>().map_err(|error| match error.is_instance_of::<PyTypeError>(value.py()) {
            true => bad_type(argument, "a number", value),
            false => bad_value(argument, format!("expected a number: {error}")),
        });
    number.map(T::from_f64)
}

trait FromF64 {
    fn from_f64(number: f64) -> Self;
}

impl FromF64 for f64 {
    fn from_f64(number: f64) -> Self {
        number
    }
}

impl FromF64 for f32 {
    fn from_f64(number: f64) -> Self {
        number as Self
    }
}

fn optional_real(argument: &str, value: &Bound<PyAny>) -> PyResult<Option<f32>> {
    if value.is_none() { Ok(None) } else { real(argument, value).map(Some) }
}

/// A whole number that is not negative.
fn whole<'py, T: FromPyObjectOwned<'py>>(argument: &str, value: &Bound<'py, PyAny>) -> PyResult<T> {
    if !value.hasattr("__index__")? {
        return Err(bad_type(argument, "a whole number", value));
    }
    value
        .extract()
        .map_err(|_| bad_value(argument, format!("expected a whole number of 0 or more, got {value}")))
}

fn optional_whole(argument: &str, value: &Bound<PyAny>) -> PyResult<Option<u64>> {
    if value.is_none() { Ok(None) } else { whole(argument, value).map(Some) }
}

fn optional_pairs(argument: &str, value: &Bound<PyAny>) -> PyResult<Option<Vec<[u32; 2]>>> {
    if value.is_none() { Ok(None) } else { pairs(argument, value).map(Some) }
}

/// Pairs of numbers: a list of tuples, or an array of shape `(n, 2)`.
fn pairs(argument: &str, value: &Bound<PyAny>) -> PyResult<Vec<[u32; 2]>> {
    let (numbers, shape) = indices(argument, value)?;
    match shape[..] {
        [_, 2] | [0] => Ok(numbers.as_chunks::<2>().0.to_vec()),
        _ => Err(bad_value(argument, format!("expected pairs of numbers, got an array of shape {shape:?}"))),
    }
}

fn texts(argument: &str, value: &Bound<PyAny>) -> PyResult<Option<Vec<String>>> {
    value.extract().map_err(|_| bad_type(argument, "a list of texts", value))
}

/// A name, or a number as the text that stands for it.
fn name_or_number(argument: &str, value: &Bound<PyAny>) -> PyResult<Option<String>> {
    match value.extract::<u32>() {
        Ok(number) => Ok(Some(number.to_string())),
        Err(_) => value.extract().map_err(|_| bad_type(argument, "a name or a number", value)),
    }
}

fn optional_text(argument: &str, value: &Bound<PyAny>) -> PyResult<Option<String>> {
    value.extract().map_err(|_| bad_type(argument, "a text", value))
}
