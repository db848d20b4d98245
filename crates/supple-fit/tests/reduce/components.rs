//! Principal components: nothing is nearer, the mean is the mean, and what is refused.

use glam::Vec3;
use supple::rest::Field;
use supple::{Mesh, Skinning};
use supple_fit::MeshSequence;
use supple_fit::reduce::{Components, ReduceError, components};
use supple_zoo::cloth::{Cloth, sequence};

fn cloth(kind: Cloth) -> MeshSequence {
    let (rest, frames) = sequence(kind, 20, 16, 30).unwrap();
    MeshSequence::evenly(rest, frames, 24.0).unwrap()
}

/// Every frame as the model's clip plays it.
fn played(components: &Components, sequence: &MeshSequence) -> Vec<Vec<Vec3>> {
    let model = components.model("again").unwrap();
    let frame = |&time: &f32| {
        let pose = model.sample(&model.clips()[0], f64::from(time)).unwrap();
        model.posed(&pose, Skinning::Linear).unwrap().positions()
    };
    sequence.times().iter().map(frame).collect()
}

fn squares(a: &[Vec<Vec3>], b: &[Vec<Vec3>]) -> f64 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(a, b)| a.as_dvec3().distance_squared(b.as_dvec3())).sum()
}

#[test]
fn the_clip_plays_the_sequence_and_errors_are_by_their_definition() {
    for kind in Cloth::ALL {
        let sequence = cloth(kind);
        let frames = sequence.frames();
        let mut last = f64::INFINITY;
        for count in [1, 3, 8] {
            let found = components(&sequence, count).unwrap();
            assert_eq!((found.fields.len(), found.coefficients.len()), (count, frames.len()));
            let mean = vec![found.mean.positions().to_vec(); frames.len()];
            for vertex in (0..mean[0].len()).step_by(37) {
                let sum: Vec3 = frames.iter().map(|frame| frame[vertex]).sum();
                assert!((sum / frames.len() as f32).distance(mean[0][vertex]) < 1e-5);
            }
            let (left, motion) = (squares(frames, &played(&found, &sequence)), squares(frames, &mean));
            let percent = 100.0 * (left / motion).sqrt();
            println!("{} {count}: {percent:.3} %", kind.name());
            assert!((percent - found.distortion.percent).abs() < 1e-6 + 1e-4 * percent, "{percent}");
            // Shares tell the same.
            let told = 1.0 - found.shares.iter().sum::<f64>();
            assert!((left / motion - told).abs() < 1e-6, "{told}");
            assert!(percent < last);
            last = percent;
            // A coefficient of 1 is as far as the sequence goes.
            for j in 0..count {
                let largest = found.coefficients.iter().map(|frame| frame[j].abs()).fold(0.0, f32::max);
                assert!((largest - 1.0).abs() < 1e-6, "{largest}");
            }
        }
        // Folds that run along a sheet are no sum of a few fields; a sheet that sways nearly is.
        assert!(last < if kind == Cloth::Drape { 6.0 } else { 3.0 }, "{} {last}", kind.name());
    }
}

#[test]
fn fields_are_orthogonal_and_turn_normals() {
    let found = components(&cloth(Cloth::Skirt), 5).unwrap();
    let dot = |a: &Field, b: &Field| -> f64 {
        let pairs = a.displacements.iter().zip(&b.displacements);
        pairs.map(|((_, a), (_, b))| a.as_dvec3().dot(b.as_dvec3())).sum()
    };
    for (i, a) in found.fields.iter().enumerate() {
        assert!(!a.normal_changes.is_empty() && a.displacements.len() == found.mean.positions().len());
        for b in &found.fields[..i] {
            assert!(dot(a, b).abs() < 1e-4 * (dot(a, a) * dot(b, b)).sqrt());
        }
    }
    assert!(found.shares.is_sorted_by(|a, b| a >= b));
}

#[test]
fn what_has_no_components_is_refused() {
    let moved = |by: f32| [Vec3::ZERO, Vec3::X, Vec3::Y].map(|p| p + Vec3::Z * by).to_vec();
    let mesh = Mesh::new(moved(0.0), vec![[0, 1, 2]]).unwrap();
    let reduced = |frames: &[f32], count: usize| {
        let frames = frames.iter().map(|&by| moved(by)).collect();
        components(&MeshSequence::evenly(mesh.clone(), frames, 10.0).unwrap(), count)
    };
    assert_eq!(reduced(&[0.0], 1), Err(ReduceError::OneFrame));
    assert!(matches!(reduced(&[0.0, 1.0], 0), Err(ReduceError::BadOption { option: "count", .. })));
    let too_many = |wanted, available| Err(ReduceError::TooMany { what: "components", wanted, available });
    assert_eq!(reduced(&[0.0, 1.0, 5.0], 2), too_many(2, 1));
    assert_eq!(reduced(&[2.0, 2.0], 1), too_many(1, 0));
    let found = reduced(&[0.0, 1.0, 5.0], 1).unwrap();
    assert!(found.distortion.percent < 1e-4 && (found.shares[0] - 1.0).abs() < 1e-12, "{found:?}");
    // Numbers as large and as small as sequences may have.
    for size in [1e14, 1e-14] {
        assert!(
            reduced(&[0.0, size, 3.0 * size], 1).is_ok_and(|found| found.distortion.percent.is_finite()),
            "{size}"
        );
    }
}
