package library

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/probe/python"
)

func survey(t *testing.T, archive string, roots ...string) []string {
	t.Helper()
	h, err := host.Parse([]byte(archive), nil)
	if err != nil {
		t.Fatal(err)
	}
	at := look.New(h)
	var out []string
	for _, l := range Survey(context.Background(), at, roots, python.Survey(context.Background(), at, python.Options{})) {
		v := l.Version.Value
		if !l.Version.Known() {
			v = string(l.Version.State)
		}
		line := fmt.Sprintf("%s %s %s %s", l.Name, v, l.Path, l.Origin)
		if l.CUDAMajor > 0 {
			line += fmt.Sprintf(" cuda%d", l.CUDAMajor)
		}
		out = append(out, line)
	}
	return out
}

const linux = "-- host --\nos = linux\narch = amd64\nhome = /home/u\ncwd = /home/u\n"

func cudnnHeader(path, version string) string {
	v := strings.Split(version, ".")
	return fmt.Sprintf("-- file %s --\n#ifndef CUDNN_VERSION_H_\n#define CUDNN_MAJOR %s\n#define CUDNN_MINOR %s\n#define CUDNN_PATCHLEVEL %s\n", path, v[0], v[1], v[2])
}

func TestSurvey(t *testing.T) {
	for _, tt := range []struct {
		name, archive string
		roots         []string
		want          []string
	}{
		{"nothing", linux, nil, nil},
		{
			"Debian package with links, told once", linux + "-- env --\nCUDNN_PATH=/usr\nLD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu\n" +
				cudnnHeader("/usr/include/x86_64-linux-gnu/cudnn_version_v9.h", "9.14.0") +
				"-- tree --\n/usr/include/cudnn_version.h -> /etc/alternatives/cudnn_version_h\n/etc/alternatives/cudnn_version_h -> /usr/include/x86_64-linux-gnu/cudnn_version_v9.h\n" +
				"/usr/lib/x86_64-linux-gnu/libcudnn.so -> libcudnn.so.9\n/usr/lib/x86_64-linux-gnu/libcudnn.so.9 -> libcudnn.so.9.14.0\n/usr/lib/x86_64-linux-gnu/libcudnn.so.9.14.0 f 10\n" +
				"/var/lib/dpkg/info/libcudnn9-cuda-13.md5sums f 1\n/var/lib/dpkg/info/libcudnn9-dev-cuda-13.md5sums f 1\n", []string{"/usr"},
			[]string{"cudnn 9.14.0 /usr/lib/x86_64-linux-gnu/libcudnn.so.9.14.0 system cuda13"},
		},
		{
			"older Debian package tells CUDA by its version", linux +
				"-- tree --\n/usr/lib/x86_64-linux-gnu/libcudnn.so.8 -> libcudnn.so.8.9.7\n/usr/lib/x86_64-linux-gnu/libcudnn.so.8.9.7 f 10\n/usr/lib/x86_64-linux-gnu/libnccl.so.2.21.5 f 10\n" +
				"-- file /var/lib/dpkg/status --\nPackage: libcudnn8\nVersion: 8.9.7.29-1+cuda12.2\nPackage: libnccl2\nVersion: 2.21.5-1+cuda11.0\n", nil,
			[]string{"cudnn 8.9.7 /usr/lib/x86_64-linux-gnu/libcudnn.so.8.9.7 system cuda12", "nccl 2.21.5 /usr/lib/x86_64-linux-gnu/libnccl.so.2.21.5 system cuda11"},
		},
		{
			"toolkit and pip wheel side by side", linux + "-- env --\nVIRTUAL_ENV=/v\n" +
				cudnnHeader("/usr/local/cuda-12.4/include/cudnn_version.h", "8.9.7") + cudnnHeader("/v/lib/python3.11/site-packages/nvidia/cudnn/include/cudnn_version.h", "9.19.0") +
				"-- tree --\n/usr/local/cuda -> cuda-12.4\n/usr/local/cuda-12.4/lib64/libcudnn.so.8 f 10\n/v/bin/python3 x 1\n/v/lib/python3.11/site-packages/nvidia_cudnn_cu13-9.19.0.56.dist-info d\n" +
				"/v/lib/python3.11/site-packages/nvidia/cudnn/lib/libcudnn.so.9 f 10\n-- file /v/pyvenv.cfg --\nversion = 3.11.2\n",
			[]string{"/usr/local/cuda", "/usr/local/cuda-12.4"},
			[]string{"cudnn 9.19.0 /v/lib/python3.11/site-packages/nvidia/cudnn/lib/libcudnn.so.9 pip cuda13", "cudnn 8.9.7 /usr/local/cuda/lib64/libcudnn.so.8 toolkit"},
		},
		{
			"a compiler's packages bring cublas_api.h and no cuBLAS", linux + "-- tree --\n/t/lib64/libcudart.so.12 f 10\n-- file /t/include/cublas_api.h --\n" +
				"#define CUBLAS_VER_MAJOR 12\n#define CUBLAS_VER_MINOR 4\n#define CUBLAS_VER_PATCH 5\n", []string{"/t"}, nil,
		},
		{
			"the same with the library", linux + "-- tree --\n/t/lib64/libcublas.so.12 f 10\n-- file /t/include/cublas_api.h --\n" +
				"#define CUBLAS_VER_MAJOR 12\n#define CUBLAS_VER_MINOR 4\n#define CUBLAS_VER_PATCH 5\n", []string{"/t"},
			[]string{"cublas 12.4.5 /t/lib64/libcublas.so.12 toolkit"},
		},
		{
			"conda", linux + "-- env --\nCONDA_PREFIX=/opt/conda/envs/ml\n-- tree --\n/opt/conda/envs/ml/conda-meta d\n/opt/conda/envs/ml/lib/libcudnn.so.9 f 10\n" +
				"-- file /opt/conda/envs/ml/conda-meta/cudnn-9.10.1.4-hbcb9cd8_1.json --\n{\n  \"depends\": [\n    \"cuda-version >=12,<13.0a0\"\n  ]\n}\n", nil,
			[]string{"cudnn 9.10.1.4 /opt/conda/envs/ml/lib/libcudnn.so.9 conda cuda12"},
		},
		{
			"include and library folders named apart", linux + "-- env --\nCUDNN_INCLUDE_DIR=/x/include\nCUDNN_LIB_DIR=/x/lib\n" + cudnnHeader("/x/include/cudnn_version.h", "9.1.0") + "-- tree --\n/x/lib/libcudnn.so.9 f 1\n", nil,
			[]string{"cudnn 9.1.0 /x/lib/libcudnn.so.9 system"},
		},
		{
			"garbage in the header", linux + "-- file /usr/include/cudnn_version.h --\n#define CUDNN_MAJOR \x01\n#define CUDNN_MINOR 2\n", nil,
			[]string{"cudnn unreadable /usr/include/cudnn_version.h system"},
		},
		{
			"closed header", linux + "-- tree --\n/usr/include/nccl.h ! permission denied\n", nil,
			[]string{"nccl unreadable /usr/include/nccl.h system"},
		},
		{
			"OpenBLAS and MKL", linux + "-- env --\nMKLROOT=/opt/mkl\n-- file /opt/mkl/include/mkl_version.h --\n#define __INTEL_MKL__ 2024\n#define __INTEL_MKL_MINOR__ 0\n#define __INTEL_MKL_UPDATE__ 1\n" +
				"-- tree --\n/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0 -> libopenblasp-r0.3.21.so\n/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so f 1\n/usr/lib/x86_64-linux-gnu/libopenblas.so.0 -> openblas-pthread/libopenblas.so.0\n" +
				"-- file /usr/include/x86_64-linux-gnu/openblas-pthread/openblas_config.h --\n#define OPENBLAS_VERSION \" OpenBLAS 0.3.21 \"\n", nil,
			[]string{"openblas 0.3.21 /usr/lib/x86_64-linux-gnu/libopenblas.so.0 system", "mkl 2024.0.1 /opt/mkl system"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := survey(t, tt.archive, tt.roots...); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestSurveyOnWindows(t *testing.T) {
	got := survey(t, "-- host --\nos = windows\narch = amd64\nhome = C:\\Users\\u\n-- env --\nProgramFiles=C:\\Program Files\n"+
		cudnnHeader(`C:\Program Files\NVIDIA\CUDNN\v9.14\include\12.9\cudnn_version.h`, "9.14.0")+
		cudnnHeader(`C:\Program Files\NVIDIA\CUDNN\v9.14\include\13.0\cudnn_version.h`, "9.14.0")+
		"-- tree --\n"+`C:\Program Files\NVIDIA\CUDNN\v9.14\bin\12.9\cudnn64_9.dll f 1
C:\Program Files\NVIDIA\CUDNN\v9.14\bin\13.0\x64\cudnn64_9.dll f 1
C:\Program Files\LLVM\bin\libclang.dll f 1
C:\Program Files\LLVM\lib\clang\18 d
`)
	want := []string{
		`cudnn 9.14.0 C:\Program Files\NVIDIA\CUDNN\v9.14\bin\12.9\cudnn64_9.dll windows cuda12`,
		`cudnn 9.14.0 C:\Program Files\NVIDIA\CUDNN\v9.14\bin\13.0\x64\cudnn64_9.dll windows cuda13`,
		`libclang 18 C:\Program Files\LLVM\bin\libclang.dll windows`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestClang(t *testing.T) {
	const two = "-- tree --\n/usr/lib/llvm-14/lib/libclang-14.so.1 -> ../../x86_64-linux-gnu/libclang-14.so.14.0.6\n/usr/lib/x86_64-linux-gnu/libclang-14.so.14.0.6 f 1\n" +
		"/usr/lib/x86_64-linux-gnu/libclang-14.so.1 -> libclang-14.so.14.0.6\n/usr/lib/x86_64-linux-gnu/libclang-cpp.so.14 f 1\n" +
		"/usr/lib/llvm-16/lib/libclang.so.1 -> libclang-16.so.1\n/usr/lib/llvm-16/lib/libclang-16.so.1 f 1\n/usr/lib/llvm-17/lib/libclang-17.so.1 -> gone\n/opt/c/libclang.so f 1\n"
	for _, tt := range []struct {
		name, archive string
		want          []string
	}{
		{"newest first, a bare versioned name counts", linux + two, []string{
			"libclang 16 /usr/lib/llvm-16/lib/libclang-16.so.1 system", "libclang 14.0.6 /usr/lib/x86_64-linux-gnu/libclang-14.so.14.0.6 system"}},
		{"variable names a folder", linux + "-- env --\nLIBCLANG_PATH=/opt/c\n" + two, []string{"libclang unreadable /opt/c/libclang.so system"}},
		{"variable names a file", linux + "-- env --\nLIBCLANG_PATH=/usr/lib/llvm-14/lib/libclang-14.so.1\n" + two, []string{"libclang 14.0.6 /usr/lib/llvm-14/lib/libclang-14.so.1 system"}},
		{"variable names nothing", linux + "-- env --\nLIBCLANG_PATH=/gone\n-- tree --\n/usr/lib64/libclang.so.17.0.1 f 1\n", []string{"libclang unreadable /gone system", "libclang 17.0.1 /usr/lib64/libclang.so.17.0.1 system"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := survey(t, tt.archive); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// The ranks are what parse_version of clang-sys gives, cut by cut.
func TestClangRank(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []int
	}{
		{"libclang.so", nil}, {"libclang.so.16.1", []int{16, 1}}, {"libclang-14.so", []int{14}}, {"libclang-3.9.so", []int{3, 9}},
		{"libclang-16.so.1", []int{16, 0}}, {"libclang-16.so.16.0.6", []int{16, 0, 16, 0}}, {"libclang-", nil},
	} {
		t.Run(tt.in, func(t *testing.T) {
			if got := clangRank(tt.in); !slices.Equal(got, tt.want) {
				t.Errorf("clangRank(%q) = %v, want %v", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzHeaderVersion(f *testing.F) {
	f.Add("#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 14\n#define CUDNN_PATCHLEVEL 0")
	f.Add("#define NCCL_MAJOR 2\n#define NCCL_MINOR 21\n#define NCCL_PATCH 99999999999999")
	f.Fuzz(func(t *testing.T, text string) {
		for _, k := range kinds {
			v, err := macroVersion(k, strings.Split(text, "\n"))
			if (err == nil) == (v == "") {
				t.Errorf("%s: %q, %v from %q", k.name, v, err, text)
			}
		}
	})
}

// FuzzFileNames lets any name stand in a library folder.
func FuzzFileNames(f *testing.F) {
	f.Add("libcudnn.so.9.14.0")
	f.Add("libclang-.so.1")
	f.Add("libnccl.so...")
	f.Fuzz(func(t *testing.T, name string) {
		if strings.ContainsAny(name, "/\n\r \x00") || name == "" || name == "." || name == ".." {
			return
		}
		h, err := host.Parse([]byte(linux+"-- tree --\n/usr/lib64/"+name+" f 1\n"), nil)
		if err != nil {
			return
		}
		for _, l := range Survey(context.Background(), look.New(h), nil, nil) {
			if l.Version.State == fact.Absent || l.Version.Known() && l.Version.Value == "" {
				t.Errorf("%+v from %q", l, name)
			}
		}
	})
}
