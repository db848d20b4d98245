//! Bounding sphere of spheres by their centroid, in any dimension.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Algorithm 5.1.

/// A solid ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ball<const D: usize> {
    pub center: [f64; D],
    pub radius: f64,
}

/// Algorithm 5.1: `s = sum s_k / n`, `r = max_k (|s_k - s| + r_k)`.
pub(super) fn bounding_sphere<const D: usize>(balls: &[Ball<D>]) -> Ball<D> {
    let mut center = [0.0; D];
    for ball in balls {
        for (sum, x) in center.iter_mut().zip(ball.center) {
            *sum += x / balls.len() as f64;
        }
    }
    let reach = |ball: &Ball<D>| distance(ball.center, center) + ball.radius;
    Ball { center, radius: balls.iter().map(reach).fold(0.0, f64::max) }
}

/// Length of a vector.
pub(super) fn length<const D: usize>(v: [f64; D]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn distance<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    length(std::array::from_fn::<f64, D, _>(|i| a[i] - b[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centroid_and_reach() {
        let balls = [Ball { center: [0.0, 0.0], radius: 1.0 }, Ball { center: [4.0, 0.0], radius: 0.5 }];
        assert_eq!(bounding_sphere(&balls), Ball { center: [2.0, 0.0], radius: 3.0 });
    }
}
