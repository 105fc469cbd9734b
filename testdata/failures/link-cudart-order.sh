# -lcudart in front of the static library that needs it.
# label: cudart-not-linked
# needs: cuda-12.4 gcc-12
printf '#include <cuda_runtime_api.h>\nint use() { void *p; return cudaMalloc(&p, 4); }\n' > u.cpp
echo 'int use(); int main() { return use(); }' > m.cpp
g++-12 -c -I"$CUDA_12_4/include" u.cpp && ar rc libu.a u.o
set -x
g++-12 m.cpp -L"$CUDA_12_4/lib64" -L. -Wl,--as-needed -lcudart_static -lu -ldl -lrt -lpthread -o m
