//! How questions get at bodies: one asker at a time, without the interpreter's lock; what failed is not asked again.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use supple::{Answer, Body, QueryStats};

use crate::body::PyBody;
use crate::failure::{InternalError, bad_value, work};

/// A body to ask, if nobody else is asking it.
pub fn body_mut<'py>(handle: &Bound<'py, PyBody>, argument: &str) -> PyResult<PyRefMut<'py, PyBody>> {
    let body = handle.try_borrow_mut().map_err(|_| {
        PyRuntimeError::new_err(format!(
            "{argument}: another thread is asking this body; give each thread its own Body"
        ))
    })?;
    if body.is_broken {
        let text = format!("{argument}: a question to this body failed before; make a new Body of its shape");
        return Err(InternalError::new_err(text));
    }
    Ok(body)
}

/// Asks a body.
pub fn ask<R: Send>(
    handle: &Bound<PyBody>,
    question: impl FnOnce(&mut Body) -> Answer<R> + Send,
) -> PyResult<R> {
    let mut body = body_mut(handle, "body")?;
    let this = &mut body.body;
    let answer = work(handle.py(), || question(this));
    body.is_broken = answer.is_err();
    let answer = answer?;
    body.stats = answer.stats;
    Ok(answer.found)
}

/// Asks a body what it may refuse to answer.
pub fn try_ask<R: Send, E: Send>(
    handle: &Bound<PyBody>,
    question: impl FnOnce(&mut Body) -> Result<Answer<R>, E> + Send,
    refused: impl FnOnce(E) -> PyErr,
) -> PyResult<R> {
    let asked = ask(handle, |body| match question(body) {
        Ok(answer) => Answer { found: Ok(answer.found), stats: answer.stats },
        Err(error) => Answer { found: Err(error), stats: QueryStats::default() },
    })?;
    asked.map_err(refused)
}

/// Asks two bodies.
pub fn ask_two<R: Send>(
    a: &Bound<PyBody>,
    b: &Bound<PyBody>,
    question: impl FnOnce(&mut Body, &mut Body) -> Answer<R> + Send,
) -> PyResult<R> {
    if a.is(b) {
        return Err(bad_value(
            "b",
            "the same body as a; ask self_collide(a), or make a second Body of its shape",
        ));
    }
    let (mut first, mut second) = (body_mut(a, "a")?, body_mut(b, "b")?);
    let (this, other) = (&mut first.body, &mut second.body);
    let answer = work(a.py(), || question(this, other));
    (first.is_broken, second.is_broken) = (answer.is_err(), answer.is_err());
    let answer = answer?;
    (first.stats, second.stats) = (answer.stats, answer.stats);
    Ok(answer.found)
}
