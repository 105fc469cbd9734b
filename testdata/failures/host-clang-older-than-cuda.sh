# clang as the CUDA compiler with a toolkit that is newer than it knows.
# label: host-compiler-not-accepted
# needs: cuda-13.0 wine
echo '__global__ void k() {}' > k.cu
clang++-16 -x cuda --cuda-path="$CUDA_13_0" --cuda-gpu-arch=sm_80 -c k.cu -o k.o
