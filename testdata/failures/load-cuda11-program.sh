# A program of CUDA 11 where only the libraries of CUDA 12 are.
# label: wheel-built-for-other-cuda
# needs: cuda-11.8 cuda-12.4 gcc-11
# lane: e2e
echo 'int main() { return cudaDeviceSynchronize(); }' > a.cu
"$CUDA_11_8/bin/nvcc" -ccbin g++-11 -cudart shared a.cu -o a || exit
"$CUDA_12_4/bin/nvcc" --version
LD_LIBRARY_PATH=$CUDA_12_4/lib64 ./a
