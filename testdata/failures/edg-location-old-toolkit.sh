# cudaMemPrefetchAsync as CUDA 13 has it, with 11.8.
# label: toolkit-too-old-for-project
# needs: cuda-11.8 gcc-11
# lane: e2e
printf 'int main() { cudaMemLocation l{cudaMemLocationTypeDevice, 0}; cudaMemPrefetchAsync((void*)0, 1, l, 0, (cudaStream_t)0); }\n' > k.cu
"$CUDA_11_8/bin/nvcc" -ccbin g++-11 -c k.cu -o k.o
