# A library was linked with the stub libcuda; the program that uses it cannot find libcuda.so.1.
# label: libcuda-not-linkable
# needs: cuda-12.4 gcc-12
printf '#include <cuda.h>\nint use() { return cuInit(0); }\n' > u.cpp
echo 'int use(); int main() { return use(); }' > m.cpp
g++-12 -shared -fPIC -I"$CUDA_12_4/include" u.cpp -L"$CUDA_12_4/lib64/stubs" -lcuda -o libu.so
g++-12 m.cpp -L. -lu -Wl,-rpath-link,"$CUDA_12_4/lib64/stubs" -o m
