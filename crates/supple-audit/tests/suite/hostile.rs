//! No model and no clip makes an audit panic, answer nonsense, or answer differently the next time.

use glam::{Quat, Vec3};
use supple::pose::{Channel, Clip, Interpolation, Target};
use supple::{Mesh, Model};
use supple_audit::{Audit, AuditOptions, audit};

use crate::figures::{Figure, built, cube, sheet, tube};

fn assert_sane(found: &Audit, what: &str) {
    for event in &found.events {
        let numbers = [event.depth, event.severity, event.area, event.visibility, event.rest_depth];
        assert!(numbers.iter().all(|n| n.is_finite() && *n >= 0.0), "{what}: {event:?}");
        assert!(event.worst.point.iter().all(|x| x.is_finite()) && event.visibility <= 1.0, "{what}");
        assert!(!event.worst.triangles.is_empty() && event.frames > 0, "{what}");
    }
    let order = |a: &supple_audit::Event, b: &supple_audit::Event| {
        a.class < b.class || a.class == b.class && a.severity >= b.severity
    };
    assert!(found.events.is_sorted_by(order), "{what}");
}

#[test]
fn joints_that_are_flattened_blown_up_and_mirrored() {
    let hand = supple_zoo::make("hand", 0).unwrap();
    let count = hand.skeleton().nodes().len();
    let scales = [[0.0; 3], [1.0, 0.0, 1.0], [50.0; 3], [-1.0, 1.0, 1.0], [1e-6; 3], [-3.0, 0.2, 1.0]];
    let clips = (0..6).map(|number| {
        let channel = |node: usize| {
            let turn = Quat::from_scaled_axis(Vec3::new(2.9, node as f32, -1.0));
            let scale = scales[(node + number) % scales.len()];
            let one = |target, values: &[f32]| Channel {
                target,
                interpolation: Interpolation::Step,
                times: vec![0.0],
                values: values.to_vec(),
            };
            [one(Target::Rotation(node), &turn.to_array()), one(Target::Scale(node), &scale)]
        };
        let chosen = (0..count).filter(|node| node % 7 == number || node % 5 == number);
        Clip::new(format!("hostile {number}"), chosen.flat_map(channel).collect()).unwrap()
    });
    let clips: Vec<Clip> = clips.collect();
    for clip in clips {
        let what = clip.name().to_owned();
        let shape = built(hand.clone().with_clips(vec![clip]).unwrap());
        let found = audit(&shape, &AuditOptions::default());
        assert_eq!(audit(&shape, &AuditOptions::default()), found, "{what}");
        if let Ok(found) = found {
            assert_sane(&found, &what);
        }
    }
}

#[test]
fn models_of_almost_nothing() {
    let rigid = |positions: Vec<Vec3>, triangles: Vec<[u32; 3]>| {
        let shape = built(Model::rigid(Mesh::new(positions, triangles).unwrap()));
        audit(&shape, &AuditOptions::default()).unwrap()
    };
    assert!(rigid(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).is_clean());
    assert!(rigid(vec![Vec3::X; 3], vec![[0, 1, 2]]).is_clean());
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ZERO, Vec3::X, Vec3::Y];
    assert_sane(&rigid(corners, vec![[0, 1, 2], [3, 4, 5]]), "two equal triangles");
    let flat = vec![
        Vec3::ZERO,
        Vec3::X,
        2.0 * Vec3::X,
        Vec3::new(0.5, -1.0, 0.0),
        Vec3::Y,
        Vec3::new(0.7, 1.0, 0.0),
    ];
    assert_sane(&rigid(flat, vec![[0, 1, 2], [3, 4, 5]]), "a triangle without area");
}

#[test]
fn surfaces_that_touch_without_crossing_or_lie_in_each_other() {
    for (what, a, b, place) in [
        ("equal boxes", cube(1.0), cube(1.0), Vec3::ZERO),
        ("face to face", cube(1.0), cube(1.0), Vec3::X * 2.0),
        ("edge to edge", cube(1.0), cube(1.0), Vec3::new(2.0, 2.0, 0.0)),
        ("corner to corner", cube(1.0), cube(1.0), Vec3::splat(2.0)),
        ("equal sheets", sheet(1.0, 5), sheet(1.0, 5), Vec3::ZERO),
        ("sheets in one plane", sheet(1.0, 5), sheet(1.0, 5), Vec3::new(0.3, 0.1, 0.0)),
        ("a sheet on a box", cube(1.0), sheet(0.5, 4), Vec3::Z),
        ("a tube in itself", tube(2.0, 0.5, 4, 8), tube(2.0, 0.5, 4, 8), Vec3::X),
    ] {
        let away = Vec3::X * 9.0;
        let figure = Figure::default().with("a", a, Vec3::ZERO).with("b", b, away);
        let shape = figure.clip("in").moves(1, &[away, place]).shape();
        let found = audit(&shape, &AuditOptions::default().with_fps(1.0)).unwrap();
        assert_sane(&found, what);
    }
}
