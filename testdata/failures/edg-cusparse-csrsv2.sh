# A cuSPARSE function that CUDA 12 removed.
# label: cuda-api-removed
# needs: cuda-12.4 gcc-12
printf '#include <cusparse.h>\nint main() { csrsv2Info_t i; return cusparseCreateCsrsv2Info(&i); }\n' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -c k.cu -o k.o
