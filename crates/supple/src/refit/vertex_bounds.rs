//! Bodies whose vertices are given: bounds from the vertices themselves, all at once or those of twigs on demand.
//!
//! Must hold: a bound contains every vertex below its node, as it was placed; what is eager is done once per kind of volume.

use std::sync::Arc;

use glam::Vec3;

use super::cache::Cache;
use super::children::{Children, EightVolumes};
use super::given_vertices::check_positions;
use super::mode::Mode;
use super::volume::Volume;
use super::{Body, VertexUpdate};
use crate::answer::QueryStats;
use crate::math::Isometry;
use crate::pose::PoseError;
use crate::tree::{Tree, rebuilt};

impl Body {
    /// Takes one position per vertex of the mesh, from a simulation of cloth or a cache of vertices: the body is where these are,
    /// moved by its placement, until the next pose or joint matrices. Where the placement is the identity, posed vertices are
    /// exactly these numbers; otherwise see [`position`](Self::position).
    ///
    /// Copies and checks; bounds are computed when a query first looks at the body, as `update` says (but
    /// [`VertexUpdate::Rebuild`] builds its tree here). All queries work. What they know of joints (owners of triangles, filters of
    /// self-collision, rest points) is the model's; [`time_of_contact`](crate::time_of_contact) sets poses and is not about
    /// given vertices.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use glam::Vec3;
    /// use supple::{Body, BuildOptions, Mesh, Model, Shape, Skinning, VertexUpdate};
    ///
    /// let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
    /// let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
    /// let mut floor = Body::new(&shape, Skinning::Linear)?;
    /// let mut cloth = Body::new(&shape, Skinning::Linear)?;
    /// cloth.set_vertices(&[Vec3::Z, Vec3::X + Vec3::Z, Vec3::Y * 0.5 - Vec3::Z], VertexUpdate::BottomUp)?;
    /// assert_eq!(supple::collide(&mut floor, &mut cloth).found, [[0, 0]]);
    /// cloth.set_vertices(&[Vec3::Z, Vec3::X + Vec3::Z, Vec3::Y + Vec3::Z * 0.1], VertexUpdate::Hybrid)?;
    /// assert!(supple::collide(&mut floor, &mut cloth).found.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A wrong number of positions, or one that is not finite or farther than 1e18 from the origin, before or after it is
    /// placed; the body is then unchanged.
    pub fn set_vertices(&mut self, positions: &[Vec3], update: VertexUpdate) -> Result<(), PoseError> {
        let placement = self.placement.checked().ok_or(PoseError::NotRigid)?;
        let mesh = self.model().mesh();
        check_positions(positions, mesh.positions().len(), &placement)?;
        let tree = match update {
            VertexUpdate::Rebuild => Arc::new(rebuilt(self.shape.tree(), positions, mesh.triangles())),
            VertexUpdate::BottomUp | VertexUpdate::Hybrid => Arc::clone(self.shape.tree()),
        };
        self.vertices.set(positions, &placement);
        self.mode = Mode::Vertices(update);
        self.take_tree(tree);
        Ok(())
    }

    /// Moves given vertices.
    pub(super) fn place_vertices(&mut self, placement: Isometry) -> Result<(), PoseError> {
        let checked = placement.checked().ok_or(PoseError::NotRigid)?;
        self.vertices.check_placement(&checked)?;
        self.vertices.set_placement(&checked);
        self.placement = placement;
        self.cache.forget();
        Ok(())
    }

    /// Whether vertices were given. Nothing follows from joints then, nor from how far apart vertices are at rest.
    pub(crate) fn has_given_vertices(&self) -> bool {
        self.mode != Mode::Joints
    }

    /// Edges at which the surface is open: edges of an odd number of triangles.
    pub(crate) fn open_edges(&mut self) -> usize {
        match self.mode {
            Mode::Vertices(_) => self.vertices.odd_edges(self.shape.model().mesh().triangles()),
            Mode::Joints => self.shape.edge_counts().odd,
        }
    }

    /// Where the bounds of a node's children are, which are not there yet.
    pub(super) fn bound_by_vertices<V: Volume>(
        &mut self,
        node: usize,
        update: VertexUpdate,
        stats: &mut QueryStats,
    ) -> usize {
        self.pose_everything(stats);
        let Self { tree, cache, .. } = self;
        let above_root = tree.nodes.len();
        V::stored(cache).make_room(above_root + 1);
        if V::stored(cache).find(above_root).is_none() {
            let above_twigs = tree.above_twigs.iter().rev().map(|&parent| parent as usize);
            let inner = |node: &usize| !tree.nodes[*node].is_leaf() && tree.nodes[*node].twig().is_some();
            let in_twigs = (0..above_root).filter(|node| update != VertexUpdate::Hybrid && inner(node));
            for parent in above_twigs.chain([above_root]).chain(in_twigs) {
                // Boxes are there already, but for the root's.
                if V::stored(cache).find(parent).is_none() {
                    bound_children::<V>(tree, parent, cache, stats);
                }
            }
        }
        match V::stored(cache).find(node) {
            Some(entry) => entry,
            None => bound_children::<V>(tree, node, cache, stats),
        }
    }
}

/// Bounds the children of a node. All vertices are there, and so are the children's own children where they are above twigs.
fn bound_children<V: Volume>(tree: &Tree, parent: usize, cache: &mut Cache, stats: &mut QueryStats) -> usize {
    let mut bounds = Children::<V>::of(tree, parent);
    for (lane, child) in tree.children(parent).enumerate() {
        let node = &tree.nodes[child];
        let bound = match node.twig() {
            Some(twig) => {
                debug_assert!(cache.twigs.has(twig), "all vertices are there");
                V::in_twig(tree, child, cache.twigs.points())
            }
            None => {
                let known = V::stored_ref(cache).find(child).expect("nodes are bounded from below");
                V::around_children(V::stored_ref(cache).get(known))
            }
        };
        bounds.bounds.set(lane, &bound);
    }
    stats.refits += u64::from(bounds.count);
    let stored = V::stored(cache);
    let entry = stored.insert(parent, Children::nowhere);
    *stored.get_mut(entry) = bounds;
    entry
}
