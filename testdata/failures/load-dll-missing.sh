# A Windows program that needs cudart64_13.dll, started without it: the parent sees 0xC0000135 only.
# label: cuda-dll-not-found-windows
# needs: wine
printf 'LIBRARY cudart64_13.dll\nEXPORTS\ncudaGetDeviceCount\n' > cudart.def
x86_64-w64-mingw32-dlltool -d cudart.def -l libcudart.a
echo 'int cudaGetDeviceCount(int *); int main(void) { int n; return cudaGetDeviceCount(&n); }' > main.c
echo 'x86_64-w64-mingw32-gcc main.c -o cuda_app.exe -L. -lcudart'
x86_64-w64-mingw32-gcc main.c -o cuda_app.exe -L. -lcudart
"$WINE_RUN" cmd /c 'cuda_app.exe & call echo exit code %^errorlevel%'
