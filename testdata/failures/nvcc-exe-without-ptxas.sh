# A Windows toolkit without ptxas.exe.
# lane: e2e
# label: toolkit-incomplete
# needs: wine win-cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
from="$BED/win-cuda-13.0/nvidia/cu13"
mkdir cut && cp -rs "$from/bin" "$from/nvvm" cut/ && ln -s "$from/include" "$from/lib" cut/ && rm cut/bin/nvcc.exe cut/bin/nvcc.profile cut/bin/ptxas.exe && cp "$from/bin/nvcc.exe" "$from/bin/nvcc.profile" cut/bin/
WINEPATH="$CL_DIR" "$WINE_RUN" "Z:${PWD//\//\\}\cut\bin\nvcc.exe" -c k.cu -o k.obj
