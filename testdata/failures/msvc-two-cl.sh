# cl.exe on PATH is not the one of -ccbin, in the way MSBuild calls nvcc.
# label: host-compiler-not-accepted
# needs: wine win-cuda-13.0
echo '__global__ void k() {}' > k.cu
vs="$BED/wine/prefix/drive_c/Program Files/Microsoft Visual Studio/2022/BuildTools/VC"
mkdir -p VC/Tools/MSVC/14.39.33519/bin/Hostx64
cp -r "$vs/Auxiliary" VC/
cp -r "$vs/Tools/MSVC/14.40.33807/bin/Hostx64/x64" VC/Tools/MSVC/14.39.33519/bin/Hostx64/
WINEPATH="$CL_DIR" "$WINE_RUN" "$NVCC_EXE_13_0" --use-local-env -ccbin "Z:${PWD//\//\\}\VC\Tools\MSVC\14.39.33519\bin\Hostx64\x64" -c k.cu -o k.obj
