package diagnose

import (
	"slices"
	"strings"
	"testing"

	"cupel/internal/signature"
)

// bare judges a text without any signature: only the words about how it went count.
func bare(t *testing.T, text string) Answer {
	t.Helper()
	set, err := signature.Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer(t, set, text, "")
}

func TestFailed(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"nothing", "", false},
		{"make counts an error", "cc a.c\nmake: *** [all] Error 1", true},
		{"make ignores an error", "make: [Makefile:2: all] Error 1 (ignored)\ndone", false},
		{"a panic", "thread 'main' panicked at src/main.rs:1:55:\nindex out of bounds", true},
		{"a traceback", "Traceback (most recent call last):\n  File \"a.py\", line 1\nFooError: x", true},
		{"a signal", "bash: line 1: 28671 Segmentation fault      ./app", true},
		{"a killed job", "Killed", true},
		{"an exit code of Windows", "process exited with code: 0xc0000135", true},
		{"an exit code", "##[error]Process completed with exit code 1.", true},
		{"exit code 0", "Process completed with exit code 0.", false},
		{"a localised compiler", "a.cpp:1:2: erreur : rien", true},
		{"error in a flag", "g++ -Werror=return-type -fmax-errors=3 error.cpp -o error.o", false},
		{"error in test names", "test error_handling ... ok\ntest failed_to_open ... ok", false},
		{"no errors", "CUDA error check: no error\n0 errors, 0 warnings", false},
		{"MSBuild without error", "Build succeeded.\n    0 Warning(s)\n    0 Error(s)", false},
		{"MSBuild with errors", "    2 Warning(s)\n    16 Error(s)\n\nTime Elapsed 00:00:01.90", true},
		{"a configure check", "-- Looking for cuda.h - not found\n-- Performing Test HAVE_X - Failed", false},
		{"an optional package", "-- Could NOT find CUDAToolkit (missing: CUDAToolkit_NVCC_EXECUTABLE)", false},
		{"a retry that succeeds", "error: failed once\nCollecting x\nSuccessfully installed x-1", false},
		{"success before the failure", "    Finished `dev` profile\n     Running `app`\nerror: no config", true},
		{"a CI verdict stays", "##[error]Process completed with exit code 2.\nPost job cleanup.\nSuccessfully installed x-1", true},
		{"the last step of Ninja", "[1/2] Building x\nerror: in another try\n[2/2] Linking x", false},
		{"not the last step", "FAILED: x\n[2/9] Linking y", true},
		{"pytest passed", "E   caught\n===== 3 passed, 1 warning in 0.10s =====", false},
		{"pytest failed", "===== 1 failed, 3 passed in 0.10s =====", true},
		{"a complaint at the end", "loading\nFailed to open the device", true},
		{"a complaint long before the end", "Failed to open the cache\n" + strings.Repeat("working\n", 20), false},
		{"a warning at the end", "warning: cannot find CUDA, building without", false},
		{"TensorFlow's start", "2024-01-01 10:00:00.000001: I tensorflow/core/util/port.cc:113] oneDNN custom operations are on. Unable to use AVX.", false},
		{"a build script's warning", "cargo:warning=error: cannot find nvcc\n    Finished `dev` profile", false},
		{"a warning that quotes an error", "k.cu:7:20: warning: 'void old()' is deprecated: error: cannot be used with CUDA 13 [-Wdeprecated-declarations]\n    7 | void caller(){ old(); }\n    6 | [[deprecated(\"error: cannot be used with CUDA 13\")]] void old(){}", false},
		{"a warning of MSVC that quotes an error", `C:\\src\\k.cu(7): warning C4996: 'old': error: use fresh`, false},
		{"a warning, then an error", "k.cu:7:20: warning: old\nk.cu:8:1: error: expected ';'", true},
		{"a warning taken for an error", "a.c:1:2: error: unused variable 'x' [-Werror=unused-variable]", true},
		{"an option of nvcc", "+ nvcc -allow-unsupported-compiler -c k.cu -o k.o\nptxas info    : 0 bytes gmem\n+ echo built\nbuilt", false},
		{"a command that is shown", "+ ./check --fatal : unsupported\nfine", false},
		{"an optional package, then results", "Failed to load the CPU kernels: No module named 'kernels'. Please `pip install kernels`\n(tensor([[1, 2]]))\nx", false},
		{"a package that is needed", "loading\nFailed to load the plugin. Please pip install plugin", true},
		{"Go's compiler has no word error", "# x\n./a.go:3:15: undefined: y", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if a := bare(t, tt.text); a.Log.Failed != tt.want {
				t.Errorf("failed = %v, want %v for %q", a.Log.Failed, tt.want, tt.text)
			}
		})
	}
}

func TestPlatformOfLog(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"a Linux log that names a DLL", "/usr/bin/ld: warning\nsearched for nvcuda.dll and libcuda.so.1 in /usr/lib", []string{"linux"}},
		{"Windows with slashes", "C:/Users/me/src/a.cpp: error", []string{"windows"}},
		{"Windows in a command", `"C:\Program Files\x\nvcc.exe" -c a.cu`, []string{"windows"}},
		{"a French linker", "a.obj : erreur LNK2019: symbole externe non résolu\nC:\\src\\a.vcxproj", []string{"windows"}},
		{"a mount option", "podman create -v data:/data x:/y image", nil},
		{"an address", "see https://example.com/a for help", nil},
		{"WSL with a Windows drive", "me@DESKTOP-AB12CD3:/mnt/c/Users/me$ make\n/usr/bin/ld: x", []string{"wsl2", "linux"}},
		{"WSL that calls a Windows path once", "Linux 5.15.90.1-microsoft-standard-WSL2\n/home/me/a.c\n/usr/include/x.h\nC:\\Windows\\x", []string{"wsl2", "linux"}},
		{"a cross build", "x86_64-w64-mingw32-gcc -c /home/me/a.c -o a.exe\n/usr/lib/x", []string{"linux"}},
		{"a container", "root@0123456789ab:/workspace# make", []string{"container", "linux"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := bare(t, tt.text).Log.Platforms
			slices.Sort(got)
			want := slices.Clone(tt.want)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("platforms of %q = %q, want %q", tt.text, got, want)
			}
		})
	}
}

func TestValuesOfLog(t *testing.T) {
	for _, tt := range []struct{ name, line, key, want string }{
		{"a toolkit's folder", "/usr/local/cuda-12.4/bin/nvcc -c a.cu", "toolkit", "12.4"},
		{"a toolkit's folder on Windows", `C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v12.8\bin\nvcc.exe`, "toolkit", "12.8"},
		{"nvcc --version", "Cuda compilation tools, release 13.0, V13.0.88", "toolkit", "13.0"},
		{"CMake's compiler", "-- The CUDA compiler identification is NVIDIA 13.0.88 with host compiler GNU 13.3.0", "toolkit", "13.0"},
		{"CMake's host compiler", "-- The CUDA compiler identification is NVIDIA 13.0.88 with host compiler GNU 13.3.0", "gcc", "13.3.0"},
		{"gcc --version", "gcc (Debian 12.2.0-14) 12.2.0", "gcc", "12.2.0"},
		{"nvidia-smi's driver", "| NVIDIA-SMI 580.159.04             Driver Version: 580.159.04     CUDA Version: 13.0     |", "driver", "580.159.04"},
		{"nvidia-smi's level", "| NVIDIA-SMI 580.159.04             Driver Version: 580.159.04     CUDA Version: 13.0     |", "driver-level", "13.0"},
		{"nvidia-smi's GPU", "|   0  NVIDIA H200                    On  |   00000000:00:06.0 Off |                    0 |", "gpu", "H200"},
		{"collect_env's torch", "PyTorch version: 2.11.0+cu130", "torch", "2.11.0"},
		{"collect_env's CUDA", "CUDA used to build PyTorch: 13.0", "torch-cuda", "13.0"},
		{"a site-packages folder", "/home/me/v/lib/python3.12/site-packages/torch/x.py", "python", "3.12"},
		{"a release of something else", "Ubuntu release 22.04, V8 engine", "driver", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := bare(t, tt.line).Log.Values[tt.key]; got != tt.want {
				t.Errorf("%s of %q = %q, want %q", tt.key, tt.line, got, tt.want)
			}
		})
	}
}

// TestLastWords: a warning of a container or an installer is told where the log ends with it, and only there.
func TestLastWords(t *testing.T) {
	const banner = "== CUDA ==\n\nWARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.\n   Use the NVIDIA Container Toolkit to start this container with GPU support; see\n   https://docs.nvidia.com/datacenter/cloud-native/ .\n"
	const note = "\nNOTE: MOFED driver for multi-node communication was not detected.\n      Multi-node communication performance may be reduced.\n"
	const hook = "-> The distribution-provided pre-install script failed!  Are you sure you want to continue? (Answer: Continue installation)\n"
	const tries = "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'SSLError(1)': /wheels\n"
	set := whole(t)
	for _, tt := range []struct{ name, text, want string }{
		{"pip's last try", tries, NotCUDA},
		{"pip that finds it elsewhere", tries + "Collecting x\n  Using cached x-1-py3-none-any.whl\nSuccessfully installed x-1", "none"},
		{"pip whose build fails then", tries + "Collecting x\nfrobnicate: error: no frob", Unknown},
		{"the banner alone", banner, "gpu-not-passed-to-container"},
		{"the banner and a note", banner + note, "gpu-not-passed-to-container"},
		{"the banner without its indent", "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.\nUse the NVIDIA Container Toolkit to start this container with GPU support; see\nhttps://docs.nvidia.com/datacenter/cloud-native/ .", "gpu-not-passed-to-container"},
		{"a build that goes well", banner + "[ 50%] Building CXX object a.o\n[100%] Built target a", "none"},
		{"a program that goes on", banner + "Epoch 1/10 loss 0.31\nEpoch 2/10 loss 0.28", "none"},
		{"WSL, where it is wrong", banner + "| NVIDIA-SMI 510.06       Driver Version: 510.06       CUDA Version: 11.6     |", "none"},
		{"a failure of its own", banner + "Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\napp.ConfigMissing: no model", Unknown},
		{"a known failure of its own", banner + "ModuleNotFoundError: No module named 'yaml'", NotCUDA},
		{"an installer's hook", hook, "installer-refused"},
		{"an installer that fails later", hook + "ERROR: Unable to find the kernel source tree for the currently running kernel.", "installer-refused"},
		{"an installation that goes well", hook + "-> Installation of the NVIDIA Accelerated Graphics Driver for Linux-x86_64 (version: 340.29) is now complete.", "none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if a := answer(t, set, tt.text, ""); first(a) != tt.want {
				t.Errorf("got %s, want %s; noticed %v", told(a), tt.want, a.Noticed)
			}
		})
	}
}

// TestMentions: why a test was skipped, and the name of an error in source, are no cause.
func TestMentions(t *testing.T) {
	const none = "CUDA error: no CUDA-capable device is detected"
	const fails = "E       AssertionError: layout mismatch\n"
	set := whole(t)
	for _, tt := range []struct{ name, text, not string }{
		{"pytest's summary", fails + "SKIPPED [1] test_a.py:3: " + none + "\n==== 1 failed, 1 skipped in 0.33s ====", "driver-not-installed-or-loaded"},
		{"pytest -v", "test_a.py::test_x SKIPPED (" + none + ")\n" + fails + "==== 1 failed, 1 skipped in 0.33s ====", "driver-not-installed-or-loaded"},
		{"unittest", "test_copy (t.Device.test_copy) ... skipped '" + none + "'\nFAILED (failures=1, skipped=1)", "driver-not-installed-or-loaded"},
		{"an expected failure", "XFAIL test_a.py::test_x - " + none + "\n" + fails + "==== 1 failed, 1 xfailed in 0.33s ====", "driver-not-installed-or-loaded"},
		{"the key of a dictionary", "Traceback (most recent call last):\n    return names['cudaErrorMemoryAllocation']\nKeyError: 'cudaErrorMemoryAllocation'", "gpu-out-of-memory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, f := range answer(t, set, tt.text, "").Findings {
				if f.Label == tt.not {
					t.Errorf("%q is told as %s", tt.text, f.Label)
				}
			}
		})
	}
}
