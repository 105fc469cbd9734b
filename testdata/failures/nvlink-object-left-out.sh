# The object that defines a device function is not in the link.
# label: device-link-incomplete
# needs: cuda-12.4 gcc-12
printf '__device__ int f(int);\n__global__ void k(int *p) { *p = f(*p); }\nint main() { return 0; }\n' > a.cu
nvcc="$CUDA_12_4/bin/nvcc -ccbin g++-12 -arch=sm_80"
$nvcc -dc a.cu -o a.o
$nvcc a.o -o a
