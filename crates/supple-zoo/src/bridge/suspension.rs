//! What carries the deck: towers, cables over them, hangers, and the blocks at both ends.

use glam::{Vec2, Vec3};

use super::members::Members;
use super::plan::{CHORD, GAP, HALF_LENGTH, HALF_WIDTH, PANELS, SADDLE, TOP, TOWER, node};

/// Where the cable is lowest, and where it ends.
const LOWEST: f32 = 12.0;
const ANCHOR: f32 = 10.9;
const CABLE_RADIUS: f32 = 0.12;

/// Legs of the towers stand outside of the deck.
const LEG: f32 = 3.6;
const HALF_LEG: f32 = 0.35;

pub(super) fn add_to(members: &mut Members) {
    for x in [-HALF_WIDTH, HALF_WIDTH] {
        cable(members, x);
        hangers(members, x);
    }
    for side in [-1.0, 1.0] {
        tower(members, side * TOWER);
        let block = [0.1, 5.0].map(|beyond| Vec3::new(0.0, 5.6, side * (HALF_LENGTH + beyond)));
        members.bar(block, Vec3::X, Vec2::new(4.4, 5.6), 6);
    }
}

/// Height of the cable: a parabola between the towers, a slack line to the ends.
fn cable_height(z: f32) -> f32 {
    let from_middle = z.abs();
    if from_middle <= TOWER {
        return LOWEST + (SADDLE - LOWEST) * (from_middle / TOWER).powi(2);
    }
    let share = (from_middle - TOWER) / (HALF_LENGTH - TOWER);
    SADDLE + (ANCHOR - SADDLE) * share - 6.0 * share * (1.0 - share)
}

fn cable(members: &mut Members, x: f32) {
    const CUTS: usize = 600;
    let reach = HALF_LENGTH - 0.2;
    let axis: Vec<Vec3> = (0..=CUTS)
        .map(|cut| reach * (2.0 * cut as f32 / CUTS as f32 - 1.0))
        .map(|z| Vec3::new(x, cable_height(z), z))
        .collect();
    members.cable(&axis, Vec3::X, CABLE_RADIUS);
}

/// A hanger at every second node, where there is room for one.
fn hangers(members: &mut Members, x: f32) {
    for panel in (2..PANELS).step_by(2) {
        let z = node(panel);
        // The cable slopes: its lower side is farther from its middle than its radius.
        let ends = [TOP + CHORD + GAP, cable_height(z) - 1.3 * CABLE_RADIUS - 0.03];
        let length = ends[1] - ends[0];
        if length < 0.2 || (z.abs() - TOWER).abs() < 1.0 {
            continue;
        }
        let cuts = (length / 0.6).ceil() as usize;
        members.bar(ends.map(|y| Vec3::new(x, y, z)), Vec3::X, Vec2::splat(0.03), cuts);
    }
}

/// Two legs with cross beams, crosses between them, and a beam on top that carries the saddles.
fn tower(members: &mut Members, z: f32) {
    const BEAMS: [f32; 6] = [0.8, 7.4, 13.2, 17.6, 22.0, 26.2];
    const HALF_BEAM: f32 = 0.22;
    const TOP_BEAM: f32 = 0.3;
    // The cable falls away on both sides of the saddle.
    let head = SADDLE - CABLE_RADIUS - 0.4 - 2.0 * TOP_BEAM;
    for x in [-LEG, LEG] {
        let leg = [0.0, head - GAP].map(|y| Vec3::new(x, y, z));
        members.bar(leg, Vec3::X, Vec2::new(HALF_LEG, 1.2 * HALF_LEG), 48);
        let side = x.signum() * HALF_WIDTH;
        let saddle =
            [head + 2.0 * TOP_BEAM + GAP, SADDLE - CABLE_RADIUS - 0.25].map(|y| Vec3::new(side, y, z));
        members.bar(saddle, Vec3::X, Vec2::new(0.2, 0.15), 2);
    }
    let reach = LEG - HALF_LEG - GAP;
    let beam = |y: f32, reach: f32| [Vec3::new(-reach, y, z), Vec3::new(reach, y, z)];
    members.bar(beam(head + TOP_BEAM, LEG + HALF_LEG), Vec3::Y, Vec2::new(TOP_BEAM, 0.45), 16);
    for y in BEAMS {
        members.bar(beam(y, reach), Vec3::Y, Vec2::new(HALF_BEAM, 0.3), 16);
    }
    for ends in BEAMS.windows(2) {
        // Nothing crosses the way.
        if (ends[0]..ends[1]).contains(&TOP) {
            continue;
        }
        for side in [-1.0, 1.0] {
            let aside = Vec3::Z * (side * (0.08 + 0.5 * GAP));
            let low = Vec3::new(-side * (reach - 0.2), ends[0] + HALF_BEAM + 0.2, z) + aside;
            let high = Vec3::new(side * (reach - 0.2), ends[1] - HALF_BEAM - 0.2, z) + aside;
            members.bar([low, high], Vec3::Z, Vec2::new(0.08, 0.1), 12);
        }
    }
}
