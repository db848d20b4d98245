//! Any bytes as a glTF: they are refused with a text, or make a model that can be posed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use supple::skin::Skinning;

fuzz_target!(|bytes: &[u8]| {
    match supple_io::read_bytes("gltf", bytes, &mut supple_io::no_other_files) {
        Err(problem) => assert!(!problem.to_string().is_empty()),
        Ok(loaded) => pose_everywhere(&loaded.model),
    }
});

/// Poses may overflow, which is an error; they must not panic.
fn pose_everywhere(model: &supple::model::Model) {
    for skinning in Skinning::ALL {
        let _ = model.posed(&model.rest_pose(), skinning).map(|posed| posed.positions());
    }
    for clip in model.clips() {
        let pose = model.sample(clip, clip.duration() * 0.5).expect("clips were checked when they were read");
        let _ = model.posed(&pose, Skinning::Linear).map(|posed| posed.positions());
    }
}
