# A program that needs a cuBLAS of another name than the machine has.
# label: cuda-math-lib-not-found
echo 'int cublasCreate_v2(void **h) { return 0; }' | gcc -shared -fPIC -x c - -Wl,-soname,libcublas.so.12 -o libcublas.so
echo 'int cublasCreate_v2(void **); int main(void) { void *h; return cublasCreate_v2(&h); }' > main.c
gcc main.c -L. -lcublas -o app && ldd ./app; ./app
