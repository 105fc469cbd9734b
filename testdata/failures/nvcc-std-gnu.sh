# A standard with GNU extensions, which no nvcc knows.
# label: nvcc-command-malformed
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
"$CUDA_13_0/bin/nvcc" -std=gnu++17 -c k.cu -o k.o
