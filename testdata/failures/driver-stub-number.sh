# The stub libcuda cannot name its own error: only the number is printed.
# label: stub-libcuda-at-run
# needs: cuda-12.4
cat > d.c <<'C'
#include <stdio.h>
#include <cuda.h>
int main(void) { CUresult r = cuInit(0); fprintf(stderr, "cuInit failed with error %d\n", r); return r; }
C
mkdir stubs && ln -s "$CUDA_12_4/lib64/stubs/libcuda.so" stubs/libcuda.so.1
gcc d.c -I"$CUDA_12_4/include" -L"$CUDA_12_4/lib64/stubs" -lcuda -o d && LD_LIBRARY_PATH=$PWD/stubs ./d
