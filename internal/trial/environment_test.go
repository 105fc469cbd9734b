package trial

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/contract"
)

func TestEnvironment(t *testing.T) {
	hide := Hide{OS: "linux", Vars: variables([]string{"KIT"}), Roots: []string{"/usr/local/cuda-12.4", "/usr/local/cuda"}, Libraries: []string{"/x/libcuda.so.1"}}
	windows := Hide{OS: "windows", Vars: variables(nil), Roots: []string{`C:\CUDA\v13.0`}, PathDirs: []string{`D:\dll`}}
	for _, tt := range []struct {
		name, os, needs string
		hide            *Hide
		base            []string
		env, own        map[string]string
		stubs, want     []string
	}{
		{"none: variables and folders go", "linux", "none", &hide,
			[]string{"HOME=/h", "CUDA_HOME=/usr/local/cuda", "NVCC_CCBIN=g++", "MY_CUDA_X=1", "KIT=1", "PATH=/usr/local/cuda/bin:/usr/bin", "LD_LIBRARY_PATH=/usr/local/cuda-12.4/lib64",
				"LD_PRELOAD=/x/libcuda.so.1:/y.so", "CPATH=/a:/usr/local/cuda/include", "BROKEN", "NCCL_DEBUG=1", "CUPEL_TOOLKIT=12.4", "CC=cc"},
			map[string]string{"CUDA_PATH": "/usr/local/cuda", "PATH": "/usr/local/cuda/bin"}, nil, nil,
			[]string{"HOME=/h", "PATH=/usr/bin", "LD_PRELOAD=/y.so", "CPATH=/a", "CC=cc"}},
		{"none: the config's own words hold", "linux", "none", &hide, []string{"CUDA_VISIBLE_DEVICES=0"}, map[string]string{"CUDA_VISIBLE_DEVICES": "", "CUDA_HOME": "/x"},
			map[string]string{"CUDA_VISIBLE_DEVICES": ""}, nil, []string{"CUDA_VISIBLE_DEVICES="}},
		{"none: an empty entry of PATH stays", "linux", "none", &hide, []string{"PATH=/bin::/usr/local/cuda/bin"}, nil, nil, nil, []string{"PATH=/bin:"}},
		{"none: Windows has no case", "windows", "none", &windows, []string{`Path=c:\cuda\V13.0\bin;C:\Windows;"D:\dll"`, `Cuda_Path=C:\CUDA\v13.0`, `=C:=C:\x`},
			nil, nil, nil, []string{`Path=C:\Windows`, `=C:=C:\x`}},
		{"toolkit: computed words win", "linux", "toolkit", nil, []string{"A=1", "B=2"}, map[string]string{"B": "3"}, nil, nil, []string{"A=1", "B=3"}},
		{"toolkit: Windows names meet", "windows", "toolkit", nil, []string{"Path=x"}, map[string]string{"PATH": "y"}, nil, nil, []string{"PATH=y"}},
		{"stub: to the linker, never to the loader", "linux", "stub", nil, []string{"LIBRARY_PATH=/l", "LD_LIBRARY_PATH=/k/lib64/stubs:/k/lib64"}, nil, nil,
			[]string{"/k/lib64/stubs"}, []string{"LD_LIBRARY_PATH=/k/lib64", "LIBRARY_PATH=/k/lib64/stubs:/l"}},
		{"stub: Windows links from LIB", "windows", "stub", nil, []string{`Lib=C:\l`}, nil, nil, []string{`C:\k\lib\x64`}, []string{`LIB=C:\k\lib\x64;C:\l`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req := Request{Config: contract.Config{Needs: contract.Needs{What: tt.needs}, Env: tt.own}, Base: tt.base, Env: tt.env, Hide: tt.hide, Stubs: tt.stubs}
			got, _ := environment(req, tt.os)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("environment of %q (-want +got):\n%s", tt.base, diff)
			}
		})
	}
}
