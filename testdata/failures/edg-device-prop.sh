# A member of cudaDeviceProp that CUDA 13 removed, in a .cu.
# label: cuda-api-removed
# needs: cuda-13.0
echo 'int main() { cudaDeviceProp p; return p.clockRate; }' > k.cu
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
