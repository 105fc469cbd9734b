# label: kernel-illegal-address|kernel-launch-failed
cat > k.cu <<'C'
#include "check.h"
__global__ void k(char *p) { *(int *)(p + 1) = 1; }
int main() { char *p; CHECK(cudaMalloc(&p, 64)); k<<<1, 1>>>(p); CHECK(cudaDeviceSynchronize()); }
C
nvcc -I"$FAILURES" -o k k.cu && ./k
