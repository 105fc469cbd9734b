# cuDNN's header is not there.
# label: cudnn-headers-missing
# needs: cuda-13.0
printf '#include <cudnn.h>\nint main() {}\n' > a.cpp
g++ -I"$CUDA_13_0/include" -c a.cpp -o a.o
