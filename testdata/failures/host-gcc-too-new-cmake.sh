# The same through CMake, which wraps the message and puts a hundred lines before it.
# label: host-compiler-too-new
# needs: cuda-11.8 gcc-12 cmake
# lane: e2e
echo '__global__ void k() {} int main() {}' > k.cu
printf 'cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES CXX CUDA)\nadd_executable(k k.cu)\n' > CMakeLists.txt
CUDAHOSTCXX=g++-12 cmake -S . -B build -DCMAKE_CUDA_COMPILER="$CUDA_11_8/bin/nvcc" -DCMAKE_CUDA_ARCHITECTURES=80
