//! Turns of characters of the zoo hold before brute force: all pairs of triangles tested, in the pose that the hint makes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use supple::{BuildOptions, Model, Pose, SelfFilter, Shape, Skinning, oracle};
use supple_audit::{Bones, MAX_TURN, MAX_TURN_QUERIES, NoTurn, TurnFinder, TurnHint};

/// A character, and everything that brute force finds in a pose of it.
struct Character {
    shape: Arc<Shape>,
    skinning: Skinning,
    bones: Bones,
    at_rest: BTreeSet<[u32; 2]>,
}

/// Pairs by the parts that their bones belong to.
type Groups = BTreeMap<[u32; 2], usize>;

impl Character {
    fn new(animal: &str, skinning: Skinning) -> Self {
        let model = supple_zoo::make(animal, 0).unwrap();
        let shape = Arc::new(Shape::build(model, &BuildOptions::default()).unwrap());
        let bones = Bones::new(shape.model());
        let mut character = Self { shape, skinning, bones, at_rest: BTreeSet::new() };
        character.at_rest = character.pairs(&character.model().rest_pose()).into_iter().collect();
        character
    }

    fn model(&self) -> &Model {
        self.shape.model()
    }

    /// Pairs of bones that do not intersect at rest.
    fn pairs(&self, pose: &Pose) -> Vec<[u32; 2]> {
        let positions = self.model().posed(pose, self.skinning).unwrap().positions();
        let mut pairs = oracle::self_collide_with(self.model(), &positions, &SelfFilter::default());
        pairs.retain(|pair| !self.at_rest.contains(pair));
        pairs.iter().map(|pair| pair.map(|triangle| self.bones.of_triangles()[triangle as usize])).collect()
    }

    /// A hand and its fingers are one part.
    fn part(&self, bone: u32) -> u32 {
        let is_hand = |bone: u32| self.bones.label(bone).starts_with("hand");
        let mut above = std::iter::successors(Some(bone), |&bone| self.bones.parent(bone));
        above.find(|&bone| is_hand(bone)).unwrap_or(bone)
    }

    fn members(&self, part: u32) -> Vec<u32> {
        (0..self.bones.count() as u32).filter(|&bone| self.part(bone) == part).collect()
    }

    fn are_kin(&self, a: u32, b: u32) -> bool {
        a == b || self.bones.parent(a) == Some(b) || self.bones.parent(b) == Some(a)
    }

    /// Parts that intersect in a pose, and are neither one nor next to each other.
    fn contacts(&self, pose: &Pose) -> Groups {
        let mut groups = Groups::new();
        for [a, b] in self.pairs(pose) {
            let [part_a, part_b] = [a, b].map(|bone| self.part(bone));
            if !self.are_kin(a, b) && part_a != part_b {
                *groups.entry([part_a.min(part_b), part_a.max(part_b)]).or_default() += 1;
            }
        }
        groups
    }

    /// How many pairs are between two sides, and by bones how many are not.
    fn split(&self, pose: &Pose, sides: &[Vec<u32>; 2]) -> (usize, Groups) {
        let (mut between, mut others) = (0, Groups::new());
        for [a, b] in self.pairs(pose) {
            let is = |one: usize, other: usize| sides[one].contains(&a) && sides[other].contains(&b);
            if is(0, 1) || is(1, 0) {
                between += 1;
            } else {
                *others.entry([a.min(b), a.max(b)]).or_default() += 1;
            }
        }
        (between, others)
    }

    /// What brute force says of a turn: pairs left, more pairs elsewhere, more pairs in creases.
    fn after(&self, pose: &Pose, sides: &[Vec<u32>; 2], hint: &TurnHint) -> [usize; 3] {
        let (_, before) = self.split(pose, sides);
        let mut turned = pose.clone();
        hint.apply(&mut turned);
        let (left, after) = self.split(&turned, sides);
        let mut more = [0; 2];
        for ([a, b], pairs) in after {
            let own = before.get(&[a, b]).copied().unwrap_or(0);
            more[usize::from(self.are_kin(a, b))] += pairs.saturating_sub(own);
        }
        [left, more[0], more[1]]
    }
}

/// Asks for a hint for every contact of some frames of a clip; returns how many there were, and how many had one.
fn check(animal: &str, skinning: Skinning, clip: &str, times: &[f64]) -> [usize; 2] {
    let character = Character::new(animal, skinning);
    let model = character.model();
    let finder = TurnFinder::new(&character.shape, skinning).unwrap();
    let mut counts = [0; 2];
    for &time in times {
        let pose = model.sample(model.clip(clip).unwrap(), time).unwrap();
        for parts in character.contacts(&pose).into_keys() {
            let sides = parts.map(|part| character.members(part));
            let answer = finder.least_turn(&pose, [&sides[0], &sides[1]], &[]).unwrap();
            assert!(answer.queries <= MAX_TURN_QUERIES, "{} queries", answer.queries);
            counts[0] += 1;
            let Ok(hint) = answer.found else { continue };
            counts[1] += 1;
            let place = format!("{animal} {clip} {time}: {hint}");
            assert_eq!(hint.pairs_before, character.split(&pose, &sides).0, "{place}");
            let [left, elsewhere, in_creases] = character.after(&pose, &sides, &hint);
            assert_eq!([left, hint.pairs_after], [0, 0], "{place}");
            assert_eq!([elsewhere, in_creases], [hint.new_elsewhere, hint.new_in_creases], "{place}");
            assert!(hint.new_elsewhere < hint.pairs_before, "{place}");
            assert!(hint.degrees.abs() <= MAX_TURN && (2.0 * hint.degrees).fract() == 0.0, "{place}");
            // Fewer degrees do not clear it, unless they make something else worse.
            for less in [0.5, 1.0, 1.5].into_iter().filter(|less| *less < hint.degrees.abs()) {
                let mut smaller = hint.clone();
                smaller.degrees -= less * hint.degrees.signum();
                let [left, elsewhere, _] = character.after(&pose, &sides, &smaller);
                assert!(left > 0 || elsewhere > hint.new_elsewhere, "{place}, and {less} less");
            }
        }
    }
    counts
}

#[test]
fn a_man_in_all_ways_to_skin() {
    let times: Vec<f64> = (0..12).map(|i| 0.5 * f64::from(i)).collect();
    for skinning in [Skinning::Linear, Skinning::Spherical, Skinning::DualQuaternion] {
        let [asked, found] = check("man", skinning, "random", &times);
        assert!(asked >= 5 && 2 * found >= asked, "{skinning:?}: {found} of {asked}");
    }
}

#[test]
fn a_human_and_a_creature() {
    let [asked, found] = check("human", Skinning::Linear, "random", &[1.5, 3.0, 4.5]);
    assert!(asked >= 3 && 2 * found >= asked, "{found} of {asked}");
    let [asked, found] = check("creature", Skinning::Linear, "random", &[0.5, 1.0, 1.5]);
    assert!(asked >= 2 && found >= 1, "{found} of {asked}");
}

/// What is asked for by triangles is clear for their pairs of bones.
#[test]
fn contacts_of_triangles() {
    let man = Character::new("man", Skinning::Linear);
    let finder = TurnFinder::new(&man.shape, Skinning::Linear).unwrap();
    let clip = man.model().clip("random").unwrap();
    let mut found = 0;
    for time in [0.5, 3.0, 4.5, 5.0] {
        let pose = man.model().sample(clip, time).unwrap();
        let positions = man.model().posed(&pose, Skinning::Linear).unwrap().positions();
        let mut pairs = oracle::self_collide_with(man.model(), &positions, &SelfFilter::default());
        let owners = |pair: &[u32; 2]| pair.map(|triangle| man.bones.of_triangles()[triangle as usize]);
        pairs.retain(|pair| {
            let [a, b] = owners(pair);
            !man.are_kin(a, b)
        });
        let contact: BTreeSet<[u32; 2]> = pairs.iter().map(owners).collect();
        for bones in contact {
            let own: Vec<[u32; 2]> = pairs.iter().copied().filter(|pair| owners(pair) == bones).collect();
            let Ok(hint) = finder.least_turn(&pose, [&[], &[]], &own[..1]).unwrap().found else { continue };
            let sides = bones.map(|bone| vec![bone]);
            assert_eq!(hint.pairs_before, man.split(&pose, &sides).0, "{time}: {hint}");
            assert_eq!(man.after(&pose, &sides, &hint)[0], 0, "{time}: {hint}");
            found += 1;
        }
    }
    assert!(found >= 3, "{found}");
}

/// A face has one bone: nothing to turn where lips go through each other.
#[test]
fn one_bone_cannot_be_turned_out_of_itself() {
    let face =
        Arc::new(Shape::build(supple_zoo::make("face", 0).unwrap(), &BuildOptions::default()).unwrap());
    let finder = TurnFinder::new(&face, Skinning::Linear).unwrap();
    let clip = face.model().clip("random").unwrap();
    let found = |time: f64| {
        let pose = face.model().sample(clip, time).unwrap();
        finder.least_turn(&pose, [&[0], &[0]], &[[0, 1]]).unwrap().found.unwrap_err()
    };
    let reasons: Vec<NoTurn> = (0..10).map(|i| found(0.5 * f64::from(i))).collect();
    assert!(reasons.contains(&NoTurn::NoBoneBetween), "{reasons:?}");
}
