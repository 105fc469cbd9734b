# A blank in an include path without quotes.
# label: path-characters
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
printf 'k.o: k.cu\n\t%s -I/home/user/my project/include -c k.cu -o k.o\n' "$CUDA_13_0/bin/nvcc" > Makefile
make
