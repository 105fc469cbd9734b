# cuBLAS calls and no -lcublas.
# label: cublas-not-linked
# needs: gcc-12
printf 'extern "C" int cublasCreate_v2(void **);\nint main() { void *h; return cublasCreate_v2(&h); }\n' > b.cpp
g++-12 b.cpp -o b
