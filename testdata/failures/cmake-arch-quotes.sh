# Quotation marks that reach CMake.
# label: cuda-build-target-unset
# needs: cmake cuda-12.4 gcc-12
printf 'cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\n' > CMakeLists.txt
CUDAHOSTCXX=g++-12 cmake -S . -B build -DCMAKE_CUDA_COMPILER="$CUDA_12_4/bin/nvcc" '-DCMAKE_CUDA_ARCHITECTURES="80;86"'
