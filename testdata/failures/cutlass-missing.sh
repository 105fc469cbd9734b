# A clone without its submodules.
# label: cutlass-missing
# needs: cuda-13.0 gcc-12
mkdir -p csrc/cutlass/include
printf '#include "cute/tensor.hpp"\n__global__ void k() {}\n' > k.cu
"$CUDA_13_0/bin/nvcc" -ccbin g++-12 -Icsrc/cutlass/include -c k.cu -o k.o
