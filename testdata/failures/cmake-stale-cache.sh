# The same folder, configured again.
# label: toolkit-path-wrong|stale-build-artifacts
# needs: cmake cuda-12.4 gcc-12
# lane: e2e
ln -s "$CUDA_12_4" cuda-12.4
printf 'cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\n' > CMakeLists.txt
CUDAHOSTCXX=g++-12 cmake -S . -B build -DCMAKE_CUDA_COMPILER="$PWD/cuda-12.4/bin/nvcc" -DCMAKE_CUDA_ARCHITECTURES=80 > first.log 2>&1 || cat first.log
rm cuda-12.4
cmake -S . -B build
