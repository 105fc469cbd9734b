# C++20 asked of nvcc 11.8.
# label: toolkit-too-old-for-project
# needs: cmake cuda-11.8 gcc-11
# lane: e2e
echo 'int main() {}' > k.cu
printf 'cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\nadd_executable(k k.cu)\nset_target_properties(k PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)\n' > CMakeLists.txt
CUDAHOSTCXX=g++-11 cmake -S . -B build -DCMAKE_CUDA_COMPILER="$CUDA_11_8/bin/nvcc" -DCMAKE_CUDA_ARCHITECTURES=80
