// What all shims offer: two meshes of the same triangles, refitted, then walked together.
//
// In: triangles as indices, positions as three floats each, followed by one float that is not used. Out: candidates, i.e. pairs of
// triangles whose boxes overlap, reported one by one; the caller tests them exactly, and may ask to stop.
#pragma once

#include <cstddef>
#include <cstdint>

struct Mesh {
    const uint32_t* triangles;
    size_t triangle_count;
    // They stay where they are; a refit reads them.
    const float* positions;
    size_t vertex_count;
};

// Returns whether to stop.
using Report = bool (*)(void* data, uint32_t triangle_a, uint32_t triangle_b);

// The four functions of a library.
#define SUPPLE_SHIM(NAME, TYPE)                                                                                  \
    extern "C" void* supple_##NAME##_make(const Mesh* mesh) { return new TYPE(*mesh); }                          \
    extern "C" void supple_##NAME##_refit(void* own) { static_cast<TYPE*>(own)->refit(); }                       \
    extern "C" void supple_##NAME##_walk(void* a, void* b, Report report, void* data) {                          \
        TYPE::walk(*static_cast<TYPE*>(a), *static_cast<TYPE*>(b), report, data);                                \
    }                                                                                                            \
    extern "C" void supple_##NAME##_free(void* own) { delete static_cast<TYPE*>(own); }
