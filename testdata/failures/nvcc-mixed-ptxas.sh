# The ptxas of an older release beside nvcc.
# label: mixed-toolkits
# needs: cuda-13.0 cuda-12.4
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
mkdir cut && cp -rs "$CUDA_13_0/bin" "$CUDA_13_0/nvvm" cut/ && ln -s "$CUDA_13_0/include" "$CUDA_13_0/lib" cut/ && rm cut/bin/nvcc && cp "$CUDA_13_0/bin/nvcc" cut/bin/nvcc && rm cut/bin/nvcc.profile && cp "$CUDA_13_0/bin/nvcc.profile" cut/bin/
ln -sf "$CUDA_12_4/bin/ptxas" cut/bin/ptxas
cut/bin/nvcc -arch=sm_90 -c k.cu -o k.o
