# A .cu object without -fPIC in a shared library.
# lane: e2e
# label: object-not-linkable
# needs: cuda-12.4 gcc-12
printf '__global__ void k() {}\nint g = 7;\nint *gp() { k<<<1, 1>>>(); return &g; }\n' > k.cu
set -x
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -arch=sm_80 -Xcompiler -fno-PIC -c k.cu -o k.o
g++-12 -shared k.o -L"$CUDA_12_4/lib64" -lcudart -o libk.so
