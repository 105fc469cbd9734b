# CCCL of 13.4 with MSVC's old preprocessor.
# label: msvc-traditional-preprocessor
# needs: wine win-cuda-13.4
printf '#include <cuda/std/type_traits>\n__global__ void k() {}\n' > k.cu
WINEPATH="$CL_DIR" "$WINE_RUN" "$NVCC_EXE_13_4" -c k.cu -o k.obj
