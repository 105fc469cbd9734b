# The CUB of CUDA 13 before the headers of 12.4: it asks for C++17, which the build has.
# label: cccl-version-conflict
# needs: cuda-12.4 cuda-13.0 gcc-12
mkdir own && cp -r "$CUDA_13_0/include/cccl/cub" own/cub
printf '#include <cub/cub.cuh>\nint main() {}\n' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -std=c++17 -arch=sm_70 -Iown -c k.cu -o k.o
