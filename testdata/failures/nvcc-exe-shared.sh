# nvcc.exe with a kernel that has too much shared memory.
# label: ptxas-resource-limit
# needs: wine win-cuda-13.0
echo '__global__ void k(float *p) { __shared__ float s[20000]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[threadIdx.x ^ 1]; }' > k.cu
WINEPATH="$CL_DIR" "$WINE_RUN" "$NVCC_EXE_13_0" -c k.cu -o k.obj
