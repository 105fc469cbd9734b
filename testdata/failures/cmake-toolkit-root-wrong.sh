# CUDAToolkit_ROOT names a folder that is not there.
# label: toolkit-path-wrong
# needs: cmake
printf 'cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX)\nfind_package(CUDAToolkit REQUIRED)\n' > CMakeLists.txt
cmake -S . -B build -DCUDAToolkit_ROOT=/opt/cuda-none
