# Thrust of CUDA 13 compiled as C++14.
# label: cxx-standard-too-old
# needs: cuda-13.0 gcc-12
printf '#include <thrust/version.h>\n' > k.cu
"$CUDA_13_0/bin/nvcc" -ccbin g++-12 -std=c++14 -c k.cu -o k.o
