# A cl.exe older than the toolkit accepts.
# label: host-compiler-not-accepted
# needs: wine win-cuda-13.0
echo '__global__ void k() {}' > k.cu
vs="$BED/wine/prefix/drive_c/Program Files/Microsoft Visual Studio/2022/BuildTools/VC"
mkdir -p VC/Tools/MSVC/14.16.27023/bin/Hostx64
cp -r "$vs/Auxiliary" VC/
cp -r "$vs/Tools/MSVC/14.40.33807/bin/Hostx64/x64" VC/Tools/MSVC/14.16.27023/bin/Hostx64/
sed -i 's/19\.40\.33811/19.16.27045/' VC/Tools/MSVC/14.16.27023/bin/Hostx64/x64/cl-bridge
cl="Z:${PWD//\//\\}\VC\Tools\MSVC\14.16.27023\bin\Hostx64\x64"
WINEPATH="$cl" "$WINE_RUN" "$NVCC_EXE_13_0" -c k.cu -o k.obj
