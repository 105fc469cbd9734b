# -gencode without its keywords.
# label: nvcc-command-malformed
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
"$CUDA_13_0/bin/nvcc" -gencode compute_80 -c k.cu -o k.o
