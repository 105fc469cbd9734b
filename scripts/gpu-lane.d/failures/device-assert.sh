# label: kernel-launch-failed
cat > k.cu <<'C'
#include "check.h"
#include <cassert>
__global__ void k(int n) { assert(n > 3); }
int main() { k<<<1, 1>>>(1); CHECK(cudaDeviceSynchronize()); }
C
nvcc -I"$FAILURES" -o k k.cu && ./k
