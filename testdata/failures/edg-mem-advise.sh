# The int form of cudaMemPrefetchAsync, which CUDA 13 removed.
# label: cuda-api-removed
# needs: cuda-13.0
echo 'int main() { cudaMemPrefetchAsync(0, 0, 0, 0); }' > k.cu
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
