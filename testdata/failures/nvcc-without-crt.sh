# A toolkit without the headers of the compiler.
# label: toolkit-incomplete
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
cp -rs "$CUDA_13_0" cut && rm cut/bin/nvcc && cp "$CUDA_13_0/bin/nvcc" cut/bin/nvcc && rm cut/bin/nvcc.profile && cp "$CUDA_13_0/bin/nvcc.profile" cut/bin/
rm -r cut/include/crt
cut/bin/nvcc -c k.cu -o k.o
