# nvcc.exe asked for an architecture that it dropped.
# label: arch-dropped-by-toolkit
# needs: wine win-cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
"$WINE_RUN" "$NVCC_EXE_13_0" -gencode=arch=compute_61,code=sm_61 -c k.cu -o k.obj
