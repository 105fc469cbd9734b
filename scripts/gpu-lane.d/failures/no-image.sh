# label: binary-lacks-gpu-arch
cat > k.cu <<'C'
#include "check.h"
__global__ void k() {}
int main() { k<<<1, 1>>>(); CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize()); }
C
nvcc -gencode arch=compute_75,code=sm_75 -I"$FAILURES" -o k k.cu && ./k
