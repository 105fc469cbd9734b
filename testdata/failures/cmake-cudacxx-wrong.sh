# CUDACXX names a file that is not there.
# label: toolkit-path-wrong
# needs: cmake
printf 'cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\n' > CMakeLists.txt
CUDACXX='$~/cuda/bin/nvcc' cmake -S . -B build
