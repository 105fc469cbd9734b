# Two device links of the same objects in one program.
# label: device-link-incomplete
# needs: cuda-12.4 gcc-12
printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); return 0; }\n' > k.cu
nvcc="$CUDA_12_4/bin/nvcc -ccbin g++-12 -arch=sm_80"
$nvcc -dc k.cu -o k.o
$nvcc -dlink k.o -o d1.o && $nvcc -dlink k.o -o d2.o
g++-12 k.o d1.o d2.o -L"$CUDA_12_4/lib64" -lcudart -o k
