# A kernel in a .cpp.
# label: kernel-source-error
# needs: cuda-13.0
cat > k.cpp <<'S'
#include <cuda_runtime.h>
__global__ void k(int *p) { p[threadIdx.x] = 1; }
S
"$CUDA_13_0/bin/nvcc" -c k.cpp -o k.o
