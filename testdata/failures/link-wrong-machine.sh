# A libcudart for another processor is found first.
# label: cuda-lib-dir-not-searched
# needs: gcc-12 wine
echo 'int cudaMalloc() { return 0; }' > c.c
clang-16 --target=aarch64-linux-gnu -c c.c -o c.o && ar rc libcudart.a c.o
echo 'extern "C" int cudaMalloc(); int main() { return cudaMalloc(); }' > m.cpp
g++-12 m.cpp -L. -lcudart -o m
