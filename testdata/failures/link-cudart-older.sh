# Objects of nvcc 13.0 with the cudart of 11.8.
# label: mixed-toolkits
# needs: cuda-13.0 cuda-11.8 gcc-12
# lane: e2e
printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); return 0; }\n' > k.cu
"$CUDA_13_0/bin/nvcc" -ccbin g++-12 -arch=sm_80 -c k.cu -o k.o
g++-12 k.o -L"$CUDA_11_8/lib64" -lcudart -o k
