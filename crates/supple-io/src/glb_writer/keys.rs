//! Keyframes as glTF wants them: times that strictly ascend, rotations of unit length.

use glam::Quat;
use supple::pose::{Channel, Interpolation, Target};

use super::nodes::unit_rotation;

/// Times and values to write for a channel.
///
/// A model's clip may have several keys at one time: the value jumps there from the first to the last. In the file
/// the first comes one unit in the last place earlier; keys between the two, and all but the last at time 0, are
/// never seen and go.
pub(super) fn ascending_keys(channel: &Channel, width: usize) -> (Vec<f32>, Vec<f32>) {
    let tuple = channel.interpolation.tuples_per_key() * width;
    let (mut times, mut values) = (Vec::new(), Vec::new());
    let mut key = 0;
    while key < channel.times.len() {
        let time = channel.times[key];
        let end = key + channel.times[key..].partition_point(|&t| t <= time);
        let earlier = time.next_down();
        if end - key > 1 && earlier > times.last().copied().unwrap_or(0.0) {
            times.push(earlier);
            values.extend(&channel.values[key * tuple..][..tuple]);
        }
        times.push(time);
        values.extend(&channel.values[(end - 1) * tuple..][..tuple]);
        key = end;
    }
    if matches!(channel.target, Target::Rotation(_)) && channel.interpolation != Interpolation::CubicSpline {
        for value in values.chunks_exact_mut(4) {
            let rotation = unit_rotation(Quat::from_slice(value));
            rotation.write_to_slice(value);
        }
    }
    (times, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_stay_jumps() {
        let channel = Channel {
            target: Target::Coefficients(0..1),
            interpolation: Interpolation::Linear,
            times: vec![0.0, 0.0, 1.0, 1.0, 1.0, 2.0],
            values: vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
        };
        let (times, values) = ascending_keys(&channel, 1);
        assert_eq!(times, [0.0, 1.0f32.next_down(), 1.0, 2.0]);
        assert_eq!(values, [1.0, 2.0, 4.0, 5.0]);
    }
}
