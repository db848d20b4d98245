//! Placements are rotations and translations; what is not is refused wherever it comes in.

use std::sync::Arc;

use glam::{DQuat, Vec3};
use supple::HistoryError;
use supple::math::Isometry;
use supple::pose::{Motion, PoseError};
use supple::{Body, BuildOptions, PoseHistory, Probe, Shape, Skinning};

/// A rotation that is not of unit length would scale a body at ticks and not between them: it is refused wherever it comes in.
#[test]
fn placements_are_rigid() {
    let shape =
        Arc::new(Shape::build(supple_zoo::make("man", 0).unwrap(), &BuildOptions::default()).unwrap());
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let rest = shape.model().rest_pose();
    let before = body.positions();
    for factor in [0.0, 0.5, 2.0, f64::NAN] {
        let scaled = Isometry { rotation: DQuat::IDENTITY * factor, ..Isometry::IDENTITY };
        assert_eq!(body.set_placement(scaled), Err(PoseError::NotRigid), "{factor}");
        assert_eq!(body.set_pose_at(&rest, scaled), Err(PoseError::NotRigid));
        assert_eq!(body.positions(), before, "the body stays as it was");
        let mut history = PoseHistory::of_poses(&body, 4).unwrap();
        assert_eq!(history.record_pose(1.0, &rest, scaled), Err(HistoryError::Placement { tick: 1.0 }));
        assert!(history.is_empty());
        assert!(Motion::of_placement(rest.clone(), Isometry::IDENTITY, scaled).is_err());
        assert!(Probe::cuboid(scaled, Vec3::ONE).is_err());
    }
    // What f32 makes of a unit quaternion is taken as one.
    let rounded = Isometry { rotation: DQuat::IDENTITY * (1.0 + 1e-6), ..Isometry::IDENTITY };
    body.set_placement(rounded).unwrap();
    assert_eq!(body.positions(), before);
}
