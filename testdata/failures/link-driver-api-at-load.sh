# A shared library without libcuda links well and cannot be loaded.
# label: driver-api-not-linked
# needs: cuda-12.4 gcc-12
printf '#include <cuda.h>\nextern "C" int go() { return cuInit(0); }\n' > d.cpp
g++-12 -shared -fPIC -I"$CUDA_12_4/include" d.cpp -o libd.so
python3 -c 'import ctypes; ctypes.CDLL("./libd.so", mode=2)'
