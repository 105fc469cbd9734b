# A name that CCCL 3 removed.
# lane: e2e
# label: cuda-api-removed
# needs: cuda-13.0
printf '#include <cub/cub.cuh>\nint main() { cub::Max m; }\n' > k.cu
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
