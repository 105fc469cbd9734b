# libcuda of a driver whose kernel module is not loaded: error 100 from the driver API.
# label: driver-not-installed-or-loaded
# needs: cuda-12.4 driver-535
cat > d.c <<'C'
#include <stdio.h>
#include <cuda.h>
int main(void) {
  const char *name, *text;
  CUresult r = cuInit(0);
  cuGetErrorName(r, &name), cuGetErrorString(r, &text);
  fprintf(stderr, "cuInit: %s: %s\n", name, text);
  return r != 0;
}
C
gcc d.c -I"$CUDA_12_4/include" -L"$CUDA_12_4/lib64/stubs" -lcuda -o d &&
	LD_LIBRARY_PATH=$BED/driver-535/usr/lib/x86_64-linux-gnu/nvidia/current ./d
