//! Which bone to turn: the least change of a pose that clears a contact, found by trying, with the exact query as judge.
//!
//! In: a pose, and a contact as the bones of its two sides. Out: one bone, one axis, the fewest degrees; or
//! why there are none. Must hold: the turn that is returned was itself asked about, in the digits in which it is returned.
//!
//! Ways to turn ([`Way`]) are tried in multiples of half a degree. For each the angle is doubled until the contact is clear,
//! then halved down to half a degree, and never beyond the price of the best so far. The price is the effort of a turn
//! (`ways.rs`), more where something else gets worse; a turn after which as much intersects elsewhere is none, nor is one
//! that sinks a side into the other (`sinking.rs`). A contact may be clear, touch again, and be clear again farther on: at the
//! end all smaller angles of the winner are asked, so it has the fewest degrees about its axis.

use std::collections::BTreeSet;
use std::sync::Arc;

use supple::{Body, Pair, Pose, Shape, Skinning, TriangleClasses, self_collide};

use super::judge::{BonePairs, Judge, Known, NewPairs};
use super::sinking::Sinking;
use super::turn_hint::{HintError, MAX_TURN, MAX_TURN_QUERIES, NoTurn, TurnAnswer, TurnHint, turn};
use super::ways::{Way, ways};
use crate::bones::Bones;

/// Steps of an angle per degree.
const STEPS_PER_DEGREE: u32 = 2;

const MAX_STEPS: u32 = MAX_TURN as u32 * STEPS_PER_DEGREE;

/// What the search leaves for the smaller angles of the winner: each is asked about twice at most.
const SEARCH_QUERIES: usize = MAX_TURN_QUERIES - 2 * MAX_STEPS as usize;

/// Angles that are tried until one is clear.
const DOUBLED: [u32; 5] = [4, 8, 16, 32, MAX_STEPS];

/// Finds turns for contacts of one model. Made once per shape, for any number of poses and threads.
///
/// ```
/// use std::sync::Arc;
/// use supple::{BuildOptions, Shape, Skinning};
/// use supple_audit::{Bones, TurnFinder};
///
/// let man = Arc::new(supple_zoo::make("man", 0)?);
/// let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// let finder = TurnFinder::new(&shape, Skinning::Linear)?;
/// let bones = finder.bones();
/// let hand: Vec<u32> = bones.named("hand_l+")?.into_iter().collect();
/// let thigh: Vec<u32> = bones.named("thigh_l")?.into_iter().collect();
///
/// let pose = man.sample(man.clip("random")?, 5.0)?;
/// let answer = finder.least_turn(&pose, [&hand, &thigh], &[])?;
/// let hint = answer.found?;
/// assert!(hint.pairs_before > 0 && hint.pairs_after == 0);
/// assert_eq!((hint.bone.as_str(), hint.degrees), ("upper_arm_l", 3.5));
/// println!("{hint}"); // turn upper_arm_l by 3.5 degrees about its own axis (-0.35, -0.38, 0.85)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TurnFinder {
    known: Known,
    body: Body,
}

impl TurnFinder {
    /// Divides triangles by bone, and asks what intersects at rest.
    ///
    /// # Errors
    /// The model cannot take its own rest pose.
    pub fn new(shape: &Arc<Shape>, skinning: Skinning) -> Result<Self, HintError> {
        let bones = Bones::new(shape.model());
        let mut class_of_bone = vec![None; bones.count()];
        let mut classes = 0;
        let class = |&bone: &u32| {
            *class_of_bone[bone as usize].get_or_insert_with(|| {
                classes += 1;
                classes - 1
            })
        };
        let of_triangle = bones.of_triangles().iter().map(class).collect();
        let mut body = Body::new(shape, skinning)?;
        body.set_pose(&shape.model().rest_pose())?;
        let at_rest = self_collide(&mut body).found;
        let classes = TriangleClasses::new(shape, of_triangle)?;
        Ok(Self { known: Known { shape: Arc::clone(shape), bones, classes, class_of_bone, at_rest }, body })
    }

    /// The bones whose numbers are the sides of a contact.
    pub fn bones(&self) -> &Bones {
        &self.known.bones
    }

    /// The turn of one bone that changes a pose least, after which no two triangles of the two sides intersect; pairs that
    /// intersect at rest do not count. A side is all triangles of its bones (numbers of [`Bones`]; others are ignored). Bones
    /// of both sides, as a shirt and the body below it have them, are left out, except for those of `pairs`: pairs of
    /// triangles that are known to belong to the contact, that of the first side first. They stand for all triangles of
    /// their two bones, and may be none.
    ///
    /// Least is `degrees * sqrt(share of the body that moves)`. It counts at least twice where more intersects elsewhere after
    /// the turn, and a turn after which as many pairs do is none. It is the least of what is tried: up to eight bones near the
    /// contact, their own axes and two that follow from the contact, multiples of half a degree up to [`MAX_TURN`]. No smaller
    /// multiple about the same axis clears the contact, unless more intersects elsewhere then. A side that is inside of the
    /// other as a whole does not intersect it either: turns after which the sides are deeper in each other are left out.
    ///
    /// Costs some dozens of exact queries between the two sides and a few of the whole body, never more than
    /// [`MAX_TURN_QUERIES`] together. To know only whether two sides intersect, ask [`supple::self_collide_between`].
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use supple::{BuildOptions, Shape, Skinning};
    /// use supple_audit::{NoTurn, TurnFinder};
    ///
    /// # let man = Arc::new(supple_zoo::make("man", 0)?);
    /// # let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
    /// let finder = TurnFinder::new(&shape, Skinning::Linear)?;
    /// let [head, foot] = ["head", "foot_l"].map(|name| Vec::from_iter(finder.bones().named(name).unwrap()));
    /// let answer = finder.least_turn(&man.rest_pose(), [&head, &foot], &[])?;
    /// assert_eq!(answer.found, Err(NoTurn::NothingTouches));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The pose does not fit the model or is not finite.
    pub fn least_turn(
        &self,
        pose: &Pose,
        sides: [&[u32]; 2],
        pairs: &[Pair],
    ) -> Result<TurnAnswer, HintError> {
        let [first, second] = sides.map(|side| side.iter().copied().collect::<BTreeSet<u32>>());
        let owner = |triangle: u32| self.known.bones.of_triangles().get(triangle as usize).copied();
        let mut bones: BonePairs = pairs.iter().filter_map(|&[a, b]| Some([owner(a)?, owner(b)?])).collect();
        for &a in first.difference(&second) {
            bones.extend(second.difference(&first).map(|&b| [a, b]));
        }
        let (model, body) = (self.body.shape().model(), self.body.clone());
        let posed = model.posed(pose, body.skinning())?;
        let judge = Judge::new(&self.known, body, pose, bones)?;
        let answer = |found, queries| Ok(TurnAnswer { found, queries });
        if judge.touching.is_empty() {
            return answer(Err(NoTurn::NothingTouches), judge.queries);
        }
        let ways = ways(model, &self.known.bones, &judge, pose, &posed);
        if ways.is_empty() {
            return answer(Err(NoTurn::NoBoneBetween), judge.queries);
        }
        let sinking = judge.sinking(pose)?;
        let mut search = Search { judge, pose, sinking, moves_it: false };
        let Some(best) = search.best(&ways) else {
            let reason = if search.moves_it { NoTurn::MovesItElsewhere } else { NoTurn::NothingSmall };
            return answer(Err(reason), search.judge.queries);
        };
        let best = search.with_fewest_degrees(best);
        let (way, new) = (best.way, best.new);
        let hint = TurnHint {
            bone: self.known.bones.label(way.bone).to_owned(),
            node: way.node,
            axis: way.axis.to_array(),
            axis_name: way.name,
            degrees: degrees(way, best.steps),
            pairs_before: search.judge.touching.len(),
            pairs_after: 0,
            new_elsewhere: new.elsewhere,
            new_in_creases: new.in_creases,
        };
        answer(Ok(hint), search.judge.queries)
    }
}

/// A turn that clears the contact.
#[derive(Clone, Copy)]
struct Turn<'w> {
    way: &'w Way,
    steps: u32,
    new: NewPairs,
}

impl Turn<'_> {
    /// What it costs to turn so, of a contact of so many pairs: the effort, and more where something else gets worse.
    ///
    /// ```text
    /// price = effort                                        if nothing more intersects elsewhere
    /// price = effort * (2 + 2 * elsewhere / pairs)          else
    /// ```
    ///
    /// So a turn without new pairs may take twice the effort. Counting nothing but new pairs would turn a knee by 26 degrees
    /// instead of a hip by 12, to save two pairs of a trouser leg that rubs anyway.
    fn price(&self, pairs: usize) -> f32 {
        let effort = degrees(self.way, self.steps).abs() * self.way.effort;
        match self.new.elsewhere {
            0 => effort,
            elsewhere => effort * (2.0 + 2.0 * elsewhere as f32 / pairs as f32),
        }
    }
}

struct Search<'a> {
    judge: Judge<'a>,
    pose: &'a Pose,
    sinking: Sinking<'a>,
    /// Whether a turn clears the contact, and makes as much intersect elsewhere.
    moves_it: bool,
}

impl Search<'_> {
    /// Tries all ways, as long as queries are left.
    fn best<'w>(&mut self, ways: &'w [Way]) -> Option<Turn<'w>> {
        let mut best: Option<(f32, Turn<'w>)> = None;
        for way in ways {
            // Only what is better is looked for.
            let limit = best.map_or(MAX_STEPS, |(price, _)| steps_below(price / way.effort));
            let Some(steps) = self.first_clear(way, limit) else { continue };
            let Some((price, turn)) = self.priced(way, steps) else { continue };
            if best.is_none_or(|(least, _)| price < least) {
                best = Some((price, turn));
            }
        }
        best.map(|(_, turn)| turn)
    }

    /// A turn that clears the contact, if it neither sinks one side into the other as a whole nor makes as much intersect
    /// elsewhere.
    fn priced<'w>(&mut self, way: &'w Way, steps: u32) -> Option<(f32, Turn<'w>)> {
        let (pairs, pose) = (self.judge.touching.len(), self.turned(way, steps));
        if self.sinking.sinks(&pose) {
            return None;
        }
        let turn = Turn { way, steps, new: self.judge.new_pairs(&pose)? };
        let is_useful = turn.new.elsewhere < pairs;
        self.moves_it |= !is_useful;
        is_useful.then(|| (turn.price(pairs), turn))
    }

    /// The end of a doubling and halving: clear, half a degree less is not.
    fn first_clear(&mut self, way: &Way, limit: u32) -> Option<u32> {
        let mut below = 0;
        for tried in DOUBLED.map(|steps| steps.min(limit)) {
            // Halving takes a few more, and what is found one.
            if tried == below || self.judge.queries + 8 > SEARCH_QUERIES {
                return None;
            }
            if !self.is_clear(way, tried) {
                below = tried;
                continue;
            }
            let mut clear = tried;
            while clear - below > 1 {
                let middle = (clear + below) / 2;
                *if self.is_clear(way, middle) { &mut clear } else { &mut below } = middle;
            }
            return Some(clear);
        }
        None
    }

    /// The same way with the fewest steps that have no higher price.
    fn with_fewest_degrees<'w>(&mut self, best: Turn<'w>) -> Turn<'w> {
        let price = best.price(self.judge.touching.len());
        for steps in 1..best.steps {
            if !self.is_clear(best.way, steps) {
                continue;
            }
            if let Some((_, turn)) = self.priced(best.way, steps).filter(|(less, _)| *less <= price) {
                return turn;
            }
        }
        best
    }

    fn is_clear(&mut self, way: &Way, steps: u32) -> bool {
        let pose = self.turned(way, steps);
        self.judge.is_clear(&pose)
    }

    fn turned(&self, way: &Way, steps: u32) -> Pose {
        let mut pose = self.pose.clone();
        turn(&mut pose, way.node, way.axis, degrees(way, steps));
        pose
    }
}

/// Steps in degrees; right-handed.
fn degrees(way: &Way, steps: u32) -> f32 {
    way.sign * steps as f32 / STEPS_PER_DEGREE as f32
}

/// The most steps that are less than some degrees.
fn steps_below(degrees: f32) -> u32 {
    let steps = (degrees * STEPS_PER_DEGREE as f32).ceil() - 1.0;
    // A bone that moves nothing takes no effort: the quotient may be anything.
    if steps.is_nan() { 0 } else { steps.clamp(0.0, MAX_STEPS as f32) as u32 }
}
