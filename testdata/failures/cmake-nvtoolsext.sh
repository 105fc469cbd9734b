# A target that links the NVTX 2 library with CUDA 13.
# label: cuda-api-removed
# needs: cmake cuda-13.0
mkdir root root/lib64
for part in bin include nvvm; do ln -s "$CUDA_13_0/$part" "root/$part"; done
ln -s "$CUDA_13_0"/lib/libcudart.so.13 root/lib64/libcudart.so
echo 'int main() {}' > a.cpp
printf 'cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX)\nfind_package(CUDAToolkit REQUIRED)\nadd_executable(a a.cpp)\ntarget_link_libraries(a CUDA::nvToolsExt)\n' > CMakeLists.txt
cmake -S . -B build -DCUDAToolkit_ROOT="$PWD/root" -DCUDA_CUDART="$PWD/root/lib64/libcudart.so"
