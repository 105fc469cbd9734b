# native on a machine without a GPU.
# label: cuda-build-target-unset
# needs: cmake cuda-12.4 gcc-12
# lane: e2e
echo 'int main() {}' > k.cu
printf 'cmake_minimum_required(VERSION 3.24)\nproject(p LANGUAGES CXX CUDA)\nadd_executable(k k.cu)\n' > CMakeLists.txt
CUDAHOSTCXX=g++-12 cmake -S . -B build -DCMAKE_CUDA_COMPILER="$CUDA_12_4/bin/nvcc" -DCMAKE_CUDA_ARCHITECTURES=native
