// Bullet: the box tree of GImpact, which is what Bullet has for deforming meshes against each other.
//
// Two of them. `btGImpactMeshShape` itself uses a quantised one, whose refit keeps the bounds that it was built with, a unit
// around the mesh, and rounds boxes to the nearest step: what leaves those bounds or touches within a step may be lost. The other is
// the same without quantisation. Both collect all candidates before the first can be tested.

#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactBvh.h>
#include <BulletCollision/Gimpact/btGImpactQuantizedBvh.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include "shim.h"

namespace {

template <class Tree>
struct Bullet {
    btTriangleIndexVertexArray arrays;
    btGImpactMeshShapePart part;
    Tree tree;
    btPairSet pairs;

    explicit Bullet(const Mesh& mesh)
        : arrays(int(mesh.triangle_count), reinterpret_cast<int*>(const_cast<uint32_t*>(mesh.triangles)), 3 * sizeof(int),
                 int(mesh.vertex_count), const_cast<float*>(mesh.positions), 3 * sizeof(float)),
          part(&arrays, 0) {
        static_assert(sizeof(btScalar) == sizeof(float), "positions are shared");
        part.setMargin(0);
        part.lockChildShapes();
        tree.setPrimitiveManager(part.getTrimeshPrimitiveManager());
        tree.buildSet();
    }

    void refit() { tree.update(); }

    static void walk(Bullet& a, Bullet& b, Report report, void* data) {
        auto identity = btTransform::getIdentity();
        a.pairs.resize(0);
        Tree::find_collision(&a.tree, identity, &b.tree, identity, a.pairs);
        for (int i = 0; i < a.pairs.size(); i++) {
            if (report(data, uint32_t(a.pairs[i].m_index1), uint32_t(a.pairs[i].m_index2))) return;
        }
    }
};

}  // namespace

using Quantised = Bullet<btGImpactQuantizedBvh>;
using Unquantised = Bullet<btGImpactBvh>;

SUPPLE_SHIM(bullet_quantised, Quantised)
SUPPLE_SHIM(bullet, Unquantised)
