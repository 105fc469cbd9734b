# CUDA 13's Thrust, seen by g++ alone.
# label: cuda-headers-missing
# needs: cuda-13.0
printf '#include <thrust/device_vector.h>\nint main() {}\n' > a.cpp
g++ -I"$CUDA_13_0/include" -c a.cpp -o a.o
