package signature

import (
	"testing"

	"cupel/data"
)

// TestCodePatterns: each CUDA error of the table is found in every way programs print it.
func TestCodePatterns(t *testing.T) {
	for _, tt := range []struct {
		name string
		code int
		text string
		want bool
	}{
		{"driver name", 100, "failed call to cuInit: CUDA_ERROR_NO_DEVICE", true},
		{"runtime name", 35, "RuntimeError: cudaErrorInsufficientDriver: CUDA driver version is insufficient", true},
		{"name in brackets", 802, `CUDA error at bandwidthTest.cu:256 code=802(cudaErrorSystemNotReady) "cudaSetDevice(currentDevice)"`, true},
		{"name of the Rust crate", 34, `Error: DriverError(CUDA_ERROR_STUB_LIBRARY, "CUDA driver is a stub library")`, true},
		{"name of the Julia package", 999, "ERROR: CUDA error: unknown error (code 999, ERROR_UNKNOWN)", true},
		{"message that tells alone", 700, "RuntimeError: an illegal memory access was encountered", true},
		{"everyday message behind CUDA", 999, "THCudaCheck FAIL file=THCGeneral.cpp line=70 error=30 : unknown error", true},
		{"everyday message behind a call", 1, "cuMemcpyHtoD failed: invalid argument", true},
		{"everyday message alone", 999, "npm ERR! unknown error", false},
		{"everyday message of the system", 800, "mount: /mnt: operation not permitted", false},
		{"out of memory of the host", 2, "LLVM ERROR: out of memory", false},
		{"number of the ollama server", 999, `cuda driver library init failure: 999. see docs`, true},
		{"number of an old ollama server", 999, "cuInit err: 999", true},
		{"number of a runtime call", 35, "cudaSetDevice err: 35", true},
		{"number of deviceQuery", 35, "cudaGetDeviceCount returned 35", true},
		{"number behind CUDA failure", 222, "Cuda failure: 222 the PTX", true},
		{"number behind CUDA error", 304, "CUDA error 304 at ggml-cuda.cu:5065", true},
		{"number of jax", 34, "operation cuInit(0) failed: Unknown CUDA error 34; cuGetErrorName failed", true},
		{"another number", 35, "CUDA error 350 at x.cu:1", false},
		{"exit code of make", 127, "make: *** [Makefile:30: cuda_kernel.o] Error 127", false},
		{"percentage", 100, "CUDA error 100% of runs", false},
		{"an old runtime number", 4, "cuda runtime error (4) : unspecified launch failure", false},
		{"comparison in the source", 4, "Check failed: e == cudaSuccess || e == cudaErrorCudartUnloading CUDA: invalid device ordinal", false},
		{"name the compiler does not know", 807, `error: identifier "cudaErrorMpsServerNotReady" is undefined`, false},
		{"name in a line of source", 807, "   42 |     case cudaErrorMpsServerNotReady:", false},
		{"number of numba", 802, "CudaSupportError: Error at driver init: [802] Call to cuInit results in UNKNOWN_CUDA_ERROR", true},
		{"name rustc does not know", 500, "error[E0425]: cannot find value `CUDA_ERROR_NOT_FOUND` in this scope", false},
		{"name in a warning", 999, "warning: enumeration value 'CUDA_ERROR_UNKNOWN' not handled in switch [-Wswitch]", false},
		{"number behind two words", 34, "[2024-03-15 10:30:10] CUDA error: error code 34", true},
		{"number behind a word and a colon", 700, "CUDA error: code: 700 in step 4", true},
		{"another number behind two words", 34, "CUDA error: error code 349", false},
		{"number of OpenMM", 700, "Exception: Error invoking kernel: Invalid error code (700)", true},
		{"a small number of something else", 2, "Invalid error code (2)", false},
		{"a .NET message of something else", 999, "  Message=ErrorUnknown\n  Source=Storage", false},
		{"number of OptiX", 2, "Encountered a CUDA error: cudaDriver().CuDevicePrimaryCtxRetain( &context, dev.get() ) returned (2): Out of memory", true},
		{"another number of OptiX", 2, "cudaDriver().CuMemAlloc( &dptr, sz ) returned (201): Invalid context", false},
		{"name of ManagedCuda", 218, "ManagedCuda.CudaException: 'ErrorInvalidPtx: This indicates that a PTX JIT compilation failed.'", true},
		{"name of ManagedCuda in a dialog", 400, "  Message=ErrorInvalidHandle: This indicates that a resource handle passed to the API call was not valid.", true},
		{"name of CUDA.NET", 209, "CudafyHostException: CUDA.NET exception: ErrorNoBinaryForGPU", true},
		{"a .NET error of something else", 2, "System.Exception: ErrorOutOfMemory in the job", false},
		{"everyday message behind a source of the GPU", 802, "  what():  Error (gpu_burn-drv.cpp:298): system not yet initialized", true},
		{"everyday message behind a .cu file", 2, "solver.cu:88: out of memory", true},
		{"everyday message behind another source", 802, "Error (store.cpp:298): system not yet initialized", false},
		{"compiler out of memory in a .cu file", 2, "solver.cu(88): catastrophic error: out of memory", false},
		{"HIP", 98, "RuntimeError: HIP error: invalid device function", false},
		{"HIP in small letters", 209, "hip error: 'no kernel image is available for execution on the device'(209) at main.cpp:33", false},
		{"MUSA", 98, "RuntimeError: MUSA error: invalid device function", false},
		{"ROCm in a .cu file", 2, "ggml-cuda.cu:73: ROCm error: out of memory", false},
		{"memory of HIP", 2, "torch.cuda.OutOfMemoryError: HIP out of memory. Tried to allocate 20.00 MiB", false},
		{"a long message of everyday words", 205, "panic: mapping of buffer object failed", false},
		{"a long message of everyday words behind CUDA", 205, "CUDA error: mapping of buffer object failed", true},
		{"three names in a row", 100, "one of cudaErrorNoDevice, cudaErrorInsufficientDriver, cudaErrorInvalidDevice", false},
		{"a line of an enum", 100, "    cudaErrorNoDevice = 100,", false},
		{"a line of a table", 100, `    {CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"},`, false},
		{"a line of a header", 100, "#define CUDA_ERROR_NO_DEVICE 100", false},
		{"two names", 100, "cudaGetDeviceCount: CUDA_ERROR_NO_DEVICE (cudaErrorNoDevice)", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, _, err := compile(&Signature{ID: "x"}, Pattern{Code: tt.code})
			if err != nil {
				t.Fatal(err)
			}
			if _, got := c.Match(tt.text); got != tt.want {
				t.Errorf("code %d in %q: got %v, want %v", tt.code, tt.text, got, tt.want)
			}
		})
	}
}

// TestEveryCode: every row has a pattern with literals, found by its own names.
func TestEveryCode(t *testing.T) {
	for _, row := range data.Codes() {
		if row.Code == 0 {
			continue
		}
		c, _, err := compile(&Signature{ID: "x"}, Pattern{Code: row.Code})
		if err != nil {
			t.Errorf("%d: %v", row.Code, err)
			continue
		}
		for _, text := range []string{row.Driver, row.Runtime, "CUDA error: " + row.Message} {
			if _, ok := c.Match(text); text != "" && !ok {
				t.Errorf("%d: %q is not found", row.Code, text)
			}
		}
	}
}
