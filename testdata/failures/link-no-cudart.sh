# Objects of nvcc linked by g++ without cudart.
# label: cudart-not-linked
# needs: cuda-12.4 gcc-12
printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); return 0; }\n' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -arch=sm_80 -c k.cu -o k.o
g++-12 k.o -o k
