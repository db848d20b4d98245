//! Animation stacks of an FBX file, baked to linear keys.
//!
//! FBX animates Euler angles, pivots and layers; the library evaluates all that and gives translations, quaternions
//! and scales. Clips start at 0.

use supple::Clip;
use supple::pose::{Channel, Interpolation, Target};

use super::{invalid, quat, vec3};
use crate::Problem;

/// One clip per animation stack. `channels` are the elements of the blend channels, one per coefficient.
pub(super) fn clips(scene: &ufbx::Scene, channels: &[u32]) -> Result<Vec<Clip>, Problem> {
    let mut clips = Vec::new();
    for (index, stack) in scene.anim_stacks.iter().enumerate() {
        let place = format!("animation stack {index} ({})", stack.element.name);
        let options = ufbx::BakeOpts { trim_start_time: true, ..ufbx::BakeOpts::default() };
        let baked = ufbx::bake_anim(scene, &stack.anim, options).map_err(|error| invalid(&place, &error))?;
        let mut found = Vec::new();
        for node in baked.nodes.iter() {
            let index = node.typed_id as usize;
            found.push(vectors(Target::Translation(index), &node.translation_keys));
            found.push(rotations(index, &node.rotation_keys));
            found.push(vectors(Target::Scale(index), &node.scale_keys));
        }
        for element in baked.elements.iter() {
            let Some(coefficient) = channels.iter().position(|&c| c == element.element_id) else { continue };
            let weights = element.props.iter().filter(|prop| &*prop.name == "DeformPercent");
            found.extend(weights.map(|prop| percents(coefficient, &prop.keys)));
        }
        found.retain(|channel| !channel.times.is_empty());
        let clip = Clip::new(stack.element.name.to_string(), found);
        clips.push(clip.map_err(|error| Problem::invalid(place, error.to_string()))?);
    }
    Ok(clips)
}

fn vectors(target: Target, keys: &[ufbx::BakedVec3]) -> Channel {
    let values = keys.iter().flat_map(|key| vec3(&key.value).as_vec3().to_array()).collect();
    linear(target, keys.iter().map(|key| key.time), values)
}

fn rotations(node: usize, keys: &[ufbx::BakedQuat]) -> Channel {
    let values = keys.iter().flat_map(|key| quat(&key.value).to_array()).collect();
    linear(Target::Rotation(node), keys.iter().map(|key| key.time), values)
}

fn percents(coefficient: usize, keys: &[ufbx::BakedVec3]) -> Channel {
    let values = keys.iter().map(|key| (key.value.x / 100.0) as f32).collect();
    linear(Target::Coefficients(coefficient..coefficient + 1), keys.iter().map(|key| key.time), values)
}

fn linear(target: Target, times: impl Iterator<Item = f64>, values: Vec<f32>) -> Channel {
    let times = times.map(|time| time.max(0.0) as f32).collect();
    Channel { target, interpolation: Interpolation::Linear, times, values }
}
