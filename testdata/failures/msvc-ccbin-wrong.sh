# nvcc.exe with -ccbin of a folder that is not there.
# label: host-compiler-missing
# needs: wine win-cuda-13.0
echo '__global__ void k() {}' > k.cu
"$WINE_RUN" "$NVCC_EXE_13_0" -ccbin 'C:\BuildTools\VC\bin' -c k.cu -o k.obj
