# label: gpu-hidden-by-env
cat > k.cu <<'C'
#include "check.h"
int main() { int n; CHECK(cudaGetDeviceCount(&n)); }
C
nvcc -I"$FAILURES" -o k k.cu && set -x && CUDA_VISIBLE_DEVICES= ./k
