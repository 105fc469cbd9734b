# One object with device code is named twice.
# lane: e2e
# label: kernel-source-error
# needs: cuda-12.4 gcc-12
echo '__device__ int f(int x) { return x + 1; }' > b.cu
echo 'int main() { return 0; }' > m.cu
nvcc="$CUDA_12_4/bin/nvcc -ccbin g++-12 -arch=sm_80"
$nvcc -dc b.cu m.cu
$nvcc b.o b.o m.o -o b
