# A CUDA program that was linked on a system with a newer glibc.
# label: libc-too-old-for-binary
echo 'int newer(void) { return 0; }' > newer.c
echo 'GLIBC_2.99 { global: newer; };' > newer.map
gcc -shared -fPIC -nostdlib newer.c -Wl,--version-script=newer.map -Wl,-soname,libm.so.6 -o libnewer.so
echo 'int newer(void); int main(void) { return newer(); }' > main.c
gcc main.c ./libnewer.so -o cuda_app && ./cuda_app
