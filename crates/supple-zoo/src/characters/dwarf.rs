//! A dwarf: 45 joints, 1,700 triangles, every vertex moved by one joint only.

use glam::DVec3;
use supple::Model;

use super::body_plan::BodyPlan;
use super::head_shape::HeadFrame;
use super::recipe::Recipe;
use super::rig::Rig;
use crate::sculpt::Primitive;

/// A stocky dwarf of 1.5 m (cap included) in A-pose on y = 0, facing +Z, with beard, pointed cap, belt and boots.
///
/// 45 joints, 852 vertices, 1,700 triangles, rigid weights. Clips: walk, run, wave, twist, fall, random.
pub fn dwarf() -> Model {
    recipe().cook()
}

fn recipe() -> Recipe {
    let mut recipe = Recipe {
        name: "dwarf",
        rig: rig(),
        lumps: Vec::new(),
        focuses: Vec::new(),
        cell: 0.011,
        edge: 0.078,
        vertices: 852,
        softness: None,
    };
    add_torso(&mut recipe);
    add_head(&mut recipe);
    add_beard(&mut recipe);
    add_cap(&mut recipe);
    add_legs(&mut recipe);
    add_arms(&mut recipe);
    recipe.focus(PLAN.hand().at(11.0, 1.0, 0.0), 0.08, 0.42);
    recipe.focus(HEAD.at(0.0, -1.0, 8.0), 0.1, 0.44);
    recipe.focus(HEAD.at(0.0, 4.0, 0.0), 0.16, 0.62);
    recipe.focus(BEARD[3], 0.1, 0.6);
    recipe.focus(CAP[3], 0.04, 0.5);
    recipe.focus(v(0.145, 0.05, 0.06), 0.13, 0.58);
    recipe
}

const HEAD: HeadFrame = HeadFrame { center: v(0.0, 1.12, 0.03), scale: 1.4 };

const PLAN: BodyPlan = BodyPlan {
    hips: v(0.0, 0.5, -0.01),
    spine: v(0.0, 0.62, -0.01),
    chest: v(0.0, 0.76, -0.01),
    neck: v(0.0, 0.95, -0.01),
    head: v(0.0, 1.02, 0.0),
    crown: v(0.0, 1.25, 0.0),
    hip: v(0.12, 0.46, 0.0),
    knee: v(0.135, 0.285, 0.015),
    ankle: v(0.14, 0.1, -0.02),
    ball: v(0.15, 0.045, 0.12),
    toe: v(0.15, 0.045, 0.2),
    collar: v(0.05, 0.91, 0.0),
    shoulder: v(0.225, 0.89, -0.01),
    elbow: v(0.385, 0.75, -0.015),
    wrist: v(0.535, 0.619, 0.0),
    hand_scale: 1.2,
};

const fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// Chin to tip of the beard, moustache from the nose to its tip, cap from the crown to its tip.
const BEARD: [DVec3; 5] =
    [v(0.0, 0.97, 0.14), v(0.0, 0.9, 0.2), v(0.0, 0.81, 0.235), v(0.0, 0.72, 0.245), v(0.0, 0.62, 0.235)];
const MOUSTACHE: [DVec3; 3] = [v(0.022, 1.055, 0.19), v(0.09, 1.03, 0.19), v(0.135, 0.95, 0.2)];
const CAP: [DVec3; 4] = [v(0.0, 1.24, 0.01), v(0.0, 1.4, -0.02), v(0.0, 1.52, -0.08), v(0.0, 1.56, -0.2)];

fn rig() -> Rig {
    let mut rig = Rig::default();
    PLAN.add_bones(&mut rig);
    let mut chain = |name: &str, side: &str, root: &str, points: &[DVec3], bend: DVec3| {
        let mut parent = root.to_owned();
        for (i, ends) in points.windows(2).enumerate() {
            let joint = format!("{name}_{}{side}", i + 1);
            rig.bone(&joint, &parent, ends[0], ends[1], bend);
            parent = joint;
        }
    };
    chain("beard", "", "head", &BEARD, DVec3::NEG_X);
    chain("moustache", "_l", "head", &MOUSTACHE, DVec3::Z);
    chain("cap", "", "head", &CAP, DVec3::NEG_X);
    let hand = PLAN.hand();
    for (name, points) in FINGERS {
        let bend = if name == "thumb" { hand.thumb_fold() } else { hand.fold() };
        chain(name, "_l", "hand_l", &points.map(|p| hand.at_point(p)), bend);
    }
    rig.bone("pouch", "hips", v(-0.2, 0.56, 0.1), v(-0.2, 0.44, 0.1), DVec3::X);
    rig
}

/// Thumb, index finger, and the other three in one; centimetres of the hand.
const FINGERS: [(&str, [DVec3; 3]); 3] = [
    ("thumb", [v(3.5, 4.2, 0.8), v(5.4, 7.6, 1.4), v(8.2, 12.0, 1.8)]),
    ("index", [v(8.6, 3.4, 0.0), v(12.2, 5.2, 0.5), v(17.0, 6.8, 1.4)]),
    ("fingers", [v(8.6, -1.8, 0.0), v(12.0, -2.8, 0.5), v(17.2, -4.0, 1.5)]),
];

fn add_torso(recipe: &mut Recipe) {
    recipe.lump("hips", Primitive::ellipsoid(v(0.0, 0.49, -0.01), v(0.215, 0.13, 0.175)).blend(0.04));
    recipe.lump("spine", Primitive::ellipsoid(v(0.0, 0.665, 0.03), v(0.225, 0.15, 0.2)).blend(0.05));
    recipe.lump("chest", Primitive::ellipsoid(v(0.0, 0.82, 0.0), v(0.225, 0.165, 0.165)).blend(0.06));
    recipe.lump(
        "clavicle_l",
        Primitive::cone(v(0.05, 0.93, -0.02), v(0.18, 0.9, -0.015), 0.075, 0.07).blend(0.05),
    );
    recipe.lump("neck", Primitive::cone(PLAN.neck, HEAD.at(0.0, -6.0, -1.0), 0.095, 0.085).blend(0.03));
    // The belt is a ring of twelve pieces where belly and hips meet; 0.866 is the cosine of 30 degrees.
    let (c, h) = (0.866, 0.5);
    let ring = [
        (1.0, 0.0),
        (c, h),
        (h, c),
        (0.0, 1.0),
        (-h, c),
        (-c, h),
        (-1.0, 0.0),
        (-c, -h),
        (-h, -c),
        (0.0, -1.0),
    ];
    let ring: Vec<DVec3> = ring
        .into_iter()
        .chain([(h, -c), (c, -h), (1.0, 0.0)])
        .map(|(x, z)| v(0.235 * x, 0.555, 0.01 + 0.205 * z))
        .collect();
    for ends in ring.windows(2) {
        recipe.lump("hips", Primitive::cone(ends[0], ends[1], 0.036, 0.036).blend(0.008).group(20));
        recipe.focus_here(ends[0], 0.04, 0.62);
    }
    let buckle = Primitive::ellipsoid(v(0.0, 0.556, 0.24), v(0.06, 0.055, 0.045));
    recipe.lump("hips", buckle.blend(0.01).group(20));
    let pouch = Primitive::ellipsoid(v(-0.24, 0.46, 0.09), v(0.07, 0.085, 0.07));
    recipe.lump("pouch", pouch.blend(0.015).group(21));
}

fn add_head(recipe: &mut Recipe) {
    let middle = [
        Primitive::ellipsoid(v(0.0, 3.0, -1.0), v(8.4, 9.0, 9.4)).blend(3.0),
        Primitive::cone(v(0.0, 1.5, 2.4), v(0.0, -5.0, 3.4), 6.8, 5.2).blend(3.0),
        // A bulbous nose.
        Primitive::cone(v(0.0, 1.6, 8.8), v(0.0, -1.4, 12.4), 1.3, 2.7).blend(0.8),
    ];
    for lump in middle {
        recipe.lump("head", HEAD.put(lump));
    }
    let sides = [
        // Bushy brows, cheeks, sockets, eyes, ears.
        Primitive::cone(v(1.4, 3.6, 9.2), v(5.6, 4.2, 7.4), 1.3, 1.2).blend(1.0),
        Primitive::sphere(v(4.4, -1.6, 6.6), 2.6).blend(1.8),
        Primitive::ellipsoid(v(3.6, 1.0, 10.6), v(2.2, 1.6, 2.4)).blend(1.0).carved(),
        Primitive::ellipsoid(v(8.9, 0.0, -0.6), v(1.6, 3.6, 2.4)).blend(0.9),
    ];
    for lump in sides {
        recipe.pair("head", HEAD.put(lump));
    }
}

fn add_beard(recipe: &mut Recipe) {
    let radii = [0.11, 0.13, 0.11, 0.08, 0.045];
    for i in 0..4 {
        let lock = Primitive::cone(BEARD[i], BEARD[i + 1], radii[i], radii[i + 1]).stretched(DVec3::Z, 0.62);
        recipe.lump(&format!("beard_{}", i + 1), lock.blend(0.012).group(30));
    }
    // Whiskers run from the ears into the beard.
    let whisker = Primitive::cone(v(0.09, 1.09, 0.05), v(0.06, 0.98, 0.13), 0.035, 0.06);
    recipe.pair("beard_1", whisker.blend(0.02).group(30));
    for i in 0..2 {
        let (ra, rb) = [(0.045, 0.042), (0.042, 0.026)][i];
        let lock = Primitive::cone(MOUSTACHE[i], MOUSTACHE[i + 1], ra, rb);
        recipe.thin(&format!("moustache_{}_l", i + 1), lock.blend(0.006).group(40));
    }
}

fn add_cap(recipe: &mut Recipe) {
    let radii = [0.14, 0.095, 0.06, 0.034];
    for i in 0..3 {
        let piece = Primitive::cone(CAP[i], CAP[i + 1], radii[i], radii[i + 1]);
        recipe.lump(&format!("cap_{}", i + 1), piece.blend(0.012).group(50));
    }
    let brim = Primitive::ellipsoid(v(0.0, 1.215, 0.02), v(0.205, 0.06, 0.215));
    recipe.lump("cap_1", brim.blend(0.012).group(50));
}

fn add_legs(recipe: &mut Recipe) {
    let leg = |lump: Primitive, seam: f64| lump.blend(seam).group(10);
    let (knee, ankle) = (PLAN.knee, PLAN.ankle);
    recipe.lump("thigh_l", leg(Primitive::cone(PLAN.hip - DVec3::Y * 0.03, knee, 0.115, 0.088), 0.03));
    recipe.lump("shin_l", leg(Primitive::cone(knee - DVec3::Y * 0.02, ankle, 0.08, 0.07), 0.012));
    // The cuff of the boot.
    recipe.lump("shin_l", leg(Primitive::ellipsoid(v(0.138, 0.235, 0.008), v(0.125, 0.045, 0.125)), 0.012));
    recipe.lump("foot_l", leg(Primitive::sphere(v(0.14, 0.06, -0.035), 0.07), 0.03));
    recipe.lump("foot_l", leg(Primitive::cone(ankle, PLAN.ball, 0.075, 0.06), 0.03));
    recipe.lump("toe_l", leg(Primitive::cone(PLAN.ball, v(0.15, 0.055, 0.165), 0.06, 0.066), 0.02));
    recipe.lump("hips", Primitive::sphere(DVec3::Y * -40.0, 40.0).blend(0.015).carved());
}

fn add_arms(recipe: &mut Recipe) {
    let arm = |lump: Primitive, seam: f64| lump.blend(seam).group(11);
    let hand = PLAN.hand();
    recipe.lump("upper_arm_l", arm(Primitive::cone(PLAN.shoulder, PLAN.elbow, 0.095, 0.068), 0.05));
    recipe.lump("forearm_l", arm(Primitive::cone(PLAN.elbow, PLAN.wrist, 0.068, 0.056), 0.01));
    // The cuff of the sleeve.
    let cuff = Primitive::cone(PLAN.wrist - PLAN.arm() * 0.05, PLAN.wrist - PLAN.arm() * 0.03, 0.07, 0.072);
    recipe.lump("forearm_l", arm(cuff, 0.012));
    let palm = Primitive::cone(hand.at(2.5, 0.3, 0.0), hand.at(7.0, 0.3, 0.0), 0.05, 0.055);
    recipe.lump("hand_l", arm(palm.stretched(hand.palm, 0.75), 0.02));
    for ((name, points), radius) in FINGERS.into_iter().zip([0.028, 0.026, 0.036]) {
        for i in 0..2 {
            let [a, b] = [points[i], points[i + 1]].map(|p| hand.at_point(p));
            let lump = Primitive::cone(a, b, radius, radius * 0.92).stretched(hand.palm, 0.85);
            let group = 60 + u32::from(name == "thumb") + 2 * u32::from(name == "index");
            recipe.thin(&format!("{name}_{}_l", i + 1), lump.blend(0.01).group(group));
        }
    }
}
