# A toolkit without cicc.
# label: toolkit-incomplete
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
mkdir cut && cp -rs "$CUDA_13_0/bin" "$CUDA_13_0/nvvm" cut/ && ln -s "$CUDA_13_0/include" "$CUDA_13_0/lib" cut/ && rm cut/bin/nvcc && cp "$CUDA_13_0/bin/nvcc" cut/bin/nvcc && rm cut/bin/nvcc.profile && cp "$CUDA_13_0/bin/nvcc.profile" cut/bin/
rm 'cut/nvvm/bin/cicc'
PATH=/usr/bin:/bin cut/bin/nvcc -c k.cu -o k.o
