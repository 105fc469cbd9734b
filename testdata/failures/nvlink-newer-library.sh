# nvcc 11.8 with the libraries of 12.4: libcudadevrt is newer than nvlink.
# label: mixed-toolkits
# needs: cuda-11.8 cuda-12.4 gcc-11
# lane: e2e
printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); return 0; }\n' > k.cu
"$CUDA_11_8/bin/nvcc" -ccbin g++-11 -arch=sm_80 -rdc=true k.cu -L"$CUDA_12_4/lib64" -o k
