// What programs commonly print when a CUDA call fails.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t e = (call);                                                                                        \
        if (e != cudaSuccess) {                                                                                        \
            fprintf(stderr, "CUDA error %d at %s:%d: %s\n", (int)e, __FILE__, __LINE__, cudaGetErrorString(e));        \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
