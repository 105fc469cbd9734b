# label: stub-libcuda-at-run
cat > k.cu <<'C'
#include "check.h"
int main() { int n; CHECK(cudaGetDeviceCount(&n)); }
C
nvcc -I"$FAILURES" -o k k.cu
mkdir stubs; cp "$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")"/lib64/stubs/libcuda.so stubs/libcuda.so.1
LD_LIBRARY_PATH=$PWD/stubs ./k
