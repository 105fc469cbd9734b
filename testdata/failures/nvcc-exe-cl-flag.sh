# nvcc.exe given a flag of cl without -Xcompiler.
# label: nvcc-command-malformed
# needs: wine win-cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
echo 'nvcc.exe -std=c++17 /EHsc /O2 -c k.cu -o k.obj'
"$WINE_RUN" "$NVCC_EXE_13_0" -std=c++17 /EHsc /O2 -c k.cu -o k.obj
