# lld's words for a library that it does not find.
# label: cuda-lib-dir-not-searched
# needs: cuda-12.4 gcc-12 wine
printf '#include <cuda_runtime_api.h>\nint main() { void *p; return cudaMalloc(&p, 4); }\n' > h.cpp
clang++-16 -fuse-ld=lld -I"$CUDA_12_4/include" h.cpp -lcudart -o h
