//! How tight refitted bounds are in the poses of clips: mean ratios to the optimum, level by level.

use std::sync::Arc;

use supple::{Body, Shape, Skinning, VolumeKind};
use supple_papers::library_tightness;

use crate::subjects::characters::shape_of;
use crate::subjects::zoo::zoo;

/// Mean ratio per level over poses of all clips.
fn mean_ratios(shape: &Arc<Shape>, skinning: Skinning, volume: VolumeKind) -> Vec<f64> {
    let mut body = Body::new(shape, skinning).unwrap();
    let (model, mut sums) = (shape.model(), Vec::<(f64, f64)>::new());
    for clip in model.clips() {
        for i in 0..4 {
            body.set_pose(&model.sample(clip, clip.duration() * f64::from(i) / 4.0).unwrap()).unwrap();
            for (level, found) in library_tightness(&mut body, volume).iter().enumerate() {
                sums.resize(sums.len().max(level + 1), (0.0, 0.0));
                sums[level].0 += found.mean * found.nodes as f64;
                sums[level].1 += found.nodes as f64;
            }
        }
    }
    sums.iter().map(|(sum, nodes)| sum / nodes).collect()
}

fn assert_tight(name: &str, shape: &Arc<Shape>) {
    for skinning in Skinning::ALL {
        let linear = skinning == Skinning::Linear;
        for (volume, root, any) in [
            (VolumeKind::Box, 1.2, if linear { 1.2 } else { 1.3 }),
            (VolumeKind::Sphere, 1.15, if linear { 1.25 } else { 1.35 }),
        ] {
            let ratios = mean_ratios(shape, skinning, volume);
            let shown: Vec<String> = ratios.iter().map(|r| format!("{r:.3}")).collect();
            println!("{name} {skinning:?} {volume:?}: {}", shown.join(" "));
            assert!(ratios[0] <= root, "{name} {skinning:?} {volume:?}: root {}", ratios[0]);
            assert!(
                ratios.iter().all(|&r| (1.0..=any).contains(&r)),
                "{name} {skinning:?} {volume:?}: {ratios:?}"
            );
        }
    }
}

#[test]
fn the_creature() {
    assert_tight("creature", &zoo("creature"));
}

#[test]
fn cesium_man() {
    let Some(folder) = crate::assets::assets() else { return };
    assert_tight("CesiumMan", &shape_of(supple_io::load(folder.join("khronos/CesiumMan.glb")).unwrap()));
}
