# Relocatable device code linked by g++, without a device link.
# label: device-link-incomplete
# needs: cuda-12.4 gcc-12
printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); return 0; }\n' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -arch=sm_80 -dc k.cu -o k.o
g++-12 k.o -L"$CUDA_12_4/lib64" -lcudart -o k
