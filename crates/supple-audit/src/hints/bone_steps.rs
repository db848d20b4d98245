//! How many bones are between two: the steps from one up to where the chains meet, and down to the other.

use crate::bones::Bones;

/// How far bones are apart in the skeleton.
pub struct BoneSteps<'a> {
    bones: &'a Bones,
    /// How many bones are above each.
    depths: Vec<usize>,
}

impl<'a> BoneSteps<'a> {
    /// Of all bones of a model.
    pub fn new(bones: &'a Bones) -> Self {
        let mut depths = vec![usize::MAX; bones.count()];
        for bone in 0..bones.count() as u32 {
            let mut chain = vec![bone];
            while let Some(parent) = chain.last().and_then(|&top| bones.parent(top)) {
                if depths[parent as usize] != usize::MAX {
                    break;
                }
                chain.push(parent);
            }
            let top = chain.last().and_then(|&top| bones.parent(top));
            let first = top.map_or(0, |parent| depths[parent as usize] + 1);
            for (depth, &bone) in (first..).zip(chain.iter().rev()) {
                depths[bone as usize] = depth;
            }
        }
        Self { bones, depths }
    }

    /// Whether one bone is above the other, or both are the same.
    pub fn are_in_line(&self, a: u32, b: u32) -> bool {
        self.between(a, b) == self.depths[a as usize].abs_diff(self.depths[b as usize])
    }

    /// Steps from one bone to the other; roots are joined above them.
    pub fn between(&self, mut a: u32, mut b: u32) -> usize {
        let mut steps = 0;
        while a != b {
            steps += 1;
            let deeper = if self.depths[a as usize] >= self.depths[b as usize] { &mut a } else { &mut b };
            match self.bones.parent(*deeper) {
                Some(parent) => *deeper = parent,
                // Both are roots, as this is the deeper one.
                None => return steps + 1,
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_up_and_down_again() {
        let bones = Bones::new(&supple_zoo::make("man", 0).unwrap());
        let steps = BoneSteps::new(&bones);
        let between = |names: [&str; 2]| {
            let [a, b] = names.map(|name| bones.named(name).unwrap().pop_first().unwrap());
            assert_eq!(steps.between(a, b), steps.between(b, a));
            (steps.between(a, b), steps.are_in_line(a, b))
        };
        assert_eq!(between(["hand_l", "hand_l"]), (0, true));
        assert_eq!(between(["fingers_2_l", "forearm_l"]), (3, true));
        assert_eq!(between(["thigh_l", "thigh_r"]), (2, false));
        assert_eq!(between(["shin_l", "foot_r"]), (5, false));
    }
}
