# The program calls cudart, and only a library of the link names it.
# label: cudart-not-linked
# needs: cuda-12.4 gcc-12
printf '#include <cuda_runtime_api.h>\nint use() { void *p; return cudaMalloc(&p, 4); }\n' > u.cpp
printf '#include <cuda_runtime_api.h>\nint use();\nint main() { void *p; return use() + cudaMalloc(&p, 4); }\n' > m.cpp
g++-12 -shared -fPIC -I"$CUDA_12_4/include" u.cpp -L"$CUDA_12_4/lib64" -lcudart -o libu.so
g++-12 -I"$CUDA_12_4/include" m.cpp -L. -lu -Wl,-rpath-link,"$CUDA_12_4/lib64" -o m
