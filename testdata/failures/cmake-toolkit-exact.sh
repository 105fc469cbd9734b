# FindCUDA, an exact version, and another toolkit comes first.
# label: mixed-toolkits
# needs: cmake cuda-12.4
printf 'cmake_minimum_required(VERSION 3.10)\nproject(p LANGUAGES CXX)\nfind_package(CUDA 11.8 EXACT REQUIRED)\n' > CMakeLists.txt
cmake -S . -B build -DCUDA_TOOLKIT_ROOT_DIR="$CUDA_12_4"
