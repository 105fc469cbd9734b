# A text file where an object should be.
# label: stale-build-artifacts
# needs: cuda-12.4 gcc-12
echo 'version https://git-lfs.github.com/spec/v1' > k.o
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -arch=sm_80 k.o -o k
