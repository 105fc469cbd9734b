# PTX of a newer toolkit than the driver knows (its version line is raised, as CUDA 13.4 writes it).
# label: ptx-newer-than-driver
cat > k.cu <<'C'
extern "C" __global__ void k() {}
C
nvcc -ptx -arch=compute_90 -o k.ptx k.cu
sed -i 's/^\.version .*/.version 9.9/' k.ptx
cat > load.cpp <<'C'
#include <cstdio>
#include <cuda.h>
static int bad(const char *what, CUresult r) { const char *n, *s; cuGetErrorName(r, &n); cuGetErrorString(r, &s); fprintf(stderr, "%s failed: %s (%d): %s\n", what, n, r, s); return 1; }
int main() {
    CUdevice d; CUcontext c; CUmodule m; CUresult r;
    cuInit(0); cuDeviceGet(&d, 0); cuDevicePrimaryCtxRetain(&c, d); cuCtxSetCurrent(c);
    if ((r = cuModuleLoad(&m, "k.ptx"))) return bad("cuModuleLoad", r);
}
C
nvcc -o load load.cpp -lcuda && ./load
