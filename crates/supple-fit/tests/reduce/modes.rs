//! Vibration modes: frequencies of beams, masses of bodies, what must not be there, what is refused.

use std::f64::consts::TAU;

use glam::{DMat3, DVec3, Vec3};
use supple::Mesh;
use supple::rest::Field;
use supple_fit::reduce::{ModeOptions, ReduceError, modes};

/// A closed box with its least corner at the origin, divided along x.
fn beam(size: Vec3, cuts: usize) -> Mesh {
    let mut positions = Vec::new();
    for cut in 0..=cuts {
        let x = size.x * cut as f32 / cuts as f32;
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        positions.extend(corners.map(|[y, z]| Vec3::new(x, y * size.y, z * size.z)));
    }
    let mut triangles = vec![[0, 2, 1], [0, 3, 2]];
    let last = 4 * cuts as u32;
    triangles.extend([[last, last + 1, last + 2], [last, last + 2, last + 3]]);
    for cut in 0..cuts as u32 {
        for side in 0..4 {
            let [a, b] = [4 * cut + side, 4 * cut + (side + 1) % 4];
            triangles.extend([[a, b, b + 4], [a, b + 4, a + 4]]);
        }
    }
    Mesh::new(positions, triangles).unwrap()
}

fn steel(count: usize, resolution: usize) -> ModeOptions {
    ModeOptions::default()
        .with_count(count)
        .with_resolution(resolution)
        .with_density(7800.0)
        .with_young(2.1e11)
        .with_poisson(0.3)
}

/// Frequency of a beam of length 1 m by the number that its ends give, Euler and Bernoulli's.
fn beam_frequency(number: f64, thickness: f64) -> f64 {
    number * number / TAU * (2.1e11 * thickness * thickness / 12.0 / 7800.0).sqrt()
}

/// Displacements of all vertices.
fn dense(field: &Field, vertices: usize) -> Vec<Vec3> {
    let mut dense = vec![Vec3::ZERO; vertices];
    field.displacements.iter().for_each(|&(v, d)| dense[v as usize] = d);
    dense
}

#[test]
fn free_and_held_beams_have_the_frequencies_of_euler_and_bernoulli() {
    // Twice as high as wide, so that bending modes come one by one; slender, so that shear hardly counts: it takes 1 to 3 % off
    // the second mode of the high side.
    let mesh = beam(Vec3::new(1.0, 0.05, 0.025), 40);
    let held = vec![[DVec3::NEG_INFINITY, DVec3::new(0.0, f64::INFINITY, f64::INFINITY)]];
    for (held, numbers) in [(vec![], [4.73004, 7.85320]), (held, [1.87510, 4.69409])] {
        let found = modes(&mesh, &steel(5, 80).with_held(held)).unwrap().frequencies;
        assert!(found.is_sorted());
        for (thickness, number, most) in [
            (0.025, numbers[0], 0.005),
            (0.05, numbers[0], 0.012),
            (0.025, numbers[1], 0.01),
            (0.05, numbers[1], 0.03),
        ] {
            let wanted = beam_frequency(number, thickness);
            let off = found.iter().map(|f| (f / wanted - 1.0).abs()).fold(f64::INFINITY, f64::min);
            println!("{thickness} m: {wanted:.2} Hz, off by {:.2} %", 100.0 * off);
            assert!(off < most, "{wanted} in {found:?}");
        }
    }
}

#[test]
fn one_layer_of_cells_bends_like_a_beam() {
    // The functions inside of cells are for this: shear without them would make it too stiff. It is 2.4 % too low: shear is in it, 1 % by
    // Timoshenko, and masses at the corners of cells.
    let mesh = beam(Vec3::new(1.0, 0.05, 0.05), 20);
    let found = modes(&mesh, &steel(2, 20).with_poisson(0.0)).unwrap().frequencies;
    let wanted = beam_frequency(4.73004, 0.05);
    for frequency in &found {
        // Twice the same: two ways to bend.
        assert!((frequency / wanted - 1.0).abs() < 0.03, "{found:?} {wanted}");
    }
}

#[test]
fn finer_lattices_approach_something() {
    let dolphin = supple_zoo::make("dolphin", 0).unwrap();
    let first = |resolution| modes(dolphin.mesh(), &steel(1, resolution)).unwrap();
    let [coarse, middle, fine] = [16, 32, 48].map(first);
    println!("{} {} {}", coarse.frequencies[0], middle.frequencies[0], fine.frequencies[0]);
    let step = |a: f64, b: f64| (a / b - 1.0).abs();
    assert!(
        step(fine.frequencies[0], middle.frequencies[0])
            < 0.5 * step(middle.frequencies[0], coarse.frequencies[0])
    );
    // Volumes of cells are exact, so the mass does not depend on them.
    assert!(step(coarse.mass, fine.mass) < 1e-6);
}

#[test]
fn mass_center_and_inertia_are_those_of_the_solid() {
    let size = DVec3::new(1.0, 0.5, 0.25);
    let box_mesh = beam(size.as_vec3(), 3);
    let found = modes(&box_mesh, &steel(1, 16)).unwrap();
    let mass = 7800.0 * size.element_product();
    assert!((found.mass / mass - 1.0).abs() < 1e-9, "{}", found.mass);
    assert!(found.center.distance(0.5 * size) < 1e-9, "{}", found.center);
    let squares = size * size;
    let solid = mass / 12.0 * (DVec3::splat(squares.element_sum()) - squares);
    // Masses at the corners of cells are farther out than the cells: by a sixth of an edge squared along each axis.
    let wanted = solid + mass / 3.0 / (16.0 * 16.0);
    let diagonal = DVec3::new(found.inertia.x_axis.x, found.inertia.y_axis.y, found.inertia.z_axis.z);
    assert!((diagonal / wanted - 1.0).abs().max_element() < 1e-9, "{diagonal} {wanted}");
    let besides = found.inertia - DMat3::from_diagonal(diagonal);
    assert!(besides.to_cols_array().iter().all(|x| x.abs() < 1e-9 * mass), "{besides}");
    // Inside out it is the same thing, and a doubled sheet is a sheet.
    let turned = box_mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let turned = Mesh::new(box_mesh.positions().to_vec(), turned).unwrap();
    assert!((modes(&turned, &steel(1, 16)).unwrap().mass / mass - 1.0).abs() < 1e-9);
    let quad = vec![Vec3::ZERO, Vec3::X, Vec3::ONE - Vec3::Z, Vec3::Y];
    for (triangles, area) in
        [(vec![[0, 1, 2], [0, 2, 3]], 1.0), (vec![[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]], 2.0)]
    {
        let sheet = Mesh::new(quad.clone(), triangles).unwrap();
        let found = modes(&sheet, &steel(3, 8).with_thickness(Some(0.01))).unwrap();
        assert!((found.mass / (78.0 * area) - 1.0).abs() < 1e-9, "{}", found.mass);
    }
}

/// The sum over vertices is not the one over nodes, but a beam's vertices are spread evenly enough to see rigid motions.
#[test]
fn rigid_motions_are_not_among_free_modes() {
    let mesh = beam(Vec3::new(1.0, 0.1, 0.05), 64);
    let found = modes(&mesh, &steel(12, 40).with_amplitude(Some(0.25))).unwrap();
    assert!(found.frequencies[0] > 200.0, "{:?}", found.frequencies);
    assert_eq!(found.fields.len(), 12);
    for (field, mass) in found.fields.iter().zip(&found.masses) {
        let moved = dense(field, mesh.positions().len());
        let farthest = moved.iter().map(|d| d.length()).fold(0.0, f32::max);
        assert!((farthest - 0.25).abs() < 1e-6, "{farthest}");
        // As much as a quarter of all mass could have if all of it moved by the amplitude.
        assert!(*mass > 0.0 && *mass < 0.0625 * found.mass, "{mass} of {}", found.mass);
        let count = moved.len() as f32;
        let shift = moved.iter().sum::<Vec3>() / count;
        assert!(shift.length() < 0.15 * farthest, "{}: {shift}", field.name);
    }
}

#[test]
fn held_parts_stay_where_they_are() {
    let mesh = beam(Vec3::new(1.0, 0.1, 0.1), 20);
    let held = vec![[DVec3::splat(-1.0), DVec3::new(0.25, 1.0, 1.0)]];
    let found = modes(&mesh, &steel(4, 20).with_held(held)).unwrap();
    for field in &found.fields {
        for (p, d) in mesh.positions().iter().zip(dense(field, mesh.positions().len())) {
            assert!(p.x > 0.2501 || d == Vec3::ZERO, "{p} {d}");
        }
    }
}

#[test]
fn the_same_mesh_gives_the_same_modes() {
    let fish = supple_zoo::make("dolphin", 1).unwrap();
    let options = ModeOptions::default().with_resolution(16);
    assert_eq!(modes(fish.mesh(), &options), modes(fish.mesh(), &options));
    // Units are only units: a fish a thousand times as large swings a thousand times as slowly.
    let large = fish.mesh().positions().iter().map(|p| *p * 1024.0).collect();
    let large = Mesh::new(large, fish.mesh().triangles().to_vec()).unwrap();
    let (a, b) = (modes(fish.mesh(), &options).unwrap(), modes(&large, &options).unwrap());
    for (a, b) in a.frequencies.iter().zip(&b.frequencies) {
        assert!((a / b / 1024.0 - 1.0).abs() < 1e-6, "{a} {b}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mesh = beam(Vec3::new(1.0, 0.1, 0.1), 2);
    let refused = |options: ModeOptions| modes(&mesh, &options).unwrap_err();
    let few = || steel(3, 10);
    for (options, option) in [
        (few().with_count(0), "count"),
        (few().with_resolution(0), "resolution"),
        (few().with_density(0.0), "density"),
        (few().with_young(f64::NAN), "young"),
        (few().with_young(f64::INFINITY), "young"),
        (few().with_poisson(0.5), "poisson"),
        (few().with_poisson(f64::NAN), "poisson"),
        (few().with_amplitude(Some(-1.0)), "amplitude"),
        (few().with_thickness(Some(0.0)), "thickness"),
    ] {
        assert!(matches!(refused(options), ReduceError::BadOption { option: found, .. } if found == option));
    }
    let held = |min: DVec3, max: DVec3| few().with_held(vec![[min, max]]);
    assert_eq!(refused(held(DVec3::ONE, DVec3::ZERO)), ReduceError::BadBox { index: 0 });
    assert_eq!(refused(held(DVec3::NAN, DVec3::ONE)), ReduceError::BadBox { index: 0 });
    assert_eq!(refused(held(DVec3::NEG_INFINITY, DVec3::INFINITY)), ReduceError::AllHeld);
    // Nothing, one node, the nodes of an edge.
    for max in [DVec3::splat(-1.0), DVec3::ZERO, DVec3::new(0.0, 0.0, 1.0)] {
        assert!(matches!(refused(held(DVec3::splat(-2.0), max)), ReduceError::Loose { .. }), "{max}");
    }
    // 44 nodes.
    assert_eq!(refused(steel(127, 10)), ReduceError::TooMany { what: "modes", wanted: 127, available: 126 });
    assert!(matches!(refused(steel(1, 100_000)), ReduceError::TooFine { .. }));
    let point = Mesh::new(vec![Vec3::ONE; 3], vec![[0, 1, 2]]).unwrap();
    assert_eq!(modes(&point, &few()), Err(ReduceError::NoSize { longest: 0.0 }));
    let far =
        mesh.positions().iter().copied().chain(mesh.positions().iter().map(|p| *p + Vec3::X * 5.0)).collect();
    let both = mesh.triangles().iter().copied().chain(mesh.triangles().iter().map(|t| t.map(|v| v + 12)));
    let two = Mesh::new(far, both.collect()).unwrap();
    assert_eq!(modes(&two, &few()), Err(ReduceError::Pieces { pieces: 2, resolution: 10 }));
}

#[test]
fn all_modes_of_the_smallest_lattice_are_found() {
    // One cell: 24 unknowns, 6 of them rigid; many of its frequencies are the same.
    let cube = beam(Vec3::ONE, 1);
    let found = modes(&cube, &steel(18, 1)).unwrap();
    assert!(found.frequencies.is_sorted() && found.frequencies[0] > 100.0, "{:?}", found.frequencies);
    assert!(modes(&cube, &steel(19, 1)).is_err());
}

#[test]
fn odd_meshes_give_modes_or_errors() {
    let dolphin = supple_zoo::make("dolphin", 0).unwrap();
    let (positions, triangles) = (dolphin.mesh().positions(), dolphin.mesh().triangles());
    let options = ModeOptions::default().with_count(4).with_resolution(10);
    // Open, with a triangle turned, with triangles without area, with vertices of no triangle, far away.
    let mut turned = triangles.to_vec();
    turned[5].swap(0, 1);
    let mut flat = triangles.to_vec();
    flat.extend([[0, 0, 1], [2, 2, 2], [3, 40, 3]]);
    let mut lonely = positions.to_vec();
    lonely.extend([Vec3::splat(1e30), Vec3::splat(-50.0)]);
    let far = positions.iter().map(|p| *p + Vec3::splat(1000.0)).collect();
    let meshes: [(Vec<Vec3>, Vec<[u32; 3]>); 5] = [
        (positions.to_vec(), triangles[..triangles.len() - 30].to_vec()),
        (positions.to_vec(), turned),
        (positions.to_vec(), flat),
        (lonely, triangles.to_vec()),
        (far, triangles.to_vec()),
    ];
    let whole = modes(dolphin.mesh(), &options).unwrap();
    for (i, (positions, triangles)) in meshes.into_iter().enumerate() {
        let found = modes(&Mesh::new(positions, triangles).unwrap(), &options);
        let found = found.unwrap_or_else(|error| panic!("{i}: {error}"));
        println!("{i}: {:?}", found.frequencies);
        // The first two are sheets, which enclose what they enclosed.
        let most = if i < 2 { 0.6 } else { 1e-3 };
        assert!(
            (found.frequencies[0] / whole.frequencies[0] - 1.0).abs() < most,
            "{i}: {:?}",
            found.frequencies
        );
    }
}
