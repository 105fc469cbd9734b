# label: kernel-launch-failed
cat > k.cu <<'C'
#include "check.h"
__global__ void k() { __trap(); }
int main() { k<<<1, 1>>>(); CHECK(cudaDeviceSynchronize()); }
C
nvcc -I"$FAILURES" -o k k.cu && ./k
