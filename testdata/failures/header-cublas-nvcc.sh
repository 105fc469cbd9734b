# nvcc with a toolkit that has no cuBLAS.
# label: cuda-headers-missing|toolkit-incomplete
# needs: cuda-13.0
printf '#include <cublas_v2.h>\n' > a.cu
"$CUDA_13_0/bin/nvcc" -c a.cu -o a.o
