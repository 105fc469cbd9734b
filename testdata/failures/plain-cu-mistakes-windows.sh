# Ordinary C++ mistakes in a .cu file, as nvcc.exe prints them.
# lane: e2e
# label: not-cuda
# needs: wine win-cuda-13.0
printf 'int helper() { return undefined_thing }\n__global__ void k(float *x) { x[0] = counter; }\n' > kernels.cu
WINEPATH="$CL_DIR" "$WINE_RUN" "$NVCC_EXE_13_0" -c kernels.cu -o k.obj
