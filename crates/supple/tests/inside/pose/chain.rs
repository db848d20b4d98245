//! Tests of what `pose/chain` keeps to itself: every width and shortcut has the bits of plain products, one after the other.

use super::*;
use crate::simd::{self, TwoFours};
use glam::{DQuat, Quat};

/// `a b`, number by number.
fn plain_times(a: &Columns, b: &Columns) -> Columns {
    let mut product = [[0.0; 4]; 4];
    for column in 0..4 {
        let [x, y, z, _] = b[column];
        for row in 0..4 {
            product[column][row] = a[0][row] * x + a[1][row] * y + a[2][row] * z;
        }
    }
    for row in 0..4 {
        product[3][row] += a[3][row];
    }
    product
}

/// The local matrix of one node.
fn plain_local(transform: &Transform) -> Columns {
    let [x, y, z, w] = transform.rotation.to_array().map(f64::from);
    let length_sq = x * x + y * y + z * z + w * w;
    let s = if length_sq > 0.0 { 2.0 / length_sq } else { 0.0 };
    let (xs, ys, zs) = (x * s, y * s, z * s);
    let (xx, xy, xz) = (x * xs, x * ys, x * zs);
    let (yy, yz, zz) = (y * ys, y * zs, z * zs);
    let (wx, wy, wz) = (w * xs, w * ys, w * zs);
    let [sx, sy, sz] = transform.scale.to_array().map(f64::from);
    let [tx, ty, tz] = transform.translation.to_array().map(f64::from);
    [
        [(1.0 - (yy + zz)) * sx, (xy + wz) * sx, (xz - wy) * sx, 0.0],
        [(xy - wz) * sy, (1.0 - (xx + zz)) * sy, (yz + wx) * sy, 0.0],
        [(xz + wy) * sz, (yz - wx) * sz, (1.0 - (xx + yy)) * sz, 0.0],
        [tx, ty, tz, 0.0],
    ]
}

fn plain_rounded(m: &Columns) -> Block<2> {
    let [x, y, z, t] = m.map(|[x, y, z, _]| [x as f32, y as f32, z as f32, 0.0]);
    let joined = |a: [f32; 4], b: [f32; 4]| std::array::from_fn(|i| if i < 4 { a[i] } else { b[i - 4] });
    [joined(x, y), joined(z, t)]
}

/// Rows 0 to 2; the fourth has no meaning.
fn bits(m: &Columns) -> [[u64; 3]; 4] {
    m.map(|[x, y, z, _]| [x, y, z].map(f64::to_bits))
}

fn block_bits(m: &Block<2>) -> [[u32; 8]; 2] {
    m.map(|row| row.map(f32::to_bits))
}

/// Turned and stretched, with zeros of both signs in between.
fn transform(i: usize) -> Transform {
    let angle = i as f32 * 0.3;
    let rotation = match i % 5 {
        0 => Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
        1 => Quat::IDENTITY,
        2 => Quat::from_xyzw(-0.0, 0.0, -0.0, -1.0),
        _ => Quat::from_rotation_y(angle) * Quat::from_rotation_x(2.0 * angle) * 1.001,
    };
    let scale = if i.is_multiple_of(3) { Vec3::new(1.0, angle, -0.5) } else { Vec3::ONE };
    let translation =
        if i.is_multiple_of(4) { Vec3::new(-0.0, 0.0, -0.0) } else { Vec3::new(1.0, -2.0, angle) };
    Transform { translation, rotation, scale }
}

#[test]
fn products_agree_with_glam() {
    for i in 3..50 {
        let (a, b) = (transform(5 * i + 3), transform(5 * i + 4));
        let found = plain_times(&plain_local(&a), &plain_local(&b));
        let expected = wide_columns(&(a.matrix() * b.matrix()));
        let difference = found.as_flattened().iter().zip(expected.as_flattened());
        assert!(difference.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max) < 1e-10);
    }
    assert_eq!(plain_local(&transform(15)).map(|c| c[0].abs()), [1.0, 0.0, 0.0, 1.0]);
}

/// Chains and bushes, with offsets, of any number of nodes.
#[test]
fn worlds_have_the_bits_of_plain_products() {
    for count in 1..40u32 {
        let transforms: Vec<Transform> = (0..count as usize).map(transform).collect();
        let offset = |node: u32| {
            let m = DAffine3::from_cols_array(&[1., 0., -0., 0.5, 1., 0., 0., 0., 1., 1., 2., 3.]);
            node.is_multiple_of(7).then(|| Box::new(wide_columns(&m)))
        };
        let parent = |node: u32| match node {
            _ if node.is_multiple_of(11) => node,
            _ if node.is_multiple_of(3) => node / 2,
            _ => node - 1,
        };
        let steps: Vec<Step> =
            (0..count).map(|node| Step { node, parent: parent(node), offset: offset(node) }).collect();
        let mut expected = vec![Columns::default(); count as usize];
        for step in &steps {
            let mut local = plain_local(&transforms[step.node as usize]);
            if let Some(offset) = &step.offset {
                local = plain_times(&local, offset);
            }
            let (node, parent) = (step.node as usize, step.parent as usize);
            expected[node] = if node == parent { local } else { plain_times(&expected[parent], &local) };
        }
        let [mut wide, mut narrow] = [vec![Columns::default(); count as usize], expected.clone()];
        simd::run(Worlds { steps: &steps, transforms: &transforms, world: &mut wide });
        Worlds { steps: &steps, transforms: &transforms, world: &mut narrow }.run::<TwoFours>();
        let expected: Vec<_> = expected.iter().map(bits).collect();
        assert_eq!(wide.iter().map(bits).collect::<Vec<_>>(), expected);
        assert_eq!(narrow.iter().map(bits).collect::<Vec<_>>(), expected);
    }
}

/// All signs of zeros, under placements that turn, only move, or change nothing.
#[test]
fn placed_matrices_have_the_bits_of_plain_products() {
    let number = |i: usize| [0.0, -0.0, 1.5, -2.5, 1e-60, -1e-60, 3e-40, -1e20][i % 8];
    let matrices: Vec<Columns> = (0..4096)
        .map(|i| {
            std::array::from_fn(|c| {
                std::array::from_fn(|r| if r < 3 { number(i >> (3 * r) | c) } else { 0.0 })
            })
        })
        .collect();
    let binds: Vec<(u32, Columns)> = (0..matrices.len() as u32).map(|i| (i, matrices[i as usize])).collect();
    let rotation = DQuat::from_rotation_y(0.3) * DQuat::from_rotation_x(-2.0);
    let fronts = [
        DAffine3::IDENTITY,
        DAffine3::from_translation(DVec3::new(0.5, -0.0, 0.0)),
        DAffine3::from_quat(DQuat::from_xyzw(0.0, -0.0, 0.0, -1.0)),
        DAffine3::from_rotation_translation(rotation, DVec3::new(3.0, 0.0, -1.0)),
    ];
    for front in fronts.map(|front| wide_columns(&front)) {
        let expected: Vec<Block<2>> =
            matrices.iter().map(|matrix| plain_rounded(&plain_times(&front, matrix))).collect();
        check_placed(&front, &matrices, &expected);
        let rounded: Vec<Block<2>> = matrices.iter().map(plain_rounded).collect();
        let expected: Vec<Block<2>> = rounded
            .iter()
            .map(|[xy, zt]| {
                let column = |half: &[f32]| std::array::from_fn(|i| f64::from(half[i]));
                let wide = [column(xy), column(&xy[4..]), column(zt), column(&zt[4..])];
                plain_rounded(&plain_times(&front, &wide))
            })
            .collect();
        check_placed(&front, &rounded, &expected);
    }
    let world: Vec<Columns> = matrices.iter().rev().copied().collect();
    let mut out = vec![Columns::default(); binds.len()];
    simd::run(Joints { joints: &binds, world: &world, out: &mut out });
    for ((node, bind), found) in binds.iter().zip(&out) {
        assert_eq!(bits(found), bits(&plain_times(&world[*node as usize], bind)));
    }
}

fn check_placed<M: Matrix>(front: &Columns, matrices: &[M], expected: &[Block<2>]) {
    let [mut wide, mut narrow] =
        [vec![Block::default(); expected.len()], vec![Block::default(); expected.len()]];
    simd::run(Placed { front, matrices, out: &mut wide });
    Placed { front, matrices, out: &mut narrow }.run::<TwoFours>();
    for ((wide, narrow), expected) in wide.iter().zip(&narrow).zip(expected) {
        assert_eq!(block_bits(wide), block_bits(expected));
        assert_eq!(block_bits(narrow), block_bits(expected));
    }
}
