# A runtime program without any driver says error 35; the shell shows that nvidia-smi is not there either.
# lane: e2e
# label: driver-not-installed-or-loaded
# needs: cuda-12.4 gcc-12
cat > r.cu <<'C'
#include <cstdio>
int main() {
  int n = 0;
  cudaError_t e = cudaGetDeviceCount(&n);
  if (e != cudaSuccess) { fprintf(stderr, "CUDA failure %d: %s\n", (int)e, cudaGetErrorString(e)); return 1; }
}
C
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 r.cu -o r && ! env -u LD_LIBRARY_PATH ./r && nvidia-smi
