//! The spheres of a body in one pose, stored eight to a test.

use supple::Sphere;

use crate::eight_spheres::{EightSpheres, LANES};

/// The spheres of a body in one pose, in the order of [`SphereChains::spheres`](crate::SphereChains::spheres).
///
/// ```
/// use glam::Vec3;
/// use supple::Sphere;
/// use supple_chains::PosedSpheres;
///
/// let spheres = PosedSpheres::new(&[Sphere::new(Vec3::X, 0.5), Sphere::new(Vec3::Y, 2.0)]);
/// assert_eq!(spheres.len(), 2);
/// assert!(spheres.get(1).contains(Vec3::ZERO));
/// ```
#[derive(Clone, Debug, Default)]
pub struct PosedSpheres {
    count: usize,
    eights: Vec<EightSpheres>,
}

impl PosedSpheres {
    /// Out of spheres.
    ///
    /// ```
    /// use glam::Vec3;
    /// use supple::Sphere;
    ///
    /// let spheres = supple_chains::PosedSpheres::new(&[Sphere::new(Vec3::X, 0.5)]);
    /// assert_eq!(spheres.len(), 1);
    /// ```
    pub fn new(spheres: &[Sphere]) -> Self {
        let mut posed = Self::default();
        posed.set(spheres.iter().copied());
        posed
    }

    /// Takes spheres instead of those it had.
    pub(crate) fn set(&mut self, spheres: impl Iterator<Item = Sphere>) {
        self.eights.clear();
        self.count = 0;
        for sphere in spheres {
            let lane = self.count % LANES;
            if lane == 0 {
                self.eights.push(EightSpheres::NONE);
            }
            self.eights.last_mut().expect("one was pushed").set(lane, &sphere);
            self.count += 1;
        }
    }

    /// How many there are.
    ///
    /// ```
    /// assert_eq!(supple_chains::PosedSpheres::default().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    ///
    /// ```
    /// assert!(supple_chains::PosedSpheres::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A sphere, by its number.
    ///
    /// ```
    /// use glam::Vec3;
    /// use supple::Sphere;
    ///
    /// let spheres = supple_chains::PosedSpheres::new(&[Sphere::new(Vec3::X, 0.5)]);
    /// assert_eq!(spheres.get(0).radius, 0.5);
    /// ```
    ///
    /// # Panics
    /// There is no sphere of that number.
    #[inline(always)]
    pub fn get(&self, sphere: u32) -> Sphere {
        self.at(sphere as usize)
    }

    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> Sphere {
        assert!(index < self.count, "sphere {index} of {}", self.count);
        self.eights[index / LANES].get(index % LANES)
    }

    /// All of them, in their order.
    ///
    /// ```
    /// use glam::Vec3;
    /// use supple::Sphere;
    ///
    /// let spheres = supple_chains::PosedSpheres::new(&[Sphere::new(Vec3::X, 0.5); 9]);
    /// assert!(spheres.iter().all(|sphere| sphere.center == Vec3::X));
    /// assert_eq!(spheres.iter().count(), 9);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = Sphere> {
        (0..self.count).map(|index| self.at(index))
    }

    /// Eight by eight; only the last lanes of the last eight may have no sphere.
    pub(crate) fn eights(&self) -> &[EightSpheres] {
        &self.eights
    }
}
