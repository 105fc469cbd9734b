# gcc newer than the toolkit accepts.
# label: host-compiler-too-new
# needs: cuda-11.8 gcc-12
# lane: e2e
echo '__global__ void k() {}' > k.cu
"$CUDA_11_8/bin/nvcc" -ccbin g++-12 -c k.cu -o k.o
