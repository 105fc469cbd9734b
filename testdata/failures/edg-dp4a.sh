# A function of sm_61 for sm_52.
# label: device-feature-needs-newer-arch
# needs: cuda-12.4 gcc-12
echo '__global__ void k(int *p) { p[0] = __dp4a(p[0], p[1], 0); }' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -arch=sm_52 -c k.cu -o k.o
