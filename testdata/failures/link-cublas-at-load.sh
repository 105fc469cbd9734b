# A shared library linked without cuBLAS, loaded by Python.
# label: cublas-not-linked
# needs: gcc-12
printf 'extern int cublasCreate_v2(void**);\nint f(void) { void *h; return cublasCreate_v2(&h); }\n' > k.c
gcc -shared -fPIC -o libk.so k.c
LD_BIND_NOW=1 python3 -c 'import ctypes; ctypes.CDLL("./libk.so")'
