package mend

import "testing"

// TestBuilders: the calls of builders in wide use (the crates from their published sources; CMake and torch as they are known to call), on a machine where all is wrong. Where
// a builder asks nvcc for its targets first (bindgen_cuda, cudaforge: --list-gpu-code) the answer stays nvcc's own.
func TestBuilders(t *testing.T) {
	linux, windows := gcc(), msvc()
	linux.Archs, windows.Archs = archs124(), archs124()
	const ccbin, msvcFlags = "-ccbin=/usr/bin/g++-11 ", "-Xcompiler=/Zc:preprocessor -D_USE_MATH_DEFINES "
	t.Run("linux", func(t *testing.T) {
		run(t, linux, []row{
			{"bindgen_cuda 0.1.6, PTX", "--gpu-architecture=sm_120 --ptx --default-stream per-thread --output-directory out --expt-relaxed-constexpr -std=c++17 -O3 -Isrc src/affine.cu",
				ccbin + "--gpu-architecture=compute_90 --ptx --default-stream per-thread --output-directory out --expt-relaxed-constexpr -std=c++17 -O3 -Isrc src/affine.cu"},
			{"bindgen_cuda 0.1.6, library", "--lib -o libk.a a.o b.o", ccbin + "--lib -o libk.a a.o b.o"},
			{"bindgen_cuda 0.1.6, question", "--list-gpu-code", "--list-gpu-code"},
			{"cudaforge 0.1.6", "-gencode=arch=compute_120a,code=sm_120a -c -o k.o --default-stream per-thread -allow-unsupported-compiler -ccbin g++-12 -Xcompiler -fPIC --threads=2 k.cu",
				"-gencode=arch=compute_90,code=compute_90 -c -o k.o --default-stream per-thread -allow-unsupported-compiler -ccbin /usr/bin/g++-11 -Xcompiler -fPIC --threads=2 k.cu"},
			{"CMake 3.25", "-forward-unknown-to-host-compiler --generate-code=arch=compute_80,code=[compute_80,sm_80] --generate-code=arch=compute_120,code=[compute_120,sm_120] -Xcompiler=-fPIC -MD -MT k.o -MF k.o.d -x cu -c k.cu -o k.o",
				ccbin + "-forward-unknown-to-host-compiler --generate-code=arch=compute_80,code=[compute_80,sm_80] --generate-code=arch=compute_90,code=compute_90 -Xcompiler=-fPIC -MD -MT k.o -MF k.o.d -x cu -c k.cu -o k.o"},
			{"torch's extensions", "-D__CUDA_NO_HALF_OPERATORS__ --expt-relaxed-constexpr -gencode=arch=compute_120,code=compute_120 -gencode=arch=compute_120,code=sm_120 --compiler-options -fPIC -std=c++17 -c k.cu -o k.o",
				ccbin + "-D__CUDA_NO_HALF_OPERATORS__ --expt-relaxed-constexpr -gencode=arch=compute_90,code=compute_90 --compiler-options -fPIC -std=c++17 -c k.cu -o k.o"},
		})
	})
	t.Run("windows", func(t *testing.T) {
		run(t, windows, []row{
			{"mistralrs-quant 0.7.0", "-gencode=arch=compute_80,code=sm_80 -c -o k.o --default-stream per-thread -std=c++17 -O3 -U__CUDA_NO_HALF_OPERATORS__ --use_fast_math --verbose --compiler-options -fPIC k.cu",
				msvcFlags + "-gencode=arch=compute_80,code=sm_80 -c -o k.o --default-stream per-thread -std=c++17 -O3 -U__CUDA_NO_HALF_OPERATORS__ --use_fast_math --verbose k.cu"},
			{"cudaforge 0.1.6", "-gencode=arch=compute_80,code=sm_80 -c -o k.o --default-stream per-thread -D_USE_MATH_DEFINES k.cu",
				"-Xcompiler=/Zc:preprocessor -gencode=arch=compute_80,code=sm_80 -c -o k.o --default-stream per-thread -D_USE_MATH_DEFINES k.cu"},
			{"torch's extensions", "-Xcudafe --diag_suppress=field_without_dll_interface -Xcompiler /EHsc -Xcompiler /MD -gencode=arch=compute_80,code=sm_80 --use-local-env -c k.cu -o k.obj",
				msvcFlags + "-Xcudafe --diag_suppress=field_without_dll_interface -Xcompiler /EHsc -Xcompiler /MD -gencode=arch=compute_80,code=sm_80 --use-local-env -c k.cu -o k.obj"},
		})
	})
}
