# A kernel that launches a kernel: device link done, cudadevrt forgotten in the host link.
# lane: e2e
# label: device-link-incomplete
# needs: cuda-12.4 gcc-12
printf '__global__ void c() {}\n__global__ void p() { c<<<1, 1>>>(); }\nint main() { p<<<1, 1>>>(); return 0; }\n' > k.cu
nvcc="$CUDA_12_4/bin/nvcc -ccbin g++-12 -arch=sm_80"
$nvcc -dc k.cu -o k.o
$nvcc -dlink k.o -lcudadevrt -o dlink.o
g++-12 k.o dlink.o -L"$CUDA_12_4/lib64" -lcudart -o k
