# A source file that includes NCCL's header, which is not installed.
# label: nccl-not-found
# needs: cuda-12.4 gcc-12
printf '#include <nccl.h>\n__global__ void k() {}\n' > n.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -arch=sm_80 -c n.cu -o n.o
