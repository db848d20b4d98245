//! The stiffened deck: two trusses, floor beams, stringers, planks, bracing and railings, panel by panel.

use glam::{Vec2, Vec3};

use super::members::Members;
use super::plan::{BOTTOM, CHORD, GAP, HALF_WIDTH, PANEL, PANELS, TOP, node};

/// Half the thickness of verticals and floor beams.
const POST: f32 = 0.05;

/// Middle and half height of the stringers, which lie on the floor beams.
const STRINGER: f32 = TOP + CHORD + GAP + HALF_STRINGER;
const HALF_STRINGER: f32 = 0.05;

/// The railing stands on the outermost stringers.
const RAILING: f32 = 2.8;

pub(super) fn add_to(members: &mut Members) {
    for panel in 0..PANELS {
        let ends = [node(panel), node(panel + 1)];
        for side in [-HALF_WIDTH, HALF_WIDTH] {
            truss(members, side, ends, panel < PANELS / 2);
        }
        for side in [-RAILING, RAILING] {
            railing(members, side, ends);
        }
        floor(members, ends);
        bracing(members, ends, panel % 2 == 0);
    }
    frame(members, node(PANELS));
}

/// Chords, a vertical at the first node, a diagonal that falls towards the middle of the bridge.
fn truss(members: &mut Members, x: f32, [z0, z1]: [f32; 2], falls: bool) {
    let chord = Vec2::splat(CHORD);
    for y in [BOTTOM, TOP] {
        along(members, [x, y], [z0, z1], chord, 3);
    }
    vertical(members, x, z0);
    let (low, high) = if falls { (z1, z0) } else { (z0, z1) };
    // Far enough from the nodes to clear chords and verticals.
    let diagonal = shortened([Vec3::new(x, BOTTOM, low), Vec3::new(x, TOP, high)], 0.17);
    members.bar(diagonal, Vec3::X, Vec2::new(0.05, 0.04), 3);
}

fn vertical(members: &mut Members, x: f32, z: f32) {
    let ends = [BOTTOM + CHORD + GAP, TOP - CHORD - GAP].map(|y| Vec3::new(x, y, z));
    members.bar(ends, Vec3::X, Vec2::splat(POST), 3);
}

/// Floor beam and bottom strut at a node.
fn frame(members: &mut Members, z: f32) {
    let reach = HALF_WIDTH - CHORD - GAP;
    across(members, [TOP, z], reach, Vec2::new(CHORD, POST), 6);
    across(members, [BOTTOM, z], reach, Vec2::splat(POST), 5);
}

/// Stringers from node to node, and planks across them.
fn floor(members: &mut Members, [z0, z1]: [f32; 2]) {
    const PLANKS: usize = 5;
    const HALF_PLANK: f32 = 0.02;
    frame(members, z0);
    for x in [-RAILING, -0.5 * RAILING, 0.0, 0.5 * RAILING, RAILING] {
        along(members, [x, STRINGER], [z0, z1], Vec2::new(0.04, HALF_STRINGER), 2);
    }
    let pitch = PANEL / PLANKS as f32;
    let y = STRINGER + HALF_STRINGER + GAP + HALF_PLANK;
    for plank in 0..PLANKS {
        let z = z0 + pitch * (plank as f32 + 0.5);
        across(members, [y, z], RAILING - 0.15, Vec2::new(HALF_PLANK, 0.5 * pitch - GAP), 4);
    }
}

/// A cross below the deck; at every second node another one, upright. The two bars of a cross pass each other.
fn bracing(members: &mut Members, [z0, z1]: [f32; 2], is_upright_too: bool) {
    const HALF: f32 = 0.02;
    for side in [-1.0, 1.0] {
        let aside = side * (HALF + 0.5 * GAP);
        let level = [Vec3::new(-side * HALF_WIDTH, BOTTOM, z0), Vec3::new(side * HALF_WIDTH, BOTTOM, z1)];
        let level = shortened(level.map(|end| end + Vec3::Y * aside), 0.5);
        members.bar(level, Vec3::Y, Vec2::new(HALF, 0.03), 4);
        if is_upright_too {
            let upright = [Vec3::new(-side * HALF_WIDTH, BOTTOM, z0), Vec3::new(side * HALF_WIDTH, TOP, z0)];
            let upright = shortened(upright.map(|end| end + Vec3::Z * aside), 0.5);
            members.bar(upright, Vec3::Z, Vec2::new(HALF, 0.03), 4);
        }
    }
}

/// Three posts, a handrail, and two thin rails inside of the posts.
fn railing(members: &mut Members, x: f32, [z0, z1]: [f32; 2]) {
    const POSTS: usize = 3;
    const HALF_POST: f32 = 0.02;
    const HALF_RAIL: f32 = 0.015;
    let (foot, head) = (STRINGER + HALF_STRINGER + GAP, STRINGER + 1.05);
    for post in 0..POSTS {
        let z = z0 + PANEL * (post as f32 + 0.5) / POSTS as f32;
        let ends = [foot, head].map(|y| Vec3::new(x, y, z));
        members.bar(ends, Vec3::X, Vec2::splat(HALF_POST), 2);
    }
    along(members, [x, head + GAP + 0.03], [z0, z1], Vec2::new(0.05, 0.03), 3);
    let inside = x - x.signum() * (HALF_POST + GAP + HALF_RAIL);
    for height in [0.4, 0.7] {
        along(members, [inside, STRINGER + height], [z0, z1], Vec2::splat(HALF_RAIL), 2);
    }
}

/// A bar along the bridge that ends just before both nodes.
fn along(members: &mut Members, [x, y]: [f32; 2], [z0, z1]: [f32; 2], half: Vec2, cuts: usize) {
    let ends = [z0 + 0.5 * GAP, z1 - 0.5 * GAP].map(|z| Vec3::new(x, y, z));
    members.bar(ends, Vec3::X, half, cuts);
}

/// A bar across the bridge; `half` is half its height and half its length along the bridge.
fn across(members: &mut Members, [y, z]: [f32; 2], reach: f32, half: Vec2, cuts: usize) {
    members.bar([Vec3::new(-reach, y, z), Vec3::new(reach, y, z)], Vec3::Y, half, cuts);
}

/// Both ends moved towards each other.
fn shortened([from, to]: [Vec3; 2], by: f32) -> [Vec3; 2] {
    let step = (to - from).normalize() * by;
    [from + step, to - step]
}
