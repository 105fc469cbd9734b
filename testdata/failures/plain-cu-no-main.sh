# A file with a kernel only, linked as a program.
# lane: e2e
# label: not-cuda
# needs: cuda-12.4 gcc-12
echo '__global__ void k(float *x) { x[0] = 1; }' > kernels.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 kernels.cu -o k
