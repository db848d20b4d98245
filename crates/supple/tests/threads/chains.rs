//! Overlaps of sphere chains do not depend on the number of threads.

use crate::characters::{pose_at, shape_of};
use supple::chains::{Balls, ChainOptions, Grouping, Member, Regions, SphereChains, Testing, crowd_overlaps};
use supple::math::Isometry;
use supple::{Body, Skinning};

#[test]
fn overlaps_are_the_same_on_any_number_of_threads() {
    let shape = shape_of(supple_zoo::make("man", 0).unwrap());
    let regions = Regions::from_rig(shape.model()).unwrap();
    let chains = SphereChains::build(&shape, &regions, &ChainOptions::default()).unwrap();
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let balls: Vec<Balls> = (0..12)
        .map(|i| {
            let pose = pose_at(shape.model(), 5, 0.2 * f64::from(i));
            let place = Isometry::from_translation(glam::Vec3::X * 0.4 * i as f32);
            body.set_pose_and_place(&pose, place).unwrap();
            let mut balls = Balls::default();
            chains.follow(&mut body, &mut balls);
            balls
        })
        .collect();
    let members: Vec<Member> = balls.iter().map(|balls| Member { chains: &chains, balls }).collect();
    for grouping in [Grouping::All, Grouping::Chains] {
        let expected = crowd_overlaps(&members, grouping, Testing::Scalar);
        assert!(!expected.is_empty());
        let ask = || {
            assert_eq!(crowd_overlaps(&members, grouping, Testing::Threads), expected);
            for balls in &balls {
                let scalar = chains.overlaps(balls, grouping, Testing::Scalar);
                assert_eq!(chains.overlaps(balls, grouping, Testing::Threads), scalar);
            }
        };
        #[cfg(feature = "rayon")]
        for threads in [1, 2, 5] {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(ask);
        }
        #[cfg(not(feature = "rayon"))]
        ask();
    }
}
