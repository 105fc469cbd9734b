# A header that CCCL 3 removed.
# label: cuda-api-removed
# needs: cuda-13.0
printf '#include <thrust/optional.h>\n' > k.cu
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
