# A C++ standard that the toolkit does not know.
# label: toolkit-too-old-for-project
# needs: cuda-12.4 gcc-12
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -std=c++23 -c k.cu -o k.o
