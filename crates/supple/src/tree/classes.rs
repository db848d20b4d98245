//! Classes: the triangles of a shape divided by whatever a program wants to tell apart, e.g. limbs, materials, rooms.
//!
//! In: a class per triangle. Out: what queries need to answer about classes: which of them are below each node of the tree, and a
//! bound for each class. Must hold: every triangle belongs to exactly one class, and no class is empty.

use std::sync::Arc;

use super::class_error::ClassError;
use super::grouping::groups_of_sets;
use super::groups::Groups;
use super::layout::Tree;
use super::partition::{ClassPairs, Partition};
use super::shape::Shape;

/// The triangles of a shape, divided into classes. Immutable; made once per shape, for any number of bodies.
///
/// [`self_collide_between`](crate::self_collide_between) finds the pairs of touching triangles of some pairs of classes,
/// [`enclosing_spheres`](Self::enclosing_spheres) tells where the classes of a body are without posing a vertex.
///
/// ```
/// use std::sync::Arc;
/// use supple::{BuildOptions, Shape, TriangleClasses};
///
/// let man = Arc::new(supple_zoo::make("man", 0)?);
/// let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// // Two classes: what the left forearm moves most, and everything else.
/// let triangles = 0..man.mesh().triangles().len() as u32;
/// let is_forearm = |t: u32| man.joint_name(man.owning_joint(t)) == "forearm_l";
/// let classes = TriangleClasses::new(&shape, triangles.map(|t| u32::from(is_forearm(t))).collect())?;
/// assert_eq!(classes.count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TriangleClasses {
    shape: Arc<Shape>,
    of_triangle: Vec<u32>,
    /// The triangles of all classes, class by class, each class ascending.
    triangles: Vec<u32>,
    /// Where the triangles of a class begin; one more at the end.
    first: Vec<usize>,
    /// Classes below the nodes of the shape's tree.
    partition: Partition,
    /// One node with groups per class.
    groups: Groups,
}

impl TriangleClasses {
    /// Divides the triangles of a shape; `of_triangle` has the class of each, in the order of the mesh. Classes are numbered from 0.
    ///
    /// Costs about a twentieth of what [`Shape::build`] does for some dozens of classes (30 ms beside 800 for 26,000 triangles in 60
    /// classes). Takes a bit per class and node of the tree: this is made for dozens or hundreds of classes, not for a class per
    /// triangle.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use glam::Vec3;
    /// use supple::{BuildOptions, Mesh, Model, Shape, TriangleClasses};
    ///
    /// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].to_vec();
    /// let mesh = Mesh::new(corners, vec![[0, 1, 2], [0, 1, 3]])?;
    /// let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
    /// assert!(TriangleClasses::new(&shape, vec![1, 0]).is_ok());
    /// let error = TriangleClasses::new(&shape, vec![0]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "1 classes were given for the 2 triangles of the shape; every triangle has one"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There are not as many classes as triangles, or a number below the largest one is the class of no triangle.
    pub fn new(shape: &Arc<Shape>, of_triangle: Vec<u32>) -> Result<Self, ClassError> {
        let triangles = shape.model().mesh().triangles().len();
        if of_triangle.len() != triangles {
            return Err(ClassError::WrongCount { classes: of_triangle.len(), triangles });
        }
        let mut counts = vec![0; triangles];
        for &class in &of_triangle {
            // With more classes than triangles some class is empty, which is found below.
            if let Some(count) = counts.get_mut(class as usize) {
                *count += 1;
            }
        }
        let count = of_triangle.iter().map(|&class| class as usize + 1).max().unwrap_or(0);
        if let Some(class) = (0..count).find(|&class| counts.get(class).is_none_or(|&count| count == 0)) {
            return Err(ClassError::EmptyClass { class: class as u32 });
        }
        let mut first = vec![0];
        first.extend(counts[..count].iter().scan(0, |end, count| {
            *end += count;
            Some(*end)
        }));
        let mut by_class: Vec<u32> = (0..triangles as u32).collect();
        by_class.sort_by_key(|&triangle| of_triangle[triangle as usize]);
        let sets: Vec<&[u32]> = first.windows(2).map(|ends| &by_class[ends[0]..ends[1]]).collect();
        Ok(Self {
            partition: Partition::new(shape.tree(), &of_triangle, count),
            groups: groups_of_sets(shape.model(), &sets).ok_or(ClassError::RestPose)?,
            shape: Arc::clone(shape),
            triangles: by_class,
            of_triangle,
            first,
        })
    }

    /// The class of a triangle.
    ///
    /// # Panics
    /// The shape has no such triangle.
    pub fn class_of(&self, triangle: u32) -> u32 {
        self.of_triangle[triangle as usize]
    }

    /// How many classes there are; they are numbered from 0.
    pub fn count(&self) -> usize {
        self.first.len() - 1
    }

    /// Refuses shapes whose triangles these classes say nothing about.
    pub(crate) fn check(&self, shape: &Arc<Shape>) -> Result<(), ClassError> {
        if Arc::ptr_eq(&self.shape, shape) { Ok(()) } else { Err(ClassError::OtherShape) }
    }

    /// Some pairs of classes, checked.
    pub(crate) fn pairs(&self, wanted: &[[u32; 2]]) -> Result<ClassPairs, ClassError> {
        let count = self.count();
        match wanted.iter().flatten().find(|&&class| class as usize >= count) {
            Some(&class) => Err(ClassError::UnknownClass { class, count }),
            None => Ok(ClassPairs::new(count, wanted)),
        }
    }

    /// Classes below the nodes of the shape's tree.
    pub(crate) fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Classes below the nodes of another tree over the same triangles.
    pub(crate) fn partition_of(&self, tree: &Tree) -> Partition {
        Partition::new(tree, &self.of_triangle, self.count())
    }

    /// Groups of every class, by its number.
    pub(crate) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The triangles of a class, ascending.
    pub(crate) fn triangles_of(&self, class: usize) -> &[u32] {
        &self.triangles[self.first[class]..self.first[class + 1]]
    }
}
