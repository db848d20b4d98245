//! Crowds, and what brute force needs of their members.

use std::sync::Arc;

use glam::Vec3;
use supple::oracle::PosedMesh;
use supple::{Aabb, Body, BodyId, Groups, Isometry, Model, Scene, Shape, Skinning};

use crate::subjects::characters::pose_at;
use crate::subjects::random_model::Random;
use crate::subjects::zoo::zoo;

/// A body as brute force sees it.
pub struct Member {
    pub id: BodyId,
    pub groups: Groups,
    model: Arc<Model>,
    positions: Vec<Vec3>,
}

impl Member {
    pub fn posed(&self) -> PosedMesh<'_> {
        PosedMesh::new(self.model.mesh(), &self.positions)
    }

    pub fn vertex(&self, random: &mut Random) -> Vec3 {
        let triangles = self.model.mesh().triangles();
        self.positions[triangles[random.below(triangles.len())][random.below(3)] as usize]
    }
}

/// All members of a scene by ascending id.
pub fn members(scene: &mut Scene) -> Vec<Member> {
    let ids: Vec<BodyId> = scene.bodies_mut().map(|(id, _)| id).collect();
    let member = |id| {
        let groups = *scene.groups_mut(id).unwrap();
        let body = scene.body_mut(id).unwrap();
        Member { id, groups, model: Arc::clone(body.shape().model()), positions: body.positions() }
    };
    ids.into_iter().map(member).collect()
}

pub fn around(members: &[Member]) -> Aabb {
    Aabb::from_points(members.iter().flat_map(|member| member.positions.iter().copied()))
}

/// Some groups that a question may have: everybody's, some, none.
pub const QUESTION_GROUPS: [Groups; 4] = [
    Groups::ALL,
    Groups { member: 0b01, meets: u32::MAX },
    Groups { member: u32::MAX, meets: 0b10 },
    Groups { member: 0, meets: 0 },
];

/// Characters of the zoo in every way of skinning and in several groups, close to each other; some of them twice at the same place, and some
/// ids used for the second time.
pub fn crowd() -> Scene {
    let shapes: Vec<Arc<Shape>> = ["man", "dwarf", "hand", "dolphin"].map(zoo).into();
    let mut scene = Scene::new();
    let mut first = Vec::new();
    for number in 0..14 {
        let shape = &shapes[number % shapes.len()];
        let mut body = Body::new(shape, Skinning::ALL[number % 3]).unwrap();
        let middle = body.bound().center();
        let place = Vec3::new((number % 4) as f32 * 0.5, 1.0, (number / 4) as f32 * 0.45);
        let pose = pose_at(shape.model(), 0, number as f64 * 0.13);
        body.set_pose_at(&pose, Isometry::from_translation(place - middle)).unwrap();
        let groups = match number % 3 {
            0 => Groups::ALL,
            1 => Groups { member: 0b01, meets: 0b01 },
            _ => Groups { member: 0b10, meets: 0b11 },
        };
        if number % 5 == 0 {
            scene.insert(body.clone(), Groups::ALL);
        }
        first.push(scene.insert(body, groups));
    }
    for id in [first[2], first[7]] {
        let body = scene.remove(id).unwrap();
        scene.insert(body, Groups::ALL);
    }
    scene.remove(first[9]);
    scene
}

/// Copies of one body at one place: everything is a tie.
pub fn copies(count: usize) -> Scene {
    let shape = zoo("dwarf");
    let mut body = Body::new(&shape, Skinning::DualQuaternion).unwrap();
    body.set_pose(&pose_at(shape.model(), 0, 0.3)).unwrap();
    let mut scene = Scene::new();
    for number in 0..count {
        // The first is not everybody's business.
        let groups = if number == 0 { Groups { member: 0b10, meets: 0b10 } } else { Groups::ALL };
        scene.insert(body.clone(), groups);
    }
    scene
}
