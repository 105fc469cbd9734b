# nvcc.exe without cl.exe.
# label: host-compiler-missing
# needs: wine win-cuda-13.0
echo '__global__ void k() {}' > k.cu
"$WINE_RUN" "$NVCC_EXE_13_0" -c k.cu -o k.obj
