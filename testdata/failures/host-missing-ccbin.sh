# CMake is told of a host compiler that is not there.
# label: host-compiler-missing
# needs: cuda-13.0 gcc-12 cmake
echo '__global__ void k() {} int main() {}' > k.cu
printf 'cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES CXX CUDA)\nadd_executable(k k.cu)\n' > CMakeLists.txt
cmake -S . -B build -DCMAKE_CUDA_COMPILER="$CUDA_13_0/bin/nvcc" -DCMAKE_CUDA_HOST_COMPILER=/opt/gcc-12/bin/g++
