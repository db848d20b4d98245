//! A picture of the spheres: coloured by region at rest, with a legend, and beside the body in the fullest frame those that overlap.

use supple_chains::{PosedSpheres, RegionKind};
use supple_draw::panels::{ColouredSphere, GAP as PANEL_GAP, Panel, View, side_by_side};
use supple_draw::{Colour, FRONT};

use super::play::{PlayedClips, Player};
use crate::failure::{Blame, Failure, OrBlame};
use crate::short_names::ShortNames;
use crate::table::{printable, shortened};

/// Limbs are told apart; more than ten of them begin again. The trunk is as the body is.
const COLOURS: [Colour; 10] = [
    Colour::BLUE,
    Colour::ORANGE,
    Colour::GREEN,
    Colour::VIOLET,
    Colour::hex(0x2aa5b8),
    Colour::hex(0xb5478f),
    Colour::hex(0x8a6d1f),
    Colour::hex(0x9bbf30),
    Colour::hex(0x1d3f7a),
    Colour::hex(0xf2a7a0),
];

/// Pixels of the legend: its margin, a square, and a line; and characters of a name.
const MARGIN: i32 = 10;
const SQUARE: u32 = 14;
const LINE: i32 = 20;
const NAME: usize = 32;

/// Pixels of one panel.
const SIZE: [u32; 2] = [560, 640];

/// The bytes of a PNG file.
pub fn png(player: &Player, played: &PlayedClips) -> Result<Vec<u8>, Failure> {
    let model = player.model();
    let posed =
        |pose| Ok::<_, Failure>(model.posed(&pose, player.skinning).or_blame(Blame::Input)?.positions());
    let (rest, triangles) = (posed(model.rest_pose())?, model.mesh().triangles());
    let by_region = |sphere: usize| colour_of(player, player.chains.spheres()[sphere].region as usize);
    let (at_rest, alone) = (coloured(&played.rest, &by_region), &[][..]);
    let Some((played_clip, number)) = played.fullest().filter(|(played_clip, _)| played_clip.clip.is_some())
    else {
        let body = Panel { label: "at rest", positions: &rest, triangles, spheres: &[] };
        let spheres = Panel { label: "spheres", positions: &rest, triangles: alone, spheres: &at_rest };
        return drawn(player, &View::around(&rest, FRONT, SIZE), &[body, spheres], 1);
    };
    let frame = &played_clip.frames[number];
    let overlapping = |sphere: usize| {
        let is_in = frame.all.found.iter().flatten().any(|&other| other as usize == sphere);
        if is_in { Colour::RED } else { Colour::GREY }
    };
    let name = played_clip.clip.map_or(String::new(), |(_, clip)| printable(clip.name(), 24));
    let label = format!("{name}, frame {number}");
    let positions = posed(player.pose(played_clip.clip, played_clip.times[number])?)?;
    let in_frame = coloured(&frame.spheres, &overlapping);
    let panels = [
        Panel { label: "at rest", positions: &rest, triangles: alone, spheres: &at_rest },
        Panel { label: &label, positions: &positions, triangles, spheres: &[] },
        Panel { label: "red: overlapping", positions: &positions, triangles: alone, spheres: &in_frame },
    ];
    drawn(player, &View::around(&[rest.clone(), positions.clone()].concat(), FRONT, SIZE), &panels, 0)
}

/// `legend`: the panel whose spheres have the colours of their regions.
fn drawn(player: &Player, view: &View, panels: &[Panel], legend: i32) -> Result<Vec<u8>, Failure> {
    let mut canvas = side_by_side(view, panels).or_blame(Blame::Output)?;
    let left = legend * (SIZE[0] + PANEL_GAP) as i32 + MARGIN;
    let names = ShortNames::of(player.model());
    for (number, region) in player.chains.regions().iter().enumerate() {
        let top = MARGIN + number as i32 * LINE;
        canvas.draw_square(left, top, SQUARE, colour_of(player, number));
        let name = shortened(names.cut(&region.name), NAME);
        canvas.draw_text(left + SQUARE as i32 + 6, top, 2, &name, Colour::INK);
    }
    canvas.to_png_bytes().or_blame(Blame::Output)
}

fn colour_of(player: &Player, region: usize) -> Colour {
    match player.chains.regions()[region].kind {
        RegionKind::Limb => COLOURS[region % COLOURS.len()],
        RegionKind::Trunk => Colour::CLAY,
    }
}

fn coloured(spheres: &PosedSpheres, colour: &dyn Fn(usize) -> Colour) -> Vec<ColouredSphere> {
    let sphere = |(number, sphere): (usize, supple::Sphere)| ColouredSphere {
        center: sphere.center,
        radius: sphere.radius,
        colour: colour(number),
    };
    spheres.iter().enumerate().map(sphere).collect()
}
