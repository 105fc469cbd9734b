# A program of CUDA 12.4 is given a libcudart.so.12 that lacks its functions.
# lane: e2e
# label: mixed-toolkits
# needs: cuda-12.4 gcc-12
printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n' > a.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -cudart shared -arch=sm_80 a.cu -o a || exit
mkdir old
echo 'int cudaDeviceSynchronize(void) { return 0; }' | gcc -shared -fPIC -x c - -Wl,-soname,libcudart.so.12 -o old/libcudart.so.12
LD_LIBRARY_PATH=$PWD/old ./a
