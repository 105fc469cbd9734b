# An instruction of sm_100a for sm_120.
# label: device-feature-needs-newer-arch
# needs: cuda-13.0
echo '__global__ void k() { asm volatile("tcgen05.fence::before_thread_sync;"); }' > k.cu
"$CUDA_13_0/bin/nvcc" -arch=sm_120 -c k.cu -o k.o
