//! The README's example: make or load a model, pose two bodies of it, and ask which triangles touch.

use glam::Vec3;
use std::sync::Arc;
use supple::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let man = Arc::new(supple_zoo::make("man", 0)?); // or supple_io::load("man.glb")?
    let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?); // once per asset
    let mut a = Body::new(&shape, Skinning::Linear)?;
    let mut b = Body::new(&shape, Skinning::DualQuaternion)?;
    let walk = man.clip("walk")?;
    a.set_pose(&man.sample(walk, 0.2)?)?; // O(joints): no vertex is touched
    b.set_pose_at(&man.sample(walk, 0.9)?, Isometry::from_translation(Vec3::X * 0.4))?;
    let answer = collide(&mut a, &mut b); // there is no refit call
    println!("{} pairs of triangles touch: {:?}", answer.found.len(), answer.stats);
    Ok(())
}
