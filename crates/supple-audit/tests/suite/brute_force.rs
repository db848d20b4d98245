//! What an audit finds in characters of the zoo is what brute force finds: all pairs of triangles tested, winding numbers
//! summed over all triangles, distances taken to all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::{DVec3, Vec3};
use supple::oracle::{self, PosedMesh};
use supple::{BuildOptions, Distance, Mesh, Model, Point, SelfFilter, Shape, Skinning};
use supple_audit::{AuditOptions, Findings, audit};

/// Pairs of triangles by the nodes of their bones, the smaller node and its triangle first.
type Groups = BTreeMap<[usize; 2], Vec<[u32; 2]>>;

/// A model and what brute force needs of it.
struct Character {
    shape: Arc<Shape>,
    options: AuditOptions,
    filter: SelfFilter,
}

impl Character {
    fn new(animal: &str, options: AuditOptions) -> Self {
        let model = supple_zoo::make(animal, 0).unwrap();
        let shape = Arc::new(Shape::build(model, &BuildOptions::default()).unwrap());
        let mut filter = SelfFilter::default().with_rings(options.rings);
        filter.same_joint = options.skip_same_bone;
        filter.parent_and_child = options.skip_parent_child;
        Self { shape, options, filter }
    }

    fn model(&self) -> &Model {
        self.shape.model()
    }

    fn node(&self, triangle: u32) -> usize {
        self.model().skeleton().joints()[self.model().owning_joint(triangle).0 as usize].node
    }

    fn positions(&self, clip: Option<usize>, frame: usize) -> Vec<Vec3> {
        let model = self.model();
        let pose = match clip {
            None => model.rest_pose(),
            Some(clip) => {
                let seconds = frame as f64 / f64::from(self.options.fps);
                model.sample(&model.clips()[clip], seconds).unwrap()
            }
        };
        model.posed(&pose, self.options.skinning).unwrap().positions()
    }

    fn pairs(&self, positions: &[Vec3]) -> Groups {
        let mut groups = Groups::new();
        for [a, b] in oracle::self_collide_with(self.model(), positions, &self.filter) {
            let (node_a, node_b) = (self.node(a), self.node(b));
            let in_order = node_a <= node_b;
            let nodes = if in_order { [node_a, node_b] } else { [node_b, node_a] };
            groups.entry(nodes).or_default().push(if in_order { [a, b] } else { [b, a] });
        }
        groups
    }

    /// Compares all frames of a clip, or of the rest pose; returns how many pairs of bones had a depth.
    fn compare(&self, findings: &Findings) -> usize {
        let at_rest: BTreeSet<[u32; 2]> =
            self.pairs(&self.positions(None, 0)).into_values().flatten().collect();
        let (mut deep, mut totals) = (0, Vec::new());
        for frame in 0..findings.frames {
            let positions = self.positions(findings.clip, frame);
            let expected = self.pairs(&positions);
            let found: BTreeMap<[usize; 2], _> = findings
                .bone_pairs
                .iter()
                .filter_map(|pair| {
                    let moment = pair.timeline.iter().find(|moment| moment.frame == frame)?;
                    Some((pair.nodes, (pair, moment)))
                })
                .collect();
            assert!(found.keys().eq(expected.keys()), "frame {frame} of {}", findings.name);
            for ((nodes, (pair, moment)), pairs) in found.iter().zip(expected.values()) {
                let rest_pairs = pairs.iter().filter(|pair| at_rest.contains(*pair)).count();
                assert_eq!((moment.rest_pairs, moment.new_pairs), (rest_pairs, pairs.len() - rest_pairs));
                if pair.worst_frame == frame {
                    let (mut worst, mut pairs) = (pair.worst_triangles.clone(), pairs.clone());
                    worst.sort_unstable();
                    pairs.sort_unstable();
                    assert_eq!(worst, pairs, "frame {frame} of {}: {:?}", findings.name, pair.bones);
                    let depth = self.depth(&positions, *nodes, &pairs);
                    let close = match (depth, moment.depth) {
                        (Some(expected), Some(found)) => (expected - found).abs() <= 1e-6,
                        (None, None) => true,
                        _ => false,
                    };
                    assert!(
                        close,
                        "frame {frame} of {}: {:?} {depth:?} {moment:?}",
                        findings.name, pair.bones
                    );
                    assert_eq!(pair.depth, moment.depth);
                    deep += usize::from(moment.depth > Some(0.0));
                }
            }
            totals.push(expected.values().map(Vec::len).sum::<usize>());
        }
        let most = totals.iter().copied().max().unwrap();
        assert_eq!((findings.most_pairs, totals[findings.fullest_frame]), (most, most));
        assert_eq!(findings.frames_with_pairs, totals.iter().filter(|&&total| total > 0).count());
        deep
    }

    fn depth(&self, positions: &[Vec3], [a, b]: [usize; 2], pairs: &[[u32; 2]]) -> Option<f32> {
        let swapped: Vec<[u32; 2]> = pairs.iter().map(|&[a, b]| [b, a]).collect();
        let deepest = |from, into, pairs: &[[u32; 2]]| self.deepest(positions, from, into, pairs);
        (a != b).then(|| deepest(a, b, pairs).max(deepest(b, a, &swapped)))
    }

    /// How far vertices of one bone are inside of another, flooding from where they intersect.
    fn deepest(&self, positions: &[Vec3], from: usize, into: usize, pairs: &[[u32; 2]]) -> f32 {
        let (own, other) = (self.surface(from), self.surface(into));
        let mesh = Mesh::new(self.model().mesh().positions().to_vec(), other.clone()).unwrap();
        let welded = self.model().welded_vertices();
        let corners = |t: u32| self.model().mesh().triangles()[t as usize].map(|v| welded[v as usize]);
        let mut open = BTreeSet::new();
        for &[inner, outer] in pairs {
            let [a, b, c] = corners(outer).map(|v| positions[v as usize]);
            let behind = |v: &u32| (b - a).cross(c - a).dot(positions[*v as usize] - a) < 0.0;
            open.extend(corners(inner).into_iter().filter(behind));
        }
        let (mut seen, mut deepest) = (open.clone(), 0.0f32);
        while let Some(vertex) = open.pop_first() {
            let point = positions[vertex as usize];
            let at = Point::new(point).unwrap();
            let nearest =
                oracle::closest_point(PosedMesh::new(&mesh, positions), at, Distance::UNLIMITED).unwrap();
            let on_rim = is_on_rim(&other, nearest.triangle as usize, nearest.barycentrics);
            if on_rim || winding(&other, positions, point) < 0.25 {
                continue;
            }
            deepest = deepest.max(nearest.distance);
            let around = own.iter().filter(|corners| corners.contains(&vertex)).flatten();
            open.extend(around.filter(|&&next| seen.insert(next)));
        }
        deepest
    }

    /// The triangles of a bone on welded vertices.
    fn surface(&self, node: usize) -> Vec<[u32; 3]> {
        let (welded, mesh) = (self.model().welded_vertices(), self.model().mesh());
        let own = (0u32..).zip(mesh.triangles()).filter(|&(triangle, _)| self.node(triangle) == node);
        let corners = own.map(|(_, corners)| corners.map(|v| welded[v as usize]));
        corners.filter(|[a, b, c]| a != b && b != c && c != a).collect()
    }
}

/// The sum of the solid angles of all triangles seen from behind, as a share of all directions.
fn winding(triangles: &[[u32; 3]], positions: &[Vec3], point: Vec3) -> f64 {
    let solid_angle = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|v| (positions[v as usize] - point).as_dvec3());
        let [x, y, z] = [a, b, c].map(DVec3::length);
        2.0 * a.dot(b.cross(c)).atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
    };
    triangles.iter().map(solid_angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// Whether a point of a triangle lies on an edge that no other triangle has, or on a corner of such an edge.
fn is_on_rim(triangles: &[[u32; 3]], triangle: usize, barycentrics: [f32; 3]) -> bool {
    let rim = |edge: [u32; 2]| {
        triangles.iter().filter(|corners| edge.iter().all(|vertex| corners.contains(vertex))).count() == 1
    };
    let around: BTreeSet<u32> =
        (0..3).filter(|&i| barycentrics[i] != 0.0).map(|i| triangles[triangle][i]).collect();
    let around: Vec<u32> = around.into_iter().collect();
    match around[..] {
        [vertex] => triangles
            .iter()
            .filter(|corners| corners.contains(&vertex))
            .flatten()
            .any(|&other| other != vertex && rim([vertex, other])),
        [a, b] => rim([a, b]),
        _ => false,
    }
}

#[test]
fn a_man_with_every_kind_of_skinning() {
    for skinning in [Skinning::Linear, Skinning::Spherical, Skinning::DualQuaternion] {
        let options = AuditOptions::default().with_fps(1.0).with_skinning(skinning);
        let man = Character::new("man", options);
        let audit = audit(&man.shape, &man.options).unwrap();
        assert_eq!(audit.clips.len(), man.model().clips().len());
        let deep: usize = audit.clips.iter().map(|clip| man.compare(clip)).sum();
        assert!(deep > 0, "{skinning:?}");
        man.compare(&audit.rest);
    }
}

#[test]
fn a_creature_a_hand_and_a_dwarf() {
    let mut deep = 0;
    for animal in ["creature", "hand", "dwarf"] {
        let character = Character::new(animal, AuditOptions::default().with_fps(0.5));
        let audit = audit(&character.shape, &character.options).unwrap();
        deep += audit.clips.iter().map(|clip| character.compare(clip)).sum::<usize>();
        character.compare(&audit.rest);
    }
    assert!(deep > 0);
}

#[test]
fn parents_bones_in_themselves_and_rings() {
    for rings in [0, 2] {
        let options = AuditOptions::default()
            .with_fps(1.0)
            .with_clips(["random"])
            .with_same_bone_skipped(false)
            .with_parent_child_skipped(false)
            .with_rings(rings);
        let man = Character::new("man", options);
        let audit = audit(&man.shape, &man.options).unwrap();
        assert!(man.compare(&audit.clips[0]) > 0);
    }
}
