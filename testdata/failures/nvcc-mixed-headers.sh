# Headers of an older release before nvcc's own.
# lane: e2e
# label: mixed-toolkits
# needs: cuda-13.0 cuda-12.4
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
"$CUDA_13_0/bin/nvcc" -I"$CUDA_12_4/include" -c k.cu -o k.o
