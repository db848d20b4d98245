// FCL: a BVHModel of boxes in single precision, its vertices replaced and its tree refitted from below.
//
// `beginReplaceModel`, not `beginUpdateModel`: the latter keeps the last frame too, and bounds the motion between both.
// The walk is FCL's own; a leaf reports its triangles instead of testing them.

#include <vector>

#include <fcl/math/bv/utility.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/detail/traversal/collision/bvh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/traversal_recurse.h>

#include "shim.h"

namespace {

using Volume = fcl::AABB<float>;
using Vector = fcl::Vector3<float>;

struct Candidates : fcl::detail::BVHCollisionTraversalNode<Volume> {
    Report report;
    void* data;
    mutable bool stopped = false;

    void leafTesting(int a, int b) const override {
        auto triangle_a = this->model1->getBV(a).primitiveId(), triangle_b = this->model2->getBV(b).primitiveId();
        stopped = report(data, uint32_t(triangle_a), uint32_t(triangle_b));
    }
    bool canStop() const override { return stopped; }
};

struct Fcl {
    Mesh mesh;
    std::vector<Vector> positions;
    fcl::BVHModel<Volume> model;

    explicit Fcl(const Mesh& mesh) : mesh(mesh), positions(mesh.vertex_count) {
        read();
        std::vector<fcl::Triangle> triangles;
        for (size_t t = 0; t < mesh.triangle_count; t++) {
            const uint32_t* corners = mesh.triangles + 3 * t;
            triangles.emplace_back(corners[0], corners[1], corners[2]);
        }
        model.beginModel(int(mesh.triangle_count), int(mesh.vertex_count));
        model.addSubModel(positions, triangles);
        model.endModel();
    }

    void read() {
        for (size_t v = 0; v < mesh.vertex_count; v++) {
            const float* p = mesh.positions + 3 * v;
            positions[v] = Vector(p[0], p[1], p[2]);
        }
    }

    void refit() {
        read();
        model.beginReplaceModel();
        model.replaceSubModel(positions);
        model.endReplaceModel(true, true);
    }

    static void walk(const Fcl& a, const Fcl& b, Report report, void* data) {
        Candidates candidates;
        candidates.model1 = &a.model;
        candidates.model2 = &b.model;
        candidates.report = report;
        candidates.data = data;
        fcl::detail::collisionRecurse<float>(&candidates, 0, 0, nullptr);
    }
};

}  // namespace

SUPPLE_SHIM(fcl, Fcl)
