//! The stiffness of an elastic cube that is deformed by moving its eight corners.
//!
//! ```text
//! K = sum over Gauss points of B^T D B det J,   B: strain of trilinear functions, D: isotropic material
//! ```
//!
//! Trilinear functions alone cannot bend: a cube whose sides turn has to shear, and a plate of one layer of cells would be half as
//! stiff again as it should be. Three more functions inside of the cube, `1 - x^2` along each axis, take the shear away;
//! they concern no other cube and are eliminated at once: `K = Kuu - Kua Kaa^-1 Kau`.
//!
//! Must hold: corner `c` of a cell is at `c & 1, c >> 1 & 1, c >> 2` along x, y, z; rigid motions have no energy.
//!
//! Based on: E. L. Wilson, R. L. Taylor, W. P. Doherty, J. Ghaboussi, Incompatible Displacement Models, 1973.

use crate::skyline::Envelope;

/// Unknowns of a cell: three for each corner.
pub(super) const UNKNOWNS: usize = 24;
/// Those inside of it.
const INNER: usize = 9;

/// The stiffness matrix, by rows; unknowns are corner by corner.
pub(super) type Stiffness = [[f64; UNKNOWNS]; UNKNOWNS];

/// Which end of each axis a corner is at.
pub(super) fn corner_bits(corner: usize) -> [usize; 3] {
    [corner & 1, corner >> 1 & 1, corner >> 2]
}

/// Of a cube with edges of length 1 and Young's modulus 1; that of an edge `h` and modulus `E` is `E h` times it.
pub(super) fn unit_stiffness(poisson: f64) -> Stiffness {
    const ALL: usize = UNKNOWNS + INNER;
    let mut full = [[0.0; ALL]; ALL];
    let material = material(poisson);
    let at = 1.0 / 3f64.sqrt();
    for point in 0..8 {
        let at = corner_bits(point).map(|end| if end == 1 { at } else { -at });
        let strains: [[f64; 6]; ALL] = std::array::from_fn(|unknown| strain(unknown, at));
        for row in 0..ALL {
            let stress: [f64; 6] = std::array::from_fn(|i| dot(&material[i], &strains[row]));
            for column in 0..ALL {
                // The cube of the Gauss points has edges of length 2: det J = 1/8.
                full[row][column] += dot(&stress, &strains[column]) / 8.0;
            }
        }
    }
    without_inner(&full)
}

/// The strain, as xx, yy, zz, xy, yz, zx, that an unknown of 1 makes at a point of the cube from -1 to 1.
fn strain(unknown: usize, at: [f64; 3]) -> [f64; 6] {
    let slope: [f64; 3] = if unknown < UNKNOWNS {
        let ends = corner_bits(unknown / 3).map(|end| if end == 1 { 1.0 } else { -1.0 });
        let factor = |axis: usize| 1.0 + ends[axis] * at[axis];
        std::array::from_fn(|axis| ends[axis] / 8.0 * factor((axis + 1) % 3) * factor((axis + 2) % 3))
    } else {
        let bubble = (unknown - UNKNOWNS) / 3;
        std::array::from_fn(|axis| if axis == bubble { -2.0 * at[axis] } else { 0.0 })
    };
    // Half a unit of length is 1 here.
    let [x, y, z] = slope.map(|slope| 2.0 * slope);
    match unknown % 3 {
        0 => [x, 0.0, 0.0, y, 0.0, z],
        1 => [0.0, y, 0.0, x, z, 0.0],
        _ => [0.0, 0.0, z, 0.0, y, x],
    }
}

/// Stress by strain for Young's modulus 1.
fn material(poisson: f64) -> [[f64; 6]; 6] {
    let shear = 0.5 / (1.0 + poisson);
    let volume = poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    std::array::from_fn(|i| {
        std::array::from_fn(|j| match (i < 3, j < 3) {
            (true, true) => volume + if i == j { 2.0 * shear } else { 0.0 },
            (false, false) if i == j => shear,
            _ => 0.0,
        })
    })
}

/// What is left when the inner unknowns have settled.
fn without_inner<const ALL: usize>(full: &[[f64; ALL]; ALL]) -> Stiffness {
    let whole = Envelope::new(1, &[]);
    let mut inner = whole.zeros(INNER);
    inner.add([0, 0], |i, j| full[UNKNOWNS + i][UNKNOWNS + j]);
    let inner = inner.factor(0.0).expect("bubbles strain the cube for every Poisson's ratio below a half");
    let mut stiffness = [[0.0; UNKNOWNS]; UNKNOWNS];
    for column in 0..UNKNOWNS {
        let mut settled: [f64; INNER] = std::array::from_fn(|i| full[UNKNOWNS + i][column]);
        inner.solve(&mut settled);
        for row in 0..UNKNOWNS {
            stiffness[row][column] = full[row][column] - dot(&full[row][UNKNOWNS..], &settled);
        }
    }
    stiffness
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn corners(moved: impl Fn(DVec3) -> DVec3) -> [f64; UNKNOWNS] {
        let corner = |c: usize| DVec3::from_array(corner_bits(c).map(|end| end as f64 - 0.5));
        std::array::from_fn(|i| moved(corner(i / 3))[i % 3])
    }

    fn energy(stiffness: &Stiffness, u: &[f64; UNKNOWNS]) -> f64 {
        0.5 * (0..UNKNOWNS).map(|i| u[i] * dot(&stiffness[i], u)).sum::<f64>()
    }

    #[test]
    fn energies_are_those_of_elasticity() {
        for poisson in [0.0, 0.3, 0.45] {
            let stiffness = unit_stiffness(poisson);
            for i in 0..UNKNOWNS {
                for j in 0..i {
                    assert!((stiffness[i][j] - stiffness[j][i]).abs() < 1e-14);
                }
            }
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                assert!(energy(&stiffness, &corners(|_| axis)).abs() < 1e-14);
                assert!(energy(&stiffness, &corners(|p| axis.cross(p))).abs() < 1e-14);
            }
            // Pulled along x, free to become thinner: half the modulus for a strain of 1.
            let pulled = energy(&stiffness, &corners(|p| DVec3::new(p.x, -poisson * p.y, -poisson * p.z)));
            assert!((pulled - 0.5).abs() < 1e-13, "{pulled}");
            let sheared = energy(&stiffness, &corners(|p| DVec3::X * p.y));
            assert!((sheared - 0.25 / (1.0 + poisson)).abs() < 1e-13, "{sheared}");
            // Bent with curvature 1, as far as corners can tell: u = x y, v = -x^2 / 2. With the sides free, 1/2 E I = 1/24;
            // the cells beside it hold them here, so it lies between that and a plate's.
            let bent = energy(&stiffness, &corners(|p| DVec3::X * (p.x * p.y)));
            let plate = 1.0 / 24.0 / (1.0 - poisson * poisson);
            assert!(bent > 1.0 / 24.0 - 1e-13 && bent < plate + 1e-13, "{bent} {plate}");
        }
    }
}
