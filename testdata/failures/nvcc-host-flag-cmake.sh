# A flag of gcc in CMAKE_CUDA_FLAGS, seen as an unknown option.
# lane: e2e
# label: nvcc-command-malformed
# needs: cuda-13.0 cmake
printf 'cmake_minimum_required(VERSION 3.18)\nproject(x LANGUAGES CUDA)\n' > CMakeLists.txt
CUDACXX="$CUDA_13_0/bin/nvcc" cmake -B b -DCMAKE_CUDA_ARCHITECTURES=80 -DCMAKE_CUDA_FLAGS='-std=gnu++17'
