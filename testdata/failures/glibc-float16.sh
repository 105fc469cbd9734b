# gcc 12's headers with a front end made before it, after the check was switched off.
# label: glibc-headers-too-new
# needs: cuda-11.8 gcc-12
# lane: e2e
printf '#include <immintrin.h>\n__global__ void k() {}\n' > k.cu
"$CUDA_11_8/bin/nvcc" -allow-unsupported-compiler -ccbin g++-12 -c k.cu -o k.o
