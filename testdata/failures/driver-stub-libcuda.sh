# The stub libcuda of the toolkit is first on the loader path.
# label: stub-libcuda-at-run
# needs: cuda-12.4 gcc-12
cat > r.cu <<'C'
#include <cstdio>
int main() {
  int n = 0;
  cudaError_t e = cudaGetDeviceCount(&n);
  if (e != cudaSuccess) { fprintf(stderr, "cudaGetDeviceCount: %s\n", cudaGetErrorString(e)); return 1; }
}
C
mkdir stubs && ln -s "$CUDA_12_4/lib64/stubs/libcuda.so" stubs/libcuda.so.1
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 r.cu -o r && LD_LIBRARY_PATH=$PWD/stubs ./r
