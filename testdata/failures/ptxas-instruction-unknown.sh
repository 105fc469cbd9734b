# An instruction that is newer than this ptxas.
# lane: e2e
# label: toolkit-too-old-for-project
# needs: cuda-12.4 gcc-12
echo '__global__ void k() { asm volatile("tcgen05.fence::before_thread_sync;"); }' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -arch=sm_90a -c k.cu -o k.o
