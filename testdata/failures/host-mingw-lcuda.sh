# MinGW's linker is asked for the CUDA driver library, as Rust's gnu toolchain on Windows does.
# label: host-compiler-not-accepted
# needs: wine
echo 'int main(void) { return 0; }' > main.c
x86_64-w64-mingw32-gcc main.c -lcuda -o main.exe
