//! Plain records: their fields one after the other, in the order given here.

use std::ops::Range;

use glam::{DAffine3, Quat, Vec2, Vec3};

use super::StorageError;
use super::bytes::{Reader, Stored, Writer};
use crate::math::Sphere;
use crate::model::{Part, Primitive};
use crate::pose::{Channel, Clip, Interpolation, Joint, Node, Target, Transform};
use crate::rest::{Field, Reference, RestBox, RestChange};
use crate::tree::{self, Group, LinearGroup, WIDTH};

macro_rules! records {
    ($($type:ty { $($field:ident: $of:ty),+ })+) => {$(
        impl Stored for $type {
            const LEAST_BYTES: usize = 0 $(+ <$of>::LEAST_BYTES)+;

            fn write(&self, out: &mut Writer) {
                $(self.$field.write(out);)+
            }

            fn read(input: &mut Reader) -> Result<Self, StorageError> {
                $(let $field = Stored::read(input)?;)+
                Ok(Self { $($field),+ })
            }
        }
    )+};
}

records! {
    Vec2 { x: f32, y: f32 }
    Vec3 { x: f32, y: f32, z: f32 }
    Sphere { center: Vec3, radius: f32 }

    Transform { translation: Vec3, rotation: Quat, scale: Vec3 }
    Node { name: String, parent: Option<usize>, rest: Transform, offset: Option<DAffine3> }
    Joint { node: usize, inverse_bind: DAffine3 }
    Channel { target: Target, interpolation: Interpolation, times: Vec<f32>, values: Vec<f32> }

    Field {
        name: String, default: f32,
        displacements: Vec<(u32, Vec3)>, normal_changes: Vec<(u32, Vec3)>
    }
    Reference { name: String, positions: Vec<Vec3>, normals: Vec<Vec3> }

    Part {
        name: String, node: usize,
        vertices: Range<usize>, triangles: Range<usize>, coefficients: Range<usize>,
        primitives: Vec<Primitive>
    }
    Primitive { material: String, vertices: Range<usize>, triangles: Range<usize> }

    RestChange { coefficient: u32, center: Vec3, half: Vec3, radius: f32 }
    Group {
        rest_box: RestBox, set: u32, first_weight: u32, first_product: u32, moved: bool,
        spread: f32, total_product: f32, sphere: Sphere
    }
    LinearGroup {
        rest_box: RestBox, first_joint: u32, joint_count: u32, spread: f32, moved: bool
    }
}

/// Matrices and quaternions are arrays of numbers; matrices column by column.
macro_rules! arrays {
    ($($type:ty = $of:ty, $to:ident, $from:path;)+) => {$(
        impl Stored for $type {
            const LEAST_BYTES: usize = <$of>::LEAST_BYTES;

            fn write(&self, out: &mut Writer) {
                self.$to().write(out);
            }

            fn read(input: &mut Reader) -> Result<Self, StorageError> {
                <$of>::read(input).map(|array| $from(array))
            }
        }
    )+};
}

arrays! {
    Quat = [f32; 4], to_array, Quat::from_array;
    DAffine3 = [f64; 12], to_cols_array, from_affine_columns;
}

fn from_affine_columns(array: [f64; 12]) -> DAffine3 {
    DAffine3::from_cols_array(&array)
}

/// Eight numbers, twice.
impl Stored for RestBox {
    const LEAST_BYTES: usize = <[[f32; 8]; 2]>::LEAST_BYTES;

    fn write(&self, out: &mut Writer) {
        self.0.write(out);
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        Stored::read(input).map(Self)
    }
}

/// 0 or 1.
impl Stored for bool {
    const LEAST_BYTES: usize = 1;

    fn write(&self, out: &mut Writer) {
        u8::from(*self).write(out);
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        match u8::read(input)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(input.wrong(format!("{other} is neither 0 nor 1"))),
        }
    }
}

impl Stored for Interpolation {
    const LEAST_BYTES: usize = 1;

    fn write(&self, out: &mut Writer) {
        let code: u8 = match self {
            Self::Linear => 0,
            Self::Step => 1,
            Self::CubicSpline => 2,
        };
        code.write(out);
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        match u8::read(input)? {
            0 => Ok(Self::Linear),
            1 => Ok(Self::Step),
            2 => Ok(Self::CubicSpline),
            other => Err(input.wrong(format!("there is no interpolation {other}"))),
        }
    }
}

impl Stored for Target {
    const LEAST_BYTES: usize = 1 + usize::LEAST_BYTES;

    fn write(&self, out: &mut Writer) {
        match self {
            Self::Translation(node) => (0u8, *node).write(out),
            Self::Rotation(node) => (1u8, *node).write(out),
            Self::Scale(node) => (2u8, *node).write(out),
            Self::Coefficients(range) => (3u8, range.clone()).write(out),
        }
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        match u8::read(input)? {
            0 => usize::read(input).map(Self::Translation),
            1 => usize::read(input).map(Self::Rotation),
            2 => usize::read(input).map(Self::Scale),
            3 => Range::read(input).map(Self::Coefficients),
            other => Err(input.wrong(format!("there is no animation target {other}"))),
        }
    }
}

impl Stored for Clip {
    const LEAST_BYTES: usize = String::LEAST_BYTES + Vec::<Channel>::LEAST_BYTES;

    fn write(&self, out: &mut Writer) {
        self.name().to_owned().write(out);
        out.list(self.channels());
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        let (name, channels) = <(String, Vec<Channel>)>::read(input)?;
        Self::new(name, channels).map_err(|error| input.wrong(error))
    }
}

/// A node of the tree: 1 for a leaf or 0, children or triangles.
impl Stored for tree::Node {
    const LEAST_BYTES: usize = 1 + Range::<usize>::LEAST_BYTES;

    fn write(&self, out: &mut Writer) {
        (u8::from(self.is_leaf()), self.range()).write(out);
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        let (kind, range) = <(u8, Range<usize>)>::read(input)?;
        if range.len() > WIDTH {
            return Err(input.wrong(format!("a node has {} children or triangles", range.len())));
        }
        let range = range.start as u32..range.end as u32;
        match kind {
            0 => Ok(Self::inner(range)),
            1 => Ok(Self::leaf(range)),
            other => Err(input.wrong(format!("there is no kind of node {other}"))),
        }
    }
}

impl Stored for tree::JointSmoothness {
    const LEAST_BYTES: usize = 7 * 4;

    fn write(&self, out: &mut Writer) {
        self.joint.write(out);
        self.weight.write(out);
        self.gradient.write(out);
        self.varying.write(out);
        self.uneven.write(out);
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        Ok(Self {
            joint: Stored::read(input)?,
            weight: Stored::read(input)?,
            gradient: Stored::read(input)?,
            varying: Stored::read(input)?,
            uneven: Stored::read(input)?,
        })
    }
}

impl Stored for tree::Scope {
    const LEAST_BYTES: usize = 2 * 4;

    fn write(&self, out: &mut Writer) {
        self.radius.write(out);
        self.steeper.write(out);
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        Ok(Self { radius: Stored::read(input)?, steeper: Stored::read(input)? })
    }
}

impl Stored for tree::FieldSmoothness {
    const LEAST_BYTES: usize = 3 * 4;

    fn write(&self, out: &mut Writer) {
        self.field.write(out);
        self.slope.write(out);
        self.length.write(out);
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        Ok(Self { field: Stored::read(input)?, slope: Stored::read(input)?, length: Stored::read(input)? })
    }
}
