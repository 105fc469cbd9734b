# Thrust of the toolkit with the CUB of another release.
# label: cccl-version-conflict
# needs: cuda-12.4 gcc-12
mkdir own && cp -r "$CUDA_12_4/include/cub" own/cub
sed -i 's/#define CUB_VERSION .*/#define CUB_VERSION 100800/' own/cub/version.cuh
printf '#include <thrust/device_vector.h>\nint main() {}\n' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -std=c++17 -Iown -c k.cu -o k.o
