# An architecture newer than the toolkit, in CMake's test of the compiler.
# lane: e2e
# label: arch-newer-than-toolkit
# needs: cuda-12.4 gcc-12 cmake
printf 'cmake_minimum_required(VERSION 3.18)\nproject(x LANGUAGES CUDA)\n' > CMakeLists.txt
CUDACXX="$CUDA_12_4/bin/nvcc" CUDAHOSTCXX=g++-12 cmake -B b -DCMAKE_CUDA_ARCHITECTURES=120
