# A .cu file that includes a header of the project which is not there.
# label: not-cuda
# needs: cuda-12.4 gcc-12
printf '#include "missing_widget.h"\n__global__ void k() {}\n' > k.cu
printf 'all:\n\t%s -ccbin g++-12 -c k.cu -o k.o\n' "$CUDA_12_4/bin/nvcc" > Makefile
make
