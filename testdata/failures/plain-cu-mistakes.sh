# Ordinary C++ mistakes in a .cu file.
# label: not-cuda
# needs: cuda-13.0
printf 'int helper() { return undefined_thing }\n__global__ void k(float *x) { x[0] = counter; }\n' > kernels.cu
"$CUDA_13_0/bin/nvcc" -c kernels.cu -o k.o
