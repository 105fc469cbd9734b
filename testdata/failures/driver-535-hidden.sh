# CUDA_VISIBLE_DEVICES is empty: the shell shows the command, CUDA says error 100.
# lane: e2e
# label: gpu-hidden-by-env
# needs: cuda-12.4 driver-535 gcc-12
cat > r.cu <<'C'
#include <cstdio>
int main() {
  int n = 0;
  cudaError_t e = cudaGetDeviceCount(&n);
  if (e != cudaSuccess) { fprintf(stderr, "cudaGetDeviceCount returned %d\n-> %s\n", (int)e, cudaGetErrorString(e)); return 1; }
}
C
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 r.cu -o r || exit
export LD_LIBRARY_PATH=$BED/driver-535/usr/lib/x86_64-linux-gnu/nvidia/current
set -x
CUDA_VISIBLE_DEVICES= ./r
