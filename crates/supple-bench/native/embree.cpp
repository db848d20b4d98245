// Embree: `rtcCollide` on user geometries, one primitive per triangle, and `rtcIntersect1` on triangles.
//
// One thread. Trees are refitted, which takes a dynamic scene of low quality with a geometry of that quality; building them
// anew at low quality takes 5 to 8 times as long. `rtcCollide` cannot be stopped: candidates after the one that was enough are
// not tested.

#include <algorithm>
#include <limits>

#include <embree3/rtcore.h>

#include "shim.h"

namespace {

// One for all, as it owns threads; it lives as long as the process.
RTCDevice device() {
    static RTCDevice device = rtcNewDevice("threads=1");
    return device;
}

struct Scene {
    Mesh mesh;
    RTCScene scene;
    RTCGeometry geometry;

    Scene(const Mesh& mesh, RTCGeometryType type) : mesh(mesh) {
        scene = rtcNewScene(device());
        rtcSetSceneFlags(scene, RTCSceneFlags(RTC_SCENE_FLAG_DYNAMIC | RTC_SCENE_FLAG_ROBUST));
        rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
        geometry = rtcNewGeometry(device(), type);
    }
    Scene(const Scene&) = delete;

    // The first commit builds, later ones refit.
    void attach() {
        rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene, geometry);
        rtcCommitScene(scene);
    }

    ~Scene() {
        rtcReleaseGeometry(geometry);
        rtcReleaseScene(scene);
    }
};

struct Boxes : Scene {
    explicit Boxes(const Mesh& mesh) : Scene(mesh, RTC_GEOMETRY_TYPE_USER) {
        rtcSetGeometryUserPrimitiveCount(geometry, unsigned(mesh.triangle_count));
        rtcSetGeometryUserData(geometry, this);
        rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
        attach();
    }

    static void bounds(const RTCBoundsFunctionArguments* of) {
        const Mesh& mesh = static_cast<const Boxes*>(of->geometryUserPtr)->mesh;
        const uint32_t* corners = mesh.triangles + 3 * size_t(of->primID);
        const float *p = mesh.positions + 3 * size_t(corners[0]), *q = mesh.positions + 3 * size_t(corners[1]),
                    *r = mesh.positions + 3 * size_t(corners[2]);
        RTCBounds& to = *of->bounds_o;
        to.lower_x = std::min({p[0], q[0], r[0]});
        to.lower_y = std::min({p[1], q[1], r[1]});
        to.lower_z = std::min({p[2], q[2], r[2]});
        to.upper_x = std::max({p[0], q[0], r[0]});
        to.upper_y = std::max({p[1], q[1], r[1]});
        to.upper_z = std::max({p[2], q[2], r[2]});
    }

    void refit() {
        rtcCommitGeometry(geometry);
        rtcCommitScene(scene);
    }

    struct Walk {
        Report report;
        void* data;
        bool stopped;
    };

    static void candidates(void* data, RTCCollision* found, unsigned count) {
        Walk& walk = *static_cast<Walk*>(data);
        for (unsigned i = 0; i < count && !walk.stopped; i++) {
            walk.stopped = walk.report(walk.data, found[i].primID0, found[i].primID1);
        }
    }

    static void walk(Boxes& a, Boxes& b, Report report, void* data) {
        Walk walk{report, data, false};
        rtcCollide(a.scene, b.scene, candidates, &walk);
    }
};

struct Triangles : Scene {
    explicit Triangles(const Mesh& mesh) : Scene(mesh, RTC_GEOMETRY_TYPE_TRIANGLE) {
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, mesh.positions, 0,
                                   3 * sizeof(float), mesh.vertex_count);
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh.triangles, 0,
                                   3 * sizeof(uint32_t), mesh.triangle_count);
        attach();
    }

    void refit() {
        rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
        rtcCommitGeometry(geometry);
        rtcCommitScene(scene);
    }

    // The triangle of the first hit, or UINT32_MAX.
    uint32_t cast(const float* origin, const float* direction) const {
        RTCRayHit ray{};
        ray.ray.org_x = origin[0], ray.ray.org_y = origin[1], ray.ray.org_z = origin[2];
        ray.ray.dir_x = direction[0], ray.ray.dir_y = direction[1], ray.ray.dir_z = direction[2];
        ray.ray.tfar = std::numeric_limits<float>::infinity();
        ray.ray.mask = UINT32_MAX;
        ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        ray.hit.primID = RTC_INVALID_GEOMETRY_ID;
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(scene, &context, &ray);
        return ray.hit.primID;
    }
};

}  // namespace

SUPPLE_SHIM(embree, Boxes)

extern "C" void* supple_embree_rays_make(const Mesh* mesh) { return new Triangles(*mesh); }
extern "C" void supple_embree_rays_refit(void* own) { static_cast<Triangles*>(own)->refit(); }
extern "C" void supple_embree_rays_free(void* own) { delete static_cast<Triangles*>(own); }

// Rays are six floats each.
extern "C" void supple_embree_rays_cast(void* own, const float* rays, size_t count, uint32_t* hits) {
    const Triangles& triangles = *static_cast<Triangles*>(own);
    for (size_t i = 0; i < count; i++) hits[i] = triangles.cast(rays + 6 * i, rays + 6 * i + 3);
}
