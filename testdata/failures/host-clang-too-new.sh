# clang newer than the toolkit accepts.
# label: host-compiler-too-new
# needs: cuda-11.8 wine
# lane: e2e
echo '__global__ void k() {}' > k.cu
"$CUDA_11_8/bin/nvcc" -ccbin clang++-16 -c k.cu -o k.o
