# pip's wheels as they are: nvcc is found, its library is not.
# label: toolkit-incomplete
# needs: cmake cuda-13.0
printf 'cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX)\nfind_package(CUDAToolkit REQUIRED)\n' > CMakeLists.txt
cmake -S . -B build -DCUDAToolkit_ROOT="$CUDA_13_0"
