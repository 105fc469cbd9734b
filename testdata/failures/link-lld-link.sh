# lld-link for a Windows target: cudart.lib is not found, and a symbol is missing.
# label: cuda-lib-dir-not-searched
# needs: wine
echo 'int cudaMalloc(void **, long long); int mainCRTStartup() { return cudaMalloc(0, 0); }' > w.c
clang-16 --target=x86_64-pc-windows-msvc -c w.c -o w.obj
lld-link-16 /subsystem:console /nodefaultlib w.obj cudart.lib /out:w.exe
lld-link-16 /subsystem:console /nodefaultlib w.obj /out:w.exe
