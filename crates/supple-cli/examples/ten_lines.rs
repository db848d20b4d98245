//! The README's example: make or load a model, pose two bodies of it, and ask which triangles touch.

use std::sync::Arc;
use supple::{Body, BuildOptions, Shape, Skinning, math::Isometry};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let man = Arc::new(supple_zoo::make("man", 0)?); // or supple_io::load("man.glb")?
    let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?); // once per asset
    let (mut a, mut b) = (Body::new(&shape, Skinning::DualQuaternion)?, Body::new(&shape, Skinning::Linear)?);
    let walk = man.clip("walk")?;
    a.set_pose(&man.sample(walk, 0.2)?)?; // O(joints): no vertex is touched
    b.set_pose_and_place(&man.sample(walk, 0.9)?, Isometry::from_translation(glam::Vec3::X * 0.4))?;
    let collision = supple::collide(&mut a, &mut b); // no refit call exists
    println!("{} pairs of triangles touch: {:?}", collision.pairs.len(), collision.stats);
    Ok(())
}
