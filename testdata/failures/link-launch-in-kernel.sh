# A kernel that launches a kernel, compiled without -rdc=true.
# lane: e2e
# label: device-link-incomplete
# needs: cuda-12.4 gcc-12
printf '__global__ void c() {}\n__global__ void p() { c<<<1, 1>>>(); }\n' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -arch=sm_80 -c k.cu -o k.o
