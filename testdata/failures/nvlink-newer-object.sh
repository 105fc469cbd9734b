# Objects of nvcc 13.0 linked by 12.4.
# lane: e2e
# label: nvlink-object-incompatible|mixed-toolkits
# needs: cuda-12.4 cuda-13.0 gcc-12
printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); return 0; }\n' > k.cu
"$CUDA_13_0/bin/nvcc" -ccbin g++-12 -arch=sm_80 -dc k.cu -o k.o
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -arch=sm_80 k.o -o k
