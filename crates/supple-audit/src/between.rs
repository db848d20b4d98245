//! Two sets of a model's triangles, by the names of meshes or materials: body and shirt, hero and sword.
//!
//! In: names as people write them. Out: whose triangle is whose, and whether two triangles are between the sets.

use std::collections::BTreeSet;
use std::ops::Range;

use supple::Model;

use crate::error::AuditError;

/// Names that are offered for one that is not there.
const NEAR_NAMES: usize = 5;

/// Two sets of triangles. They may overlap, and may be the same.
///
/// A name stands for all parts of the model that have it; if there is none, for all that is drawn with the material of that name; if
/// there is none either, for parts, then for materials, whose name differs in upper and lower case alone.
///
/// ```
/// use supple_audit::PartSets;
///
/// let man = supple_zoo::make("man", 0)?;
/// let sets = PartSets::new(&man, &["man"], &["Man"])?; // all in all: a mesh with itself
/// assert!(sets.is_between(0, 17));
/// let error = PartSets::new(&man, &["man"], &["shirt"]).unwrap_err();
/// assert_eq!(error.to_string(), "there is no mesh and no material \"shirt\"; the nearest of 2: \"skin\", \"man\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartSets {
    /// For every triangle whether it is in the first, and in the second set.
    of_triangle: Vec<[bool; 2]>,
}

impl PartSets {
    /// Finds the triangles of two lists of names.
    ///
    /// # Errors
    /// A name that neither a part nor a material has: the error tells which names are much like it.
    pub fn new(
        model: &Model,
        first: &[impl AsRef<str>],
        second: &[impl AsRef<str>],
    ) -> Result<Self, AuditError> {
        let mut of_triangle = vec![[false; 2]; model.mesh().triangles().len()];
        let names = first.iter().map(|name| (0, name.as_ref()));
        for (set, name) in names.chain(second.iter().map(|name| (1, name.as_ref()))) {
            for triangles in named(model, name)? {
                of_triangle[triangles].iter_mut().for_each(|sets| sets[set] = true);
            }
        }
        Ok(Self { of_triangle })
    }

    /// Whether a triangle is in the first, and whether it is in the second set.
    ///
    /// # Panics
    /// The triangle is out of range.
    pub fn of_triangle(&self, triangle: u32) -> [bool; 2] {
        self.of_triangle[triangle as usize]
    }

    /// Whether one triangle is in the first and the other in the second set.
    ///
    /// # Panics
    /// A triangle is out of range.
    pub fn is_between(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.of_triangle(a), self.of_triangle(b));
        a[0] && b[1] || a[1] && b[0]
    }

    /// A class for every triangle, and the pairs of classes that are between the sets, as
    /// [`self_collide_between`](supple::self_collide_between) wants them: what is in neither set is not even looked at.
    pub fn classes(&self) -> (Vec<u32>, Vec<[u32; 2]>) {
        let kinds: BTreeSet<[bool; 2]> = self.of_triangle.iter().copied().collect();
        let kinds: Vec<[bool; 2]> = kinds.into_iter().collect();
        let class = |kind: &[bool; 2]| kinds.partition_point(|other| other < kind) as u32;
        let is_between = |a: &[bool; 2], b: &[bool; 2]| a[0] && b[1] || a[1] && b[0];
        let all = kinds.iter().enumerate();
        let pairs = all.flat_map(|(number, a)| kinds[number..].iter().map(move |b| (a, b)));
        let wanted = pairs.filter(|(a, b)| is_between(a, b)).map(|(a, b)| [class(a), class(b)]).collect();
        (self.of_triangle.iter().map(class).collect(), wanted)
    }
}

/// The triangles that a name stands for.
fn named(model: &Model, name: &str) -> Result<Vec<Range<usize>>, AuditError> {
    let lower = name.to_lowercase();
    let ways: [&dyn Fn(&str) -> bool; 2] = [&|other| other == name, &|other| other.to_lowercase() == lower];
    for is_meant in ways {
        let parts = model.parts().iter().filter(|part| is_meant(&part.name));
        let parts: Vec<_> = parts.map(|part| part.triangles.clone()).collect();
        if !parts.is_empty() {
            return Ok(parts);
        }
        let primitives = model.parts().iter().flat_map(|part| &part.primitives);
        let drawn = primitives.filter(|p| !p.material.is_empty() && is_meant(&p.material));
        let drawn: Vec<_> = drawn.map(|primitive| primitive.triangles.clone()).collect();
        if !drawn.is_empty() {
            return Ok(drawn);
        }
    }
    Err(unknown(model, name))
}

fn unknown(model: &Model, name: &str) -> AuditError {
    let wanted = name.to_lowercase();
    let materials = model.parts().iter().flat_map(|part| &part.primitives).map(|p| p.material.as_str());
    let names = model.parts().iter().map(|part| part.name.as_str()).chain(materials);
    let known: BTreeSet<&str> = names.filter(|name| !name.is_empty()).collect();
    let mut ranked: Vec<(usize, &str)> = known
        .iter()
        .map(|name| {
            let lower = name.to_lowercase();
            let contains = !wanted.is_empty() && (lower.contains(&wanted) || wanted.contains(&lower));
            (if contains { 0 } else { strsim::levenshtein(&wanted, &lower) }, *name)
        })
        .collect();
    ranked.sort_unstable();
    AuditError::UnknownPart {
        name: name.to_owned(),
        nearest: ranked.iter().take(NEAR_NAMES).map(|(_, name)| (*name).to_owned()).collect(),
        names: known.len(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use supple::model::{Part, Primitive};
    use supple::{Body, BuildOptions, Shape, Skinning, TriangleClasses, self_collide, self_collide_between};

    /// The zoo's man, cut into a body of two materials and two gloves of one name.
    fn dressed() -> Model {
        let man = supple_zoo::make("man", 0).unwrap();
        let (vertices, triangles) = (man.mesh().positions().len(), man.mesh().triangles().len());
        let part = |name: &str, materials: &[(&str, Range<usize>)]| Part {
            name: name.to_owned(),
            node: 0,
            vertices: 0..vertices,
            triangles: materials[0].1.start..materials[materials.len() - 1].1.end,
            coefficients: 0..0,
            primitives: materials
                .iter()
                .map(|(material, triangles)| Primitive {
                    material: (*material).to_owned(),
                    vertices: 0..vertices,
                    triangles: triangles.clone(),
                })
                .collect(),
        };
        let (a, b, c) = (triangles / 4, triangles / 2, triangles - 100);
        man.with_parts(vec![
            part("Body", &[("skin", 0..a), ("hair", a..b)]),
            part("glove", &[("wool", b..c)]),
            part("glove", &[("WOOL", c..triangles)]),
        ])
        .unwrap()
    }

    fn triangles(names: &[&str]) -> Vec<u32> {
        let model = dressed();
        let sets = PartSets::new(&model, names, &["Body"]).unwrap();
        (0..model.mesh().triangles().len() as u32).filter(|&t| sets.of_triangle(t)[0]).collect()
    }

    #[test]
    fn names_are_those_of_parts_before_those_of_materials_and_exact_before_alike() {
        let count = dressed().mesh().triangles().len() as u32;
        let (a, b, c) = (count / 4, count / 2, count - 100);
        assert_eq!(triangles(&["Body"]), (0..b).collect::<Vec<_>>());
        assert_eq!(triangles(&["body"]), triangles(&["Body"]));
        assert_eq!(triangles(&["glove"]), (b..count).collect::<Vec<_>>());
        assert_eq!(triangles(&["hair"]), (a..b).collect::<Vec<_>>());
        assert_eq!(triangles(&["wool"]), (b..c).collect::<Vec<_>>());
        assert_eq!(triangles(&["Wool"]), (b..count).collect::<Vec<_>>());
        assert_eq!(triangles(&["hair", "GLOVE"]), (a..count).collect::<Vec<_>>());
        assert!(triangles(&[]).is_empty());
    }

    #[test]
    fn unknown_names_are_told_with_near_ones() {
        let error = PartSets::new(&dressed(), &["Body"], &["gloev"]).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("there is no mesh and no material \"gloev\"; the nearest of 6: \"glove\""),
            "{text}"
        );
        assert!(PartSets::new(&dressed(), &[""], &["Body"]).is_err());
    }

    /// The classes ask for exactly the pairs that are between the sets, also where these overlap.
    #[test]
    fn classes_are_those_of_the_sets() {
        let model = Arc::new(dressed());
        let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).unwrap());
        let mut body = Body::new(&shape, Skinning::Linear).unwrap();
        body.set_pose(&model.sample(model.clip("random").unwrap(), 0.8).unwrap()).unwrap();
        let all = self_collide(&mut body).found;
        for (first, second) in [
            (vec!["Body"], vec!["glove"]),
            (vec!["skin"], vec!["hair", "glove"]),
            (vec!["Body"], vec!["hair"]),
            (vec!["Body", "glove"], vec!["Body", "glove"]),
            (vec![], vec!["Body"]),
        ] {
            let sets = PartSets::new(&model, &first, &second).unwrap();
            let (classes, wanted) = sets.classes();
            let classes = TriangleClasses::new(&shape, classes).unwrap();
            let between = self_collide_between(&mut body, &classes, &wanted).unwrap().found;
            let expected: Vec<_> = all.iter().copied().filter(|&[a, b]| sets.is_between(a, b)).collect();
            assert_eq!(between, expected, "{first:?} {second:?}");
            assert_eq!(expected.is_empty(), first.is_empty(), "{first:?} {second:?}");
        }
    }
}
