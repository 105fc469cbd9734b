# Link-time optimisation with a toolkit that has no libnvvm where nvlink looks.
# lane: e2e
# label: toolkit-incomplete
# needs: cuda-12.4 gcc-12
printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); return 0; }\n' > k.cu
nvcc="$CUDA_12_4/bin/nvcc -ccbin g++-12 -arch=sm_80"
$nvcc -dlto -dc k.cu -o k.o
$nvcc -dlto k.o -o k
