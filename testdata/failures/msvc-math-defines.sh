# M_PI without _USE_MATH_DEFINES.
# lane: e2e
# label: msvc-math-defines
# needs: wine win-cuda-13.0
printf '#include <cmath>\n__device__ double half_turn = M_PI;\n' > k.cu
WINEPATH="$CL_DIR" "$WINE_RUN" "$NVCC_EXE_13_0" -c k.cu -o k.obj
