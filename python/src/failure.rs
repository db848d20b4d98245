//! How questions fail: bad input in words, faults of supple as exceptions, never as the end of the interpreter.

use std::any::Any;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::threads::in_own_threads;

create_exception!(
    supple,
    InternalError,
    PyRuntimeError,
    "A fault in supple itself. Bodies that it happened to cannot be asked again; please report it."
);

/// An error and what caused it, in one line.
pub fn words(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// An argument with a value that does not do.
pub fn wrong<E: Error>(argument: &str) -> impl Fn(E) -> PyErr {
    move |error| bad_value(argument, words(&error))
}

/// The same, from words.
pub fn bad_value(argument: &str, text: impl AsRef<str>) -> PyErr {
    PyValueError::new_err(format!("{argument}: {}", text.as_ref()))
}

/// An argument of another type than expected.
pub fn bad_type(argument: &str, expected: &str, given: &Bound<PyAny>) -> PyErr {
    let given = given.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{argument}: expected {expected}, got {given}"))
}

/// Works while other threads of Python go on. A panic becomes an [`InternalError`].
pub fn work<R: Send>(py: Python, job: impl FnOnce() -> R + Send) -> PyResult<R> {
    let caught = py.detach(|| catch_unwind(AssertUnwindSafe(|| in_own_threads(job))));
    caught.map_err(|panic| InternalError::new_err(said(panic.as_ref())))
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("a fault in supple, please report it: {}", text.unwrap_or_else(|| "no message".to_owned()))
}

/// Fails as a fault in supple would: shows how that looks in Python.
#[pyfunction]
pub fn _panic(py: Python) -> PyResult<()> {
    work(py, || panic!("on purpose"))
}
