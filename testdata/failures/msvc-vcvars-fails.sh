# vcvars64.bat fails.
# lane: e2e
# label: host-compiler-missing
# needs: wine win-cuda-13.0
echo '__global__ void k() {}' > k.cu
vs="$BED/wine/prefix/drive_c/Program Files/Microsoft Visual Studio/2022/BuildTools/VC"
mkdir -p VC/Tools/MSVC/14.40.33807/bin/Hostx64
cp -r "$vs/Auxiliary" VC/
cp -r "$vs/Tools/MSVC/14.40.33807/bin/Hostx64/x64" VC/Tools/MSVC/14.40.33807/bin/Hostx64/
echo 'exit /b 1' > VC/Auxiliary/Build/vcvars64.bat
WINEPATH="Z:${PWD//\//\\}\VC\Tools\MSVC\14.40.33807\bin\Hostx64\x64" "$WINE_RUN" "$NVCC_EXE_13_0" -c k.cu -o k.obj
