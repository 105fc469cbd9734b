# Driver API calls and no -lcuda.
# label: driver-api-not-linked
# needs: cuda-12.4 gcc-12
printf '#include <cuda.h>\nint main() { return cuInit(0); }\n' > d.cpp
g++-12 -I"$CUDA_12_4/include" d.cpp -o d
