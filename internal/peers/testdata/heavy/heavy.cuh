// What the files of this set share, so that one header is used by all of them.
#pragma once
#include <cuda_runtime.h>

struct particle {
    float x, y, z;
    int cell;
};

__host__ __device__ inline float weight(const particle &p) { return p.x * p.x + p.y * p.y + p.z * p.z; }
