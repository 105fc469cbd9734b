# A flag of gcc given to nvcc.
# label: nvcc-command-malformed
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
"$CUDA_13_0/bin/nvcc" -Wall -c k.cu -o k.o
