# A host function in a kernel.
# label: kernel-source-error
# needs: cuda-13.0
printf '#include <cstdlib>\n__global__ void k(int *p) { p[0] = rand(); }\n' > k.cu
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
