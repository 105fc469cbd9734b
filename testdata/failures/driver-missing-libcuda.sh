# A program linked to the driver library, started where no driver is.
# label: driver-not-installed-or-loaded
# needs: cuda-12.4
cat > d.c <<'C'
#include <cuda.h>
int main(void) { return cuInit(0); }
C
gcc d.c -I"$CUDA_12_4/include" -L"$CUDA_12_4/lib64/stubs" -lcuda -o d && env -u LD_LIBRARY_PATH ./d
