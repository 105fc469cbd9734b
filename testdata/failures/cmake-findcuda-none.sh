# The old find_package(CUDA REQUIRED) without a toolkit.
# label: nvcc-not-found
# needs: cmake
printf 'cmake_minimum_required(VERSION 3.10)\nproject(p LANGUAGES CXX)\nfind_package(CUDA REQUIRED)\n' > CMakeLists.txt
unset CUDACXX CUDA_PATH CUDA_BIN_PATH
PATH=/usr/bin:/bin cmake -S . -B build
