# cudafe++ refused memory.
# label: compile-resources-exhausted
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
ulimit -v 60000
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
