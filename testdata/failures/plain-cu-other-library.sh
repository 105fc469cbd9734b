# A CUDA program that links a library which is not there and not CUDA's.
# lane: e2e
# label: not-cuda
# needs: cuda-12.4 gcc-12
printf '__global__ void k() {}\nint main() { k<<<1,1>>>(); }\n' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 k.cu -lfrobnicate -o k
