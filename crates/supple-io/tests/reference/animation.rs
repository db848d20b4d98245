//! Sampling of animations: appendix C of the specification.

use serde_json::Value;

use super::matrix::{normalized, slerp};
use super::{Document, Local};

pub fn duration(document: &Document, animation: usize) -> f64 {
    let samplers = document.root["animations"][animation]["samplers"].as_array().unwrap();
    let channels = document.root["animations"][animation]["channels"].as_array().unwrap();
    let used = channels.iter().map(|c| &samplers[c["sampler"].as_u64().unwrap() as usize]);
    let last = |s: &Value| document.accessor(&s["input"]).last().unwrap()[0];
    used.map(last).fold(0.0, f64::max)
}

/// Writes the animated locals and weights at a time, held at both ends.
pub fn sample(
    document: &Document,
    animation: usize,
    time: f64,
    locals: &mut [Local],
    weights: &mut [Vec<f64>],
) {
    let animation = &document.root["animations"][animation];
    for channel in animation["channels"].as_array().unwrap() {
        let Some(node) = channel["target"]["node"].as_u64() else { continue };
        let node = node as usize;
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        let path = channel["target"]["path"].as_str().unwrap();
        if path == "weights" {
            let width = weights[node].len();
            weights[node] = value_at(document, sampler, time, width, Kind::Numbers);
            continue;
        }
        let Local::Parts { translation, rotation, scale } = &mut locals[node] else {
            panic!("node {node} has a matrix and is animated");
        };
        match path {
            "translation" => {
                *translation = value_at(document, sampler, time, 3, Kind::Numbers).try_into().unwrap();
            }
            "scale" => *scale = value_at(document, sampler, time, 3, Kind::Numbers).try_into().unwrap(),
            "rotation" => {
                *rotation = value_at(document, sampler, time, 4, Kind::Rotation).try_into().unwrap();
            }
            other => panic!("unknown path {other}"),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Numbers,
    Rotation,
}

fn value_at(document: &Document, sampler: &Value, time: f64, width: usize, kind: Kind) -> Vec<f64> {
    let times: Vec<f64> = document.accessor(&sampler["input"]).iter().map(|t| t[0]).collect();
    let flat: Vec<f64> = document.accessor(&sampler["output"]).concat();
    let interpolation = sampler["interpolation"].as_str().unwrap_or("LINEAR");
    let cubic = interpolation == "CUBICSPLINE";
    // Parts of a cubic key: in-tangent, value, out-tangent.
    let tuple = |key: usize, part: usize| {
        let at = if cubic { key * 3 + part } else { key };
        flat[at * width..(at + 1) * width].to_vec()
    };
    let last = times.len() - 1;
    if time <= times[0] {
        return tuple(0, 1);
    }
    if time >= times[last] {
        return tuple(last, 1);
    }
    let next = times.iter().position(|&t| t > time).unwrap();
    let (key, seconds) = (next - 1, times[next] - times[next - 1]);
    let t = (time - times[key]) / seconds;
    let (a, b) = (tuple(key, 1), tuple(next, 1));
    match (interpolation, kind) {
        ("STEP", _) => a,
        ("LINEAR", Kind::Rotation) => slerp(a.try_into().unwrap(), b.try_into().unwrap(), t).to_vec(),
        ("LINEAR", _) => a.iter().zip(&b).map(|(a, b)| (1.0 - t) * a + t * b).collect(),
        ("CUBICSPLINE", _) => {
            let (leaving, arriving) = (tuple(key, 2), tuple(next, 0));
            let hermite = |c: usize| {
                (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0) * a[c]
                    + seconds * (t.powi(3) - 2.0 * t.powi(2) + t) * leaving[c]
                    + (-2.0 * t.powi(3) + 3.0 * t.powi(2)) * b[c]
                    + seconds * (t.powi(3) - t.powi(2)) * arriving[c]
            };
            let value: Vec<f64> = (0..width).map(hermite).collect();
            if kind == Kind::Rotation { normalized(value.try_into().unwrap()).to_vec() } else { value }
        }
        (other, _) => panic!("unknown interpolation {other}"),
    }
}
