# A list where one architecture is wanted.
# label: nvcc-command-malformed
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
"$CUDA_13_0/bin/nvcc" -arch=sm_80,sm_86 -c k.cu -o k.o
