# nvcc's own way to include it, without the folder.
# label: cuda-headers-missing
echo 'int main() {}' > a.cpp
g++ -include cuda_runtime.h -c a.cpp -o a.o
