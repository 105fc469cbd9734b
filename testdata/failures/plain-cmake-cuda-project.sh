# A CUDA project whose .cpp file has a mistake: the kernel compiles.
# label: not-cuda
# needs: cuda-12.4 gcc-12 cmake
# lane: e2e
printf 'cmake_minimum_required(VERSION 3.18)\nproject(x LANGUAGES CXX CUDA)\nadd_executable(x k.cu a.cpp)\n' > CMakeLists.txt
printf '__global__ void k() {}\nvoid go() { k<<<1,1>>>(); }\n' > k.cu
printf 'void go();\nint main() { go(); return count_of_things; }\n' > a.cpp
export CUDACXX="$CUDA_12_4/bin/nvcc" CUDAHOSTCXX=g++-12
cmake -S . -B b -DCMAKE_CUDA_ARCHITECTURES=80 && cmake --build b
