# The runtime of 13.0 says "invalid argument" where older ones said "invalid configuration argument".
# label: kernel-launch-failed|cuda-call-refused
cat > k.cu <<'C'
#include "check.h"
__global__ void k() {}
int main() { k<<<1, 4096>>>(); CHECK(cudaGetLastError()); }
C
nvcc -I"$FAILURES" -o k k.cu && ./k
