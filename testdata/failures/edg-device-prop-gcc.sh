# The same in a .cpp.
# label: cuda-api-removed
# needs: cuda-13.0
printf '#include <cuda_runtime.h>\nint main() { cudaDeviceProp p; return p.memoryClockRate; }\n' > k.cpp
g++ -I"$CUDA_13_0/include" -c k.cpp -o k.o
