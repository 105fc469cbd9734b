# label: device-feature-needs-newer-arch|wheel-built-for-other-cuda
cat > k.cu <<'C'
extern "C" __global__ void k() {}
C
nvcc -ptx -arch=compute_80 -o k.ptx k.cu
cat > load.cpp <<'C'
#include <cstdio>
#include <cuda.h>
int main() {
    CUdevice d; CUcontext c; CUmodule m; CUfunction f; CUresult r; const char *s;
    cuInit(0); cuDeviceGet(&d, 0); cuDevicePrimaryCtxRetain(&c, d); cuCtxSetCurrent(c); cuModuleLoad(&m, "k.ptx");
    if ((r = cuModuleGetFunction(&f, m, "other"))) { cuGetErrorString(r, &s); fprintf(stderr, "DriverError(CUDA_ERROR_NOT_FOUND, \"%s\") when loading other\n", s); return 1; }
}
C
nvcc -o load load.cpp -lcuda && ./load
