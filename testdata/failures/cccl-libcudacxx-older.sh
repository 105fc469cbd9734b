# The libcu++ of 12.4 before the headers of CUDA 13.
# label: cccl-version-conflict
# needs: cuda-12.4 cuda-13.0
mkdir own && cp -r "$CUDA_12_4/include/cuda" own/cuda
printf '#include <cub/cub.cuh>\nint main() {}\n' > k.cu
"$CUDA_13_0/bin/nvcc" -arch=sm_80 -Iown -c k.cu -o k.o
