# g++ without CUDA's include folder.
# label: cuda-headers-missing
printf '#include <cuda_runtime.h>\nint main() {}\n' > a.cpp
g++ -c a.cpp -o a.o
