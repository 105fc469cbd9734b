# Warp functions without a mask.
# label: cuda-api-removed
# needs: cuda-13.0
echo '__global__ void k(int *p) { p[0] = __shfl_down(p[0], 1); }' > k.cu
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
