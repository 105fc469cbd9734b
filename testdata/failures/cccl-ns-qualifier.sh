# CUB with the old way of wrapping its namespace.
# label: cccl-version-conflict
# needs: cuda-12.4 gcc-12
printf '#define CUB_NS_PREFIX namespace my {\n#define CUB_NS_POSTFIX }\n#include <cub/cub.cuh>\n' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -std=c++17 -c k.cu -o k.o
