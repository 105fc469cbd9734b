# A program of CUDA 13.0 with the libcuda of driver 535, which serves CUDA 12.2: error 35.
# lane: e2e
# label: driver-older-than-toolkit
# needs: cuda-13.0 driver-535 gcc-12
cat > r.cu <<'C'
#include <cstdio>
int main() {
  int n = 0;
  cudaError_t e = cudaGetDeviceCount(&n);
  if (e != cudaSuccess) { fprintf(stderr, "cudaGetDeviceCount returned %d\n-> %s\n", (int)e, cudaGetErrorString(e)); return 1; }
}
C
"$CUDA_13_0/bin/nvcc" -ccbin g++-12 -cudart static -L"$CUDA_13_0/lib" r.cu -o r &&
	LD_LIBRARY_PATH=$BED/driver-535/usr/lib/x86_64-linux-gnu/nvidia/current ./r
