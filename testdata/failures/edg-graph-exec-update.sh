# cudaGraphExecUpdate as CUDA 11 has it.
# label: cuda-api-removed
# needs: cuda-13.0
printf '#include <cuda_runtime.h>\nvoid f(cudaGraphExec_t e, cudaGraph_t g) { cudaGraphNode_t n; cudaGraphExecUpdateResult r; cudaGraphExecUpdate(e, g, &n, &r); }\n' > k.cpp
g++ -I"$CUDA_13_0/include" -c k.cpp -o k.o
