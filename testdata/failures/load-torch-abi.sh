# A Python extension that asks for a function of another PyTorch.
# label: framework-extension-abi-mismatch
echo 'namespace c10 { namespace cuda { void SetDevice(signed char, bool); } } extern "C" void f() { c10::cuda::SetDevice(0, true); }' > ext.cpp
g++ -shared -fPIC ext.cpp -o my_ops_cuda.so
python3 -c 'import ctypes; ctypes.CDLL("./my_ops_cuda.so", ctypes.RTLD_GLOBAL | 2)'
