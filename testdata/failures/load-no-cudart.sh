# A program linked with the shared CUDA runtime, started where the loader does not find it.
# label: cudart-lib-not-found
# needs: cuda-12.4 gcc-12
echo 'int main() { return cudaDeviceSynchronize(); }' > a.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -cudart shared a.cu -o a && ./a
