# A program of the driver API, and the linker has no libcuda to find.
# label: libcuda-not-linkable
# needs: cuda-12.4 gcc-12
printf '#include <cuda.h>\nint main() { return cuInit(0); }\n' > d.cpp
g++-12 -I"$CUDA_12_4/include" d.cpp -L"$CUDA_12_4/lib64" -lcuda -o d
