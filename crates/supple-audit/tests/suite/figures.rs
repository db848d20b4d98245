//! Models of a few simple surfaces, each with a bone of its own, and what an audit finds in them frame by frame.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{DAffine3, Quat, Vec3};
use supple::pose::{Channel, Clip, Interpolation, Joint, Node, Skeleton, Target, Transform};
use supple::{BuildOptions, Mesh, Model, Shape, Skin};
use supple_audit::{Audit, AuditOptions, FrameRecord, audit_with_progress};

/// Positions and triangles.
#[derive(Clone, Debug, Default)]
pub struct Net {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Net {
    pub fn moved(mut self, by: Vec3) -> Self {
        self.positions.iter_mut().for_each(|p| *p += by);
        self
    }

    pub fn turned(mut self, by: Quat) -> Self {
        self.positions.iter_mut().for_each(|p| *p = by * *p);
        self
    }

    /// The same surface, seen from the other side.
    pub fn inside_out(mut self) -> Self {
        self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        self
    }

    pub fn mirrored(mut self) -> Self {
        self.positions.iter_mut().for_each(|p| p.x = -p.x);
        self.inside_out()
    }

    /// Both in one.
    pub fn and(mut self, other: Self) -> Self {
        let first = self.positions.len() as u32;
        self.positions.extend(other.positions);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + first)));
        self
    }
}

/// A tube along X from 0 to `length`, open at both ends; the radius may change along it.
pub fn sleeve(length: f32, radius: impl Fn(f32) -> f32, rings: u32, sectors: u32) -> Net {
    let mut net = Net::default();
    for ring in 0..=rings {
        let x = length * ring as f32 / rings as f32;
        for sector in 0..sectors {
            let (sin, cos) = (TAU * (sector as f32 + 0.5) / sectors as f32).sin_cos();
            net.positions.push(Vec3::new(x, radius(x) * cos, radius(x) * sin));
        }
    }
    for ring in 0..rings {
        for sector in 0..sectors {
            let (here, next) = (ring * sectors + sector, ring * sectors + (sector + 1) % sectors);
            net.triangles.extend([[here, next, next + sectors], [here, next + sectors, here + sectors]]);
        }
    }
    net
}

/// A closed cylinder along X from 0 to `length`; for four sectors a box whose sides are parallel to the axes.
pub fn tube(length: f32, radius: f32, rings: u32, sectors: u32) -> Net {
    let mut net = sleeve(length, |_| radius, rings, sectors);
    for (ring, is_end) in [(0, false), (rings, true)] {
        let middle = net.positions.len() as u32;
        net.positions.push(Vec3::X * (length * ring as f32 / rings as f32));
        for sector in 0..sectors {
            let (here, next) = (ring * sectors + sector, ring * sectors + (sector + 1) % sectors);
            net.triangles.push(if is_end { [middle, here, next] } else { [middle, next, here] });
        }
    }
    net
}

/// A box of that half thickness along X from 0 to `length`, whose sides are parallel to the axes.
pub fn bar(length: f32, half: f32, rings: u32) -> Net {
    tube(length, half * 2.0f32.sqrt(), rings, 4)
}

/// A box around the origin.
pub fn cube(half: f32) -> Net {
    bar(2.0 * half, half, 1).moved(-Vec3::X * half)
}

/// A flat square in the plane of X and Y around the origin.
pub fn sheet(half: f32, cells: u32) -> Net {
    let mut net = Net::default();
    let at = |i: u32| half * (2.0 * i as f32 / cells as f32 - 1.0);
    for row in 0..=cells {
        net.positions.extend((0..=cells).map(|column| Vec3::new(at(column), at(row), 0.0)));
    }
    for row in 0..cells {
        for column in 0..cells {
            let (here, above) = (row * (cells + 1) + column, (row + 1) * (cells + 1) + column);
            net.triangles.extend([[here, here + 1, above + 1], [here, above + 1, above]]);
        }
    }
    net
}

/// A sphere around the origin with poles on X.
pub fn sphere(radius: f32, rings: u32, sectors: u32) -> Net {
    let height = |x: f32| (radius * radius - (x - radius) * (x - radius)).max(0.0).sqrt();
    let inner = 2.0 * radius * (1.0 - 1.0 / rings as f32);
    let shift = radius / rings as f32;
    let mut net = sleeve(inner, |x| height(x + shift), rings, sectors).moved(Vec3::X * (shift - radius));
    for (ring, is_end) in [(0, false), (rings, true)] {
        let pole = net.positions.len() as u32;
        net.positions.push(Vec3::X * if is_end { radius } else { -radius });
        for sector in 0..sectors {
            let (here, next) = (ring * sectors + sector, ring * sectors + (sector + 1) % sectors);
            net.triangles.push(if is_end { [pole, here, next] } else { [pole, next, here] });
        }
    }
    net
}

/// A model of several nets, each with a bone.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    nets: Vec<Net>,
    nodes: Vec<Node>,
    clips: Vec<(String, Vec<Channel>)>,
}

impl Figure {
    /// Adds a net, which stands at a place at rest.
    pub fn with(mut self, name: &str, net: Net, place: Vec3) -> Self {
        self.nodes.push(Node::new(name, None, Transform::from_translation(place)));
        self.nets.push(net);
        self
    }

    /// Makes the bone of the last net hang from another one, where it is at rest.
    pub fn below(mut self, parent: usize) -> Self {
        let above = self.nodes[parent].rest.translation;
        let last = self.nodes.last_mut().unwrap();
        last.parent = Some(parent);
        last.rest.translation -= above;
        self
    }

    /// Adds a clip; its channels follow.
    pub fn clip(mut self, name: &str) -> Self {
        self.clips.push((name.to_owned(), Vec::new()));
        self
    }

    fn channel(mut self, target: Target, seconds: &[f32], values: Vec<f32>) -> Self {
        let channel =
            Channel { target, interpolation: Interpolation::Linear, times: seconds.to_vec(), values };
        self.clips.last_mut().unwrap().1.push(channel);
        self
    }

    /// Places of a bone in the last clip, one per second.
    pub fn moves(self, node: usize, places: &[Vec3]) -> Self {
        let seconds: Vec<f32> = (0..places.len()).map(|second| second as f32).collect();
        self.channel(Target::Translation(node), &seconds, places.iter().flat_map(|p| p.to_array()).collect())
    }

    /// Turns of a bone in the last clip, one per second.
    pub fn turns(self, node: usize, turns: &[Quat]) -> Self {
        let seconds: Vec<f32> = (0..turns.len()).map(|second| second as f32).collect();
        self.channel(Target::Rotation(node), &seconds, turns.iter().flat_map(|q| q.to_array()).collect())
    }

    /// Scales of a bone in the last clip, one per second.
    pub fn scales(self, node: usize, scales: &[Vec3]) -> Self {
        let seconds: Vec<f32> = (0..scales.len()).map(|second| second as f32).collect();
        self.channel(Target::Scale(node), &seconds, scales.iter().flat_map(|p| p.to_array()).collect())
    }

    /// Scales a bone at rest.
    pub fn scaled(mut self, node: usize, scale: Vec3) -> Self {
        self.nodes[node].rest.scale = scale;
        self
    }

    pub fn shape(&self) -> Arc<Shape> {
        let all = self.nets.iter().cloned().reduce(Net::and).unwrap();
        let owners = (0u32..).zip(&self.nets).flat_map(|(bone, net)| vec![bone; net.positions.len()]);
        let lists: Vec<[(u32, f32); 1]> = owners.map(|bone| [(bone, 1.0)]).collect();
        let skin = Skin::new(self.nets.len(), lists.iter().map(|list| list.as_slice())).unwrap();
        let joint = |node| Joint { node, inverse_bind: DAffine3::IDENTITY };
        let skeleton = Skeleton::new(self.nodes.clone(), (0..self.nodes.len()).map(joint).collect()).unwrap();
        let clips = self.clips.iter().map(|(name, channels)| Clip::new(name, channels.clone()).unwrap());
        let mesh = Mesh::new(all.positions, all.triangles).unwrap();
        let model = Model::new(mesh, skin, skeleton).unwrap().with_clips(clips.collect()).unwrap();
        built(model)
    }

    /// Every frame of all clips, one per second.
    pub fn records(&self) -> Vec<FrameRecord> {
        played(&self.shape(), &AuditOptions::default().with_fps(1.0)).1
    }
}

pub fn built(model: Model) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions::default()).unwrap())
}

/// An audit with all frames of it.
pub fn played(shape: &Arc<Shape>, options: &AuditOptions) -> (Audit, Vec<FrameRecord>) {
    let mut records = Vec::new();
    let audit = audit_with_progress(shape, options, |progress| records.extend(progress.records.to_vec()));
    (audit.unwrap(), records)
}

/// Two nets; the clip `move` takes the second one from afar to a place, where it is in frame 1.
pub fn two(a: Net, b: Net, place: Vec3) -> Figure {
    let away = Vec3::X * 50.0;
    Figure::default().with("a", a, Vec3::ZERO).with("b", b, away).clip("move").moves(1, &[away, place])
}

/// Pairs and depth of two nets, the second at a place.
pub fn depth(a: Net, b: Net, place: Vec3) -> (usize, f32) {
    let records = two(a, b, place).records();
    let contacts = &records[1].contacts;
    assert!(records[0].contacts.is_empty());
    (contacts.iter().map(|c| c.pairs).sum(), contacts.iter().map(|c| c.depth).fold(0.0, f32::max))
}
