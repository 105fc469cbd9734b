# A project that asks with check_language and stops by itself.
# label: nvcc-not-found
# needs: cmake
printf 'cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX)\ninclude(CheckLanguage)\ncheck_language(CUDA)\nif(NOT CMAKE_CUDA_COMPILER)\nmessage(FATAL_ERROR "this needs a GPU compiler")\nendif()\n' > CMakeLists.txt
unset CUDACXX CUDA_PATH
PATH=/usr/bin:/bin cmake -S . -B build
