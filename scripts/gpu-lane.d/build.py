"""Loads what cupel build made with the driver and launches it: build.py FILE… (PTX, cubin, fatbin); every element is compared."""
import ctypes
import sys

from lane import check

cuda = ctypes.CDLL("libcuda.so.1")
N = 1 << 16


def must(code, what):
    if code != 0:
        raise RuntimeError(f"{what}: CUDA error {code}")


def launch(path):
    """Runs scale(p, n) of the file: p[i] = 3 * p[i] + 1."""
    with open(path, "rb") as f:
        image = f.read() + b"\0"
    module, function, memory = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
    must(cuda.cuModuleLoadData(ctypes.byref(module), image), "cuModuleLoadData")
    must(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"scale"), "cuModuleGetFunction")
    must(cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(4 * N)), "cuMemAlloc")
    host = (ctypes.c_int * N)(*range(N))
    must(cuda.cuMemcpyHtoD_v2(memory, host, ctypes.c_size_t(4 * N)), "copy there")
    n = ctypes.c_int(N)
    args = (ctypes.c_void_p * 2)(ctypes.addressof(memory), ctypes.addressof(n))
    must(cuda.cuLaunchKernel(function, N // 256, 1, 1, 256, 1, 1, 0, None, args, None), "cuLaunchKernel")
    must(cuda.cuMemcpyDtoH_v2(host, memory, ctypes.c_size_t(4 * N)), "copy back")
    must(cuda.cuMemFree_v2(memory), "cuMemFree")
    must(cuda.cuModuleUnload(module), "cuModuleUnload")
    return all(host[i] == 3 * i + 1 for i in range(N))


def main():
    must(cuda.cuInit(0), "cuInit")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    must(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    must(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "cuDevicePrimaryCtxRetain")
    must(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent")
    for path in sys.argv[1:]:
        name = path.rsplit("/", 1)[-1]
        try:
            check(f"{name} is loaded and computes the right values", launch(path))
        except (OSError, RuntimeError) as e:
            check(f"{name} is loaded and computes the right values", False, str(e))


main()
