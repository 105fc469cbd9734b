# CUDAHOSTCXX names nothing.
# label: host-compiler-missing
# needs: cuda-13.0 gcc-12 cmake
printf 'cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES CXX CUDA)\n' > CMakeLists.txt
CUDAHOSTCXX=g++-99 cmake -S . -B build -DCMAKE_CUDA_COMPILER="$CUDA_13_0/bin/nvcc"
