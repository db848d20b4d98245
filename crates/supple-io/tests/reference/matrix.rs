//! 4x4 matrices of f64, `m[row][column]`.

/// A matrix by rows.
pub type Matrix = [[f64; 4]; 4];

pub fn from_columns(m: &[f64; 16]) -> Matrix {
    let mut rows: Matrix = std::array::from_fn(|r| std::array::from_fn(|c| m[c * 4 + r]));
    rows[3] = [0.0, 0.0, 0.0, 1.0];
    rows
}

pub fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..4).map(|k| a[r][k] * b[k][c]).sum()))
}

pub fn apply(m: &Matrix, p: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|r| m[r][0] * p[0] + m[r][1] * p[1] + m[r][2] * p[2] + m[r][3])
}

pub fn determinant(m: &Matrix) -> f64 {
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
}

/// Translation times rotation times scale.
pub fn compose(t: [f64; 3], rotation: [f64; 4], s: [f64; 3]) -> Matrix {
    let [x, y, z, w] = normalized(rotation);
    [
        [
            (1.0 - 2.0 * (y * y + z * z)) * s[0],
            2.0 * (x * y - z * w) * s[1],
            2.0 * (x * z + y * w) * s[2],
            t[0],
        ],
        [
            2.0 * (x * y + z * w) * s[0],
            (1.0 - 2.0 * (x * x + z * z)) * s[1],
            2.0 * (y * z - x * w) * s[2],
            t[1],
        ],
        [
            2.0 * (x * z - y * w) * s[0],
            2.0 * (y * z + x * w) * s[1],
            (1.0 - 2.0 * (x * x + y * y)) * s[2],
            t[2],
        ],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

pub fn normalized(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 { q.map(|x| x / length) } else { [0.0, 0.0, 0.0, 1.0] }
}

/// Appendix C.4 of the specification.
pub fn slerp(a: [f64; 4], b: [f64; 4], t: f64) -> [f64; 4] {
    let (a, b) = (normalized(a), normalized(b));
    let d: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let (angle, sign) = (d.abs().min(1.0).acos(), if d < 0.0 { -1.0 } else { 1.0 });
    let (wa, wb) = match angle < 1e-6 {
        true => (1.0 - t, t),
        false => ((angle * (1.0 - t)).sin() / angle.sin(), (angle * t).sin() / angle.sin()),
    };
    normalized(std::array::from_fn(|i| wa * a[i] + sign * wb * b[i]))
}
