# The driver's prefetch as CUDA 12 has it, in C with gcc.
# label: cuda-api-removed
# needs: cuda-13.0
printf '#include <cuda.h>\nvoid f(CUdeviceptr p) { cuMemPrefetchAsync(p, 1, 0, 0); }\n' > k.c
gcc -I"$CUDA_13_0/include" -c k.c -o k.o
