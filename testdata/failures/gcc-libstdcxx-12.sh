# libstdc++ 12 with a front end made before it: clang takes the newest on the machine.
# label: libstdcxx-too-new-for-nvcc
# needs: cuda-11.8 gcc-12 wine
# lane: e2e
printf '#include <cstdio>\n__global__ void k() {}\n' > k.cu
"$CUDA_11_8/bin/nvcc" -allow-unsupported-compiler -ccbin clang++-16 -c k.cu -o k.o
