# -ccbin names a program that is no compiler.
# label: host-compiler-not-accepted
# needs: cuda-13.0
echo '__global__ void k() {}' > k.cu
"$CUDA_13_0/bin/nvcc" -ccbin /bin/true -c k.cu -o k.o
