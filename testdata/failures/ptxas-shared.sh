# Too much static shared memory.
# label: ptxas-resource-limit
# needs: cuda-13.0
echo '__global__ void k(float *p) { __shared__ float s[20000]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[threadIdx.x ^ 1]; }' > k.cu
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
