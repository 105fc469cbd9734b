# Too much constant memory.
# label: ptxas-resource-limit
# needs: cuda-13.0
echo '__constant__ int c[20000]; __global__ void k(int *p) { p[0] = c[p[1]]; }' > k.cu
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
