package trial

import "cupel/internal/pattern"

// Names by which CUDA's files are known where they lie among others: in /usr/bin, /usr/include, a library folder.
// Seen in NVIDIA's archives (12.4, 13.0), Debian's packages of 12.4 and of the driver 535; a test holds them
// against the real files.
var (
	libraryName = pattern.New(`^lib(cuda|cudart|cudadevrt|cudnn\w*|cudla|cudaobs|cublas|cublasLt|cufft|cufftw|cufile\w*|cuinj\w*|cupti|curand|cusolver|cusolverMg|cusparse|cusparseLt|cutensor\w*|cuobjclient|culibos|nvcuvid|nccl|nvblas|nvfatbin|nvidia-\w[\w-]*|nvjitlink|nvJitLink|nvjpeg|nvoptix|nvperf\w*|nvptxcompiler\w*|nvrtc|nvrtc-builtins|nvrtc_\w+|nvToolsExt|nvvm|npp\w+|nvshmem\w*|checkpoint|pcsamplingutil|cudadebugger|nvidia-ml)(_static\w*|-\w+)*\.(so|a)([.\d]*)$`)
	programName = pattern.New(`^(nvcc|__nvcc_device_query|nvcc\.profile|ptxas|cicc|cudafe\+\+|fatbinary|nvlink|nvprune|nvdisasm|cuobjdump|bin2c|cu\+\+filt|cuda-g\+\+|cuda-gcc|cuda-gdb\w*|cuda-memcheck|compute-sanitizer|nvprof|nvvp|nsys|ncu|nsight-sys|nvidia-smi|nvidia-cuda-mps-\w+|nvidia-persistenced|nvidia-modprobe|nvidia-debugdump)$`)
	headerName  = pattern.New(`^(cuda(\W.*|_.*|[A-Z].*|lib.*|rt.*)?|cuComplex\.h|cu(blas|fft|rand|solver|sparse|pti|dnn|file|tensor)\w*\.h|cub|crt|thrust|nv|nvtx3|nvfunctional|nv(Fatbin|JitLink|PTXCompiler|blas|jpeg|rtc|vm|ml|_decode|ToolsExt\w*|perf\w*)\.h|nccl\w*\.h|npp\w*\.h|cooperative_groups(\.h)?|(builtin|device|driver|library|surface|texture|vector)_types\.h|channel_descriptor\.h|common_functions\.h|device_(atomic_|double_)?functions\.hp*|device_launch_parameters\.h|driver_functions\.h|fatbinary_section\.h|host_(config|defines)\.h|math_(constants|functions)\.h|mma\.h|sm_\d\d_\w+\.hp*|(surface|texture)_(fetch_|indirect_)?functions\.h|vector_functions\.hp*)$`)
)

// libraryFolders are looked through for driver and CUDA libraries, besides those of the loader's cache.
var libraryFolders = []string{
	"/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/usr/local/lib64",
	"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu",
	"/usr/lib/x86_64-linux-gnu/nvidia/current", "/usr/lib/aarch64-linux-gnu/nvidia", "/usr/lib/aarch64-linux-gnu/tegra",
	"/usr/lib/x86_64-linux-gnu/stubs", "/usr/lib/aarch64-linux-gnu/stubs", "/usr/lib/wsl/lib",
}

// programFolders are looked through besides those of PATH: a build may name them in full.
var programFolders = []string{"/usr/bin", "/usr/local/bin", "/bin", "/usr/sbin", "/sbin"}

// headerFolders are looked through where one of headerMarks lies in them.
var headerFolders = []string{"/usr/include", "/usr/local/include"}

var headerMarks = []string{"cuda.h", "cuda_runtime.h"}

// rootPatterns are the places where installers put toolkits, and links to them.
var rootPatterns = []string{
	"/usr/local/cuda", "/usr/local/cuda-*", "/opt/cuda", "/opt/cuda-*", "/opt/nvidia/hpc_sdk",
	"/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit", "/usr/include/cuda-*",
}

// devicePatterns are the driver's faces in the file system.
var devicePatterns = []string{"/dev/nvidia*", "/dev/dxg", "/proc/driver/nvidia", "/sys/module/nvidia*"}

// variableNames are CUDA's variables; * stands for any text. Rows of data/variables.toml of variableKinds come
// to it, and the names a contract gives to a toolkit's values.
var variableNames = []string{
	"*CUDA*", "*CUDNN*", "*NVCC*", "*NCCL*", "*CUTENSOR*", "*PTXAS*", "NVIDIA_*", "NV_*", "NVHPC*", "CUPEL_TOOLKIT", "CUPEL_ENV_*",
}

var variableKinds = []string{"toolkit-root", "cudnn", "arch", "mps"}

// listVariables hold folders, of which some may be CUDA's.
var listVariables = []string{
	"PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "PKG_CONFIG_PATH",
	"CMAKE_PREFIX_PATH", "CMAKE_PROGRAM_PATH", "CMAKE_LIBRARY_PATH", "CMAKE_INCLUDE_PATH", "LD_PRELOAD", "INCLUDE", "LIB", "LIBPATH", "MANPATH",
}

// systemFolders are never covered whole: too much else lives in them.
var systemFolders = []string{
	"/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib32", "/lib64", "/media", "/mnt", "/opt", "/proc", "/root", "/run",
	"/sbin", "/srv", "/sys", "/tmp", "/usr", "/usr/bin", "/usr/include", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/local",
	"/usr/local/bin", "/usr/local/include", "/usr/local/lib", "/usr/local/share", "/usr/sbin", "/usr/share", "/usr/src", "/var", "/var/lib", "/var/tmp",
	"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib/gcc", "/usr/lib/llvm",
}
