# A device function of another file without -dc.
# label: device-link-incomplete
# needs: cuda-12.4 gcc-12
printf '__device__ int f(int);\n__global__ void k(int *p) { *p = f(*p); }\n' > a.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -arch=sm_80 -c a.cu -o a.o
