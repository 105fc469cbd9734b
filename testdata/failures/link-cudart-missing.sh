# -lcudart without the folder that has it, with three linkers.
# label: cuda-lib-dir-not-searched
# needs: cuda-12.4 gcc-12
printf '#include <cuda_runtime_api.h>\nint main() { void *p; return cudaMalloc(&p, 4); }\n' > h.cpp
g++-12 -I"$CUDA_12_4/include" h.cpp -lcudart -lcublas -o h
g++-12 -fuse-ld=gold -I"$CUDA_12_4/include" h.cpp -lcudart -o h
