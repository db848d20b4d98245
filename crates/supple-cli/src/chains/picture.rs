//! A picture of the spheres: coloured by region at rest, and beside the body in the fullest frame those that overlap.

use supple_chains::{PosedSpheres, RegionKind};
use supple_draw::panels::{ColouredSphere, Panel, View, side_by_side};
use supple_draw::{Colour, FRONT};

use super::play::{PlayedClips, Player};
use crate::failure::{Blame, Failure, OrBlame};
use crate::table::printable;

/// Neighbouring limbs are told apart; more of them begin again. The trunk is as the body is.
const COLOURS: [Colour; 5] =
    [Colour::BLUE, Colour::ORANGE, Colour::GREEN, Colour::VIOLET, Colour::hex(0x2aa5b8)];

/// Pixels of one panel.
const SIZE: [u32; 2] = [560, 640];

/// The bytes of a PNG file.
pub fn png(player: &Player, played: &PlayedClips) -> Result<Vec<u8>, Failure> {
    let model = player.model();
    let posed =
        |pose| Ok::<_, Failure>(model.posed(&pose, player.skinning).or_blame(Blame::Input)?.positions());
    let (rest, triangles) = (posed(model.rest_pose())?, model.mesh().triangles());
    let by_region = |sphere: usize| {
        let region = player.chains.spheres()[sphere].region as usize;
        match player.chains.regions()[region].kind {
            RegionKind::Limb => COLOURS[region % COLOURS.len()],
            RegionKind::Trunk => Colour::CLAY,
        }
    };
    let (at_rest, alone) = (coloured(&played.rest, &by_region), &[][..]);
    let Some((played_clip, number)) = played.fullest().filter(|(played_clip, _)| played_clip.clip.is_some())
    else {
        let body = Panel { label: "at rest", positions: &rest, triangles, spheres: &[] };
        let spheres = Panel { label: "spheres", positions: &rest, triangles: alone, spheres: &at_rest };
        return drawn(&View::around(&rest, FRONT, SIZE), &[body, spheres]);
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
    drawn(&View::around(&[rest.clone(), positions.clone()].concat(), FRONT, SIZE), &panels)
}

fn drawn(view: &View, panels: &[Panel]) -> Result<Vec<u8>, Failure> {
    side_by_side(view, panels).and_then(|canvas| canvas.to_png_bytes()).or_blame(Blame::Output)
}

fn coloured(spheres: &PosedSpheres, colour: &dyn Fn(usize) -> Colour) -> Vec<ColouredSphere> {
    let sphere = |(number, sphere): (usize, supple::Sphere)| ColouredSphere {
        center: sphere.center,
        radius: sphere.radius,
        colour: colour(number),
    };
    spheres.iter().enumerate().map(sphere).collect()
}
