# The project wants a newer toolkit than the one that is found.
# lane: e2e
# label: toolkit-too-old-for-project
# needs: cmake cuda-12.4
printf 'cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX)\nfind_package(CUDAToolkit 13.0 REQUIRED)\n' > CMakeLists.txt
cmake -S . -B build -DCUDAToolkit_ROOT="$CUDA_12_4"
