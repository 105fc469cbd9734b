# The same without -o: nvcc names the second half.
# label: path-characters
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
"$CUDA_13_0/bin/nvcc" -I/home/user/my project/include -c k.cu
