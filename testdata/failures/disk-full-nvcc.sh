# nvcc's assembler meets a full disk.
# lane: e2e
# label: not-cuda
# needs: cuda-12.4 gcc-12
echo '__global__ void k() {}' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -c k.cu -o /dev/full
