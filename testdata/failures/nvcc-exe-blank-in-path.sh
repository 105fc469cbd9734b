# nvcc.exe given a path with a blank in two words.
# label: path-characters
# needs: wine win-cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
echo 'nvcc.exe -IC:\My Projects\fluid\include -c k.cu -o k.obj'
"$WINE_RUN" "$NVCC_EXE_13_0" '-IC:\My' 'Projects\fluid\include' -c k.cu -o k.obj
