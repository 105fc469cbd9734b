# label: kernel-illegal-address
cat > k.cu <<'C'
#include "check.h"
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, 32>>>((int *)0x1000); CHECK(cudaDeviceSynchronize()); }
C
nvcc -I"$FAILURES" -o k k.cu && ./k
