# CMake with the language CUDA and no nvcc.
# label: nvcc-not-found
# needs: cmake
printf 'cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\n' > CMakeLists.txt
unset CUDACXX CUDA_PATH CUDAToolkit_ROOT
PATH=/usr/bin:/bin cmake -S . -B build
