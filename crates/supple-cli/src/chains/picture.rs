//! A picture of the spheres: a legend, the spheres at rest coloured by region, and the body in the fullest frame beside those that
//! overlap then.

use supple_chains::{PosedSpheres, RegionKind};
use supple_draw::panels::{ColouredSphere, Panel, View, side_by_side};
use supple_draw::{Canvas, Colour, FRONT, text_size};

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

/// Pixels of the legend: its margin, a square, from that to the name, and a line; how many times the font is enlarged; and
/// characters of a name.
const MARGIN: u32 = 10;
const SQUARE: u32 = 14;
const SPACE: u32 = 6;
const LINE: u32 = 20;
const SCALE: u32 = 2;
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
        return drawn(player, &View::around(&rest, FRONT, SIZE), &[spheres, body]);
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
    drawn(player, &View::around(&[rest.clone(), positions.clone()].concat(), FRONT, SIZE), &panels)
}

/// Panels, and left of them the legend.
fn drawn(player: &Player, view: &View, panels: &[Panel]) -> Result<Vec<u8>, Failure> {
    let bodies = side_by_side(view, panels).or_blame(Blame::Output)?;
    let lines = legend(player);
    let longest = lines.iter().map(|(_, name)| text_size(name, SCALE).0).max().unwrap_or(0);
    let margin = MARGIN + SQUARE + SPACE + longest + MARGIN;
    let size = [margin + bodies.width(), bodies.height()];
    let mut canvas =
        Canvas::with_background(size[0], size[1], Colour::WHITE, Colour::WHITE).or_blame(Blame::Output)?;
    canvas.paste(&bodies, margin as i32, 0);
    for (number, (colour, name)) in lines.iter().enumerate() {
        let top = (MARGIN + number as u32 * LINE) as i32;
        if let Some(colour) = colour {
            canvas.draw_square(MARGIN as i32, top, SQUARE, *colour);
        }
        canvas.draw_text((MARGIN + SQUARE + SPACE) as i32, top, SCALE, name, Colour::INK);
    }
    canvas.to_png_bytes().or_blame(Blame::Output)
}

/// Colours and names of regions, and how many more there are than fit.
fn legend(player: &Player) -> Vec<(Option<Colour>, String)> {
    let (names, regions) = (ShortNames::of(player.model()), player.chains.regions());
    let room = ((SIZE[1] - 2 * MARGIN) / LINE) as usize;
    let shown = if regions.len() > room { room - 1 } else { regions.len() };
    let line =
        |number: usize| (Some(colour_of(player, number)), shortened(names.cut(&regions[number].name), NAME));
    let more = (shown < regions.len()).then(|| (None, format!("and {} more", regions.len() - shown)));
    (0..shown).map(line).chain(more).collect()
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
