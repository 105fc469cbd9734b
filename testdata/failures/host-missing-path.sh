# No compiler on PATH.
# label: host-compiler-missing
# needs: cuda-13.0
echo '__global__ void k() {}' > k.cu
mkdir empty
PATH=$PWD/empty "$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
