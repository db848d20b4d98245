//! Where the joints of a two-legged body are, and the bones between them.

use glam::DVec3;

use super::hand_shape::{HandFrame, fingers};
use super::rig::Rig;

/// Joint positions of a body that stands on y = 0 and looks along +Z; limbs are those of the left side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyPlan {
    pub hips: DVec3,
    pub spine: DVec3,
    pub chest: DVec3,
    pub neck: DVec3,
    pub head: DVec3,
    pub crown: DVec3,
    pub hip: DVec3,
    pub knee: DVec3,
    pub ankle: DVec3,
    pub ball: DVec3,
    pub toe: DVec3,
    pub collar: DVec3,
    pub shoulder: DVec3,
    pub elbow: DVec3,
    pub wrist: DVec3,
    /// 1 for an adult's hand.
    pub hand_scale: f64,
}

/// The spine and the legs bend about these.
const FORWARDS: DVec3 = DVec3::X;
const BACKWARDS: DVec3 = DVec3::NEG_X;

impl BodyPlan {
    /// Unit vector from shoulder to wrist.
    pub fn arm(&self) -> DVec3 {
        (self.elbow - self.shoulder).normalize()
    }

    /// The left hand: thumb forwards, palm down.
    pub fn hand(&self) -> HandFrame {
        let along = self.arm();
        // Down, as far as the arm allows.
        let palm = (DVec3::NEG_Y + along * along.y).normalize();
        HandFrame { wrist: self.wrist, along, thumb: DVec3::Z, palm, scale: self.hand_scale }
    }

    /// 21 bones: five from hips to head, four per leg, four per arm.
    pub fn add_bones(&self, rig: &mut Rig) {
        rig.bone("hips", "", self.hips, self.spine, FORWARDS);
        rig.bone("spine", "hips", self.spine, self.chest, FORWARDS);
        rig.bone("chest", "spine", self.chest, self.neck, FORWARDS);
        self.add_head_and_limbs(rig);
    }

    /// The bones above and beside the chest and below the hips.
    pub fn add_head_and_limbs(&self, rig: &mut Rig) {
        rig.bone("neck", "chest", self.neck, self.head, FORWARDS);
        rig.bone("head", "neck", self.head, self.crown, FORWARDS);
        rig.bone("thigh_l", "hips", self.hip, self.knee, BACKWARDS);
        rig.bone("shin_l", "thigh_l", self.knee, self.ankle, FORWARDS);
        rig.bone("foot_l", "shin_l", self.ankle, self.ball, BACKWARDS);
        rig.bone("toe_l", "foot_l", self.ball, self.toe, BACKWARDS);
        // Arms bend such that the hand comes forwards, hands such that the palm closes.
        let bend = self.arm().cross(DVec3::Z);
        rig.bone("clavicle_l", "chest", self.collar, self.shoulder, DVec3::NEG_Y);
        rig.bone("upper_arm_l", "clavicle_l", self.shoulder, self.elbow, bend);
        rig.bone("forearm_l", "upper_arm_l", self.elbow, self.wrist, bend);
        rig.bone("hand_l", "forearm_l", self.wrist, self.hand().at(9.0, 0.0, 0.0), self.hand().fold());
    }

    /// Three bones for each of the five fingers, `index_1_l` to `index_3_l` and so on.
    pub fn add_fingers(&self, rig: &mut Rig) {
        let hand = self.hand();
        for finger in fingers() {
            let at = |i: usize| hand.at_point(finger.points[i]);
            let mut parent = "hand_l".to_owned();
            for phalanx in 0..3 {
                let name = format!("{}_{}_l", finger.name, phalanx + 1);
                let bend = if finger.name == "thumb" { hand.thumb_fold() } else { hand.fold() };
                rig.bone(&name, &parent, at(phalanx), at(phalanx + 1), bend);
                parent = name;
            }
        }
    }
}
