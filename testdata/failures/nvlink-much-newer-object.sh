# Objects of nvcc 13.0 linked by 11.8.
# label: nvlink-object-incompatible|mixed-toolkits
# needs: cuda-11.8 cuda-13.0 gcc-11 gcc-12
# lane: e2e
printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); return 0; }\n' > k.cu
"$CUDA_13_0/bin/nvcc" -ccbin g++-12 -arch=sm_80 -dc k.cu -o k.o
"$CUDA_11_8/bin/nvcc" -ccbin g++-11 -arch=sm_80 k.o -o k
