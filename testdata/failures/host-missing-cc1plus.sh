# A gcc without its C++ compiler.
# label: host-compiler-missing
# needs: cuda-13.0 gcc-12
echo '__global__ void k() {}' > k.cu
mkdir bin && cp "$(readlink -f "$(command -v gcc-12)")" bin/gcc
PATH=$PWD/bin "$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
