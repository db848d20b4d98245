//! Prints how long some questions take natively: `kind detail question microseconds`, the median over frames. The benchmark of the npm package
//! asks the same through WebAssembly. Arguments: kind, detail, kind, detail, ...

use std::sync::Arc;
use std::time::Instant;

use glam::Vec3;
use supple::{Body, BuildOptions, Isometry, Ray, Shape, Skinning};

const FRAMES: usize = 60;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    for pair in arguments.chunks_exact(2) {
        let detail: u32 = pair[1].parse().expect("a detail");
        let model = supple_zoo::make(&pair[0], detail).expect("a kind of the zoo");
        let shape = Arc::new(Shape::build(model, &BuildOptions::default()).expect("a shape"));
        for (question, time) in times(&shape) {
            println!("{} {detail} {question} {time:.2}", pair[0]);
        }
    }
}

fn times(shape: &Arc<Shape>) -> Vec<(&'static str, f64)> {
    let mut a = Body::new(shape, Skinning::Linear).expect("a body");
    let mut b = Body::new(shape, Skinning::Linear).expect("a body");
    let bound = a.bound();
    let center = bound.center();
    let rays: Vec<Ray> = (0..1000).map(|i| ray(center, bound.max - bound.min, i)).collect();
    let aside = Isometry::from_translation(Vec3::X * (0.3 * (bound.max.x - bound.min.x)));
    let pose = |body: &mut Body, time: f64, placement: Isometry| {
        let model = shape.model();
        let pose = model.sample_looped(&model.clips()[0], time).expect("its clip");
        body.set_pose_at(&pose, placement).expect("a pose");
    };
    let here = Isometry::IDENTITY;
    let ray_time = median(|frame| {
        pose(&mut a, frame as f64 / 60.0, here);
        std::hint::black_box(supple::cast_ray(&mut a, rays[7 * frame]));
    });
    let rays_time = median(|frame| {
        pose(&mut a, frame as f64 / 60.0, here);
        std::hint::black_box(supple::cast_rays(&mut a, &rays));
    });
    let collide_time = median(|frame| {
        pose(&mut a, frame as f64 / 60.0, here);
        pose(&mut b, frame as f64 / 60.0 + 0.5, aside);
        std::hint::black_box(supple::collide(&mut a, &mut b));
    });
    let self_time = median(|frame| {
        pose(&mut a, frame as f64 / 60.0, here);
        std::hint::black_box(supple::self_collide(&mut a));
    });
    vec![("ray", ray_time), ("1000 rays", rays_time), ("collide", collide_time), ("self", self_time)]
}

/// From around a center, to somewhere near it.
fn ray(center: Vec3, sides: Vec3, number: usize) -> Ray {
    let i = number as f32;
    let origin = center + 2.0 * sides.max_element() * Vec3::new(i.sin(), 0.3 * (3.0 * i).sin(), i.cos());
    let aim = center + 0.25 * sides * Vec3::new((5.0 * i).sin(), (7.0 * i).sin(), (11.0 * i).sin());
    Ray::new(origin, aim - origin).expect("a direction")
}

fn median(mut ask: impl FnMut(usize)) -> f64 {
    (0..FRAMES).for_each(&mut ask);
    let time = |frame| {
        let start = Instant::now();
        ask(frame);
        start.elapsed().as_secs_f64() * 1e6
    };
    let mut times: Vec<f64> = (0..FRAMES).map(time).collect();
    times.sort_by(f64::total_cmp);
    times[FRAMES / 2]
}
