package consumer

import (
	"slices"
	"strings"
	"testing"

	"cupel/internal/version"
)

func mustVersion(t *testing.T, s string) version.V {
	t.Helper()
	v, err := version.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func rowOf(t *testing.T, name, at string) Row {
	t.Helper()
	for _, r := range Rows() {
		v := mustVersion(t, at)
		if r.Name == name && r.Covers(v) {
			return r.forVersion(v)
		}
	}
	t.Fatalf("no row for %s %s", name, at)
	return Row{}
}

// machine makes a World in a few words: files end in "*" when they may be executed and in "/" for folders.
func machine(os string, env map[string]string, path string, places ...string) World {
	w := World{OS: os, Env: env, Places: map[string]Place{}, Listings: map[string][]string{}, Releases: map[string]string{}}
	if path != "" {
		w.PathDirs = strings.Split(path, ";")
	}
	for _, p := range places {
		name, isDir := strings.CutSuffix(p, "/")
		name, exec := strings.CutSuffix(name, "*")
		place := Place{Path: name, Kind: File, Exec: exec}
		if isDir {
			place.Kind = Dir
		}
		w.Places[name] = place
	}
	return w
}

const winRoot = `C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA`

func TestPickOnWindows(t *testing.T) {
	for _, tt := range []struct {
		name, consumer, version string
		env                     map[string]string
		path                    string
		places                  []string
		listing                 []string
		root, nvcc, decider     string
		outcome                 Outcome
	}{
		{
			name: "variable names do not tell cases apart", consumer: "bindgen_cuda", version: "0.1.6",
			env: map[string]string{"Cuda_Path": winRoot + `\v12.4`}, path: winRoot + `\v12.4\bin`,
			places: []string{winRoot + `\v12.4\include\cuda.h`, winRoot + `\v12.4\bin\nvcc.exe`},
			root:   winRoot + `\v12.4`, nvcc: winRoot + `\v12.4\bin\nvcc.exe`, decider: "CUDA_PATH", outcome: Found,
		},
		{
			name: "a path in another case and with slashes is the same", consumer: "bindgen_cuda", version: "0.1.6",
			env: map[string]string{"CUDA_PATH": "c:/cuda/"}, path: `c:\cuda\BIN`,
			places: []string{`C:\CUDA\include\cuda.h`, `C:\CUDA\bin\nvcc.exe`},
			root:   `c:\cuda`, nvcc: `c:\cuda\BIN\nvcc.exe`, decider: "CUDA_PATH", outcome: Found,
		},
		{
			name: "its default folder is one level too high", consumer: "bindgen_cuda", version: "0.1.6",
			path: winRoot + `\v12.4\bin`, places: []string{winRoot + `\v12.4\include\cuda.h`, winRoot + `\v12.4\bin\nvcc.exe`},
			nvcc: winRoot + `\v12.4\bin\nvcc.exe`, decider: "PATH", outcome: Panics,
		},
		{
			name: "the first folder in name order, not the newest", consumer: "cudaforge", version: "0.1.6",
			places:  []string{winRoot + `\v13.0\bin\nvcc.exe`, winRoot + `\v12.9\bin\nvcc.exe`},
			listing: []string{winRoot + `\v13.0`, winRoot + `\v12.9`},
			root:    winRoot + `\v12.9`, nvcc: winRoot + `\v12.9\bin\nvcc.exe`, decider: winRoot + `\v12.9`, outcome: Found,
		},
		{
			name: "CUDA_HOME leads nowhere without .exe", consumer: "cudaforge", version: "0.1.6",
			env:    map[string]string{"CUDA_HOME": `D:\cuda`, "CUDA_PATH": `E:\cuda`},
			places: []string{`D:\cuda\bin\nvcc.exe`, `E:\cuda\bin\nvcc.exe`},
			root:   `E:\cuda`, nvcc: `E:\cuda\bin\nvcc.exe`, decider: "CUDA_PATH", outcome: Found,
		},
		{
			name: "cust reads CUDA_PATH on Windows", consumer: "cust (find_cuda_helper)", version: "0.2.0",
			env:    map[string]string{"CUDA_PATH": `D:\cuda`},
			places: []string{`D:\cuda\include\cuda.h`, `D:\cuda\lib\x64/`},
			root:   `D:\cuda`, decider: "CUDA_PATH", outcome: Found,
		},
		{
			name: "cust wants lib/x64", consumer: "cust (find_cuda_helper)", version: "0.2.0",
			env:    map[string]string{"CUDA_PATH": `D:\cuda`},
			places: []string{`D:\cuda\include\cuda.h`},
			root:   `D:\cuda`, decider: "CUDA_PATH", outcome: Panics,
		},
		{
			name: "CMake takes the newest folder", consumer: "CMake, find_package(CUDAToolkit)", version: "3.25",
			places:  []string{winRoot + `\v9.2/`, winRoot + `\v13.0/`, winRoot + `\v9.2\bin\nvcc.exe`, winRoot + `\v13.0\bin\nvcc.exe`},
			listing: []string{winRoot + `\v13.0`, winRoot + `\v9.2`},
			root:    winRoot + `\v13.0`, nvcc: winRoot + `\v13.0\bin\nvcc.exe`, decider: winRoot + `\v13.0`, outcome: Found,
		},
		{
			name: "torch takes the first folder", consumer: "torch cpp_extension", version: "2.8",
			places:  []string{winRoot + `\v12.8/`, winRoot + `\v13.0/`, winRoot + `\v12.8\bin\nvcc.exe`, winRoot + `\v13.0\bin\nvcc.exe`},
			listing: []string{winRoot + `\v13.0`, winRoot + `\v12.8`},
			root:    winRoot + `\v12.8`, nvcc: winRoot + `\v12.8\bin\nvcc.exe`, decider: winRoot + `\v12.8`, outcome: Found,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := machine("windows", tt.env, tt.path, tt.places...)
			for _, pattern := range []string{`\*`, `\v*`, `\v*.*`} {
				w.Listings[winRoot+pattern] = tt.listing
			}
			p := rowOf(t, tt.consumer, tt.version).Pick(w)
			if p.Root != tt.root || p.Nvcc != tt.nvcc || p.Decider != tt.decider || p.Outcome != tt.outcome {
				t.Errorf("got root %q nvcc %q decider %q outcome %q\nwant root %q nvcc %q decider %q outcome %q\nwhy: %s",
					p.Root, p.Nvcc, p.Decider, p.Outcome, tt.root, tt.nvcc, tt.decider, tt.outcome, p.Why)
			}
			if p.Proved != "read" {
				t.Errorf("proved %q on Windows, want read", p.Proved)
			}
		})
	}
}

func TestPickOnLinux(t *testing.T) {
	both := []string{
		"/usr/local/cuda-13.0/include/cuda.h", "/usr/local/cuda-13.0/bin/nvcc*", "/usr/local/cuda-13.0/lib64/",
		"/usr/include/cuda.h", "/usr/bin/nvcc*",
	}
	for _, tt := range []struct {
		name, consumer, version string
		env                     map[string]string
		path                    string
		places                  []string
		root, nvcc              string
		outcome                 Outcome
		says                    string // part of why or of a note
	}{
		{
			name: "headers of one toolkit and nvcc of another", consumer: "bindgen_cuda", version: "0.1.6",
			env: map[string]string{"CUDA_HOME": "/usr/local/cuda-13.0"}, path: "/usr/local/cuda-13.0/bin;/usr/bin", places: both,
			root: "/usr", nvcc: "/usr/local/cuda-13.0/bin/nvcc", outcome: Found, says: "two toolkits",
		},
		{
			name: "NVCC_CCBIN switches the compiler check off", consumer: "bindgen_cuda", version: "0.1.6",
			env: map[string]string{"NVCC_CCBIN": "/usr/bin/g++-12"}, path: "/usr/bin", places: both,
			root: "/usr", nvcc: "/usr/bin/nvcc", outcome: Found, says: "-allow-unsupported-compiler",
		},
		{
			name: "a file that may not be executed is no program", consumer: "bindgen_cuda", version: "0.1.6",
			path: "/srv/bin", places: []string{"/usr/include/cuda.h", "/srv/bin/nvcc"},
			root: "/usr", outcome: Panics, says: "in your PATH",
		},
		{
			name: "CMake looks beside the C compiler first", consumer: "CMake, language CUDA", version: "3.25",
			path: "/usr/local/cuda-13.0/bin;/usr/bin", places: append([]string{"/usr/bin/cc*"}, both...),
			root: "/usr", nvcc: "/usr/bin/nvcc", outcome: Found,
		},
		{
			name: "CUDACXX that is not there stops CMake", consumer: "CMake, language CUDA", version: "3.25",
			env: map[string]string{"CUDACXX": "/gone/nvcc"}, path: "/usr/bin", places: both,
			outcome: Panics, says: "CUDACXX",
		},
		{
			name: "CUDACXX may be a name with arguments", consumer: "CMake, language CUDA", version: "3.25",
			env: map[string]string{"CUDACXX": "nvcc -allow-unsupported-compiler"}, path: "/usr/bin", places: both,
			root: "/usr", nvcc: "/usr/bin/nvcc", outcome: Found,
		},
		{
			name: "an empty variable hides the usual folders from cudarc", consumer: "cudarc", version: "0.19.10",
			env: map[string]string{"CUDA_HOME": ""}, places: []string{"/usr/local/cuda/lib64/"}, outcome: Nothing,
		},
		{
			name: "cudarc joins several toolkits", consumer: "cudarc", version: "0.19.10",
			env:    map[string]string{"CUDA_HOME": "/srv/a", "CUDA_PATH": "/srv/b"},
			places: []string{"/srv/a/lib64/", "/srv/b/lib64/"}, root: "/srv/a", outcome: Ambiguous, says: "/srv/b",
		},
		{
			name: "cuda-oxide takes the first variable without a look", consumer: "cuda-oxide (cuda-bindings)", version: "1",
			env:    map[string]string{"CUDA_TOOLKIT_PATH": "/gone", "CUDA_HOME": "/srv/a"},
			places: []string{"/srv/a/include/cuda.h"}, root: "/gone", outcome: Panics, says: "cuda.h",
		},
		{
			name: "mlxcel takes CUDA_HOME without a look", consumer: "mlxcel", version: "1",
			env: map[string]string{"CUDA_HOME": "/gone"}, root: "/gone", nvcc: "/gone/bin/nvcc", outcome: Found,
		},
		{
			name: "torch: a variable that leads nowhere stops it", consumer: "torch cpp_extension", version: "2.8",
			env: map[string]string{"CUDA_HOME": "/gone"}, path: "/usr/bin", places: both,
			root: "/gone", outcome: Panics, says: "nvcc not found",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := rowOf(t, tt.consumer, tt.version).Pick(machine("linux", tt.env, tt.path, tt.places...))
			said := p.Why + strings.Join(p.Notes, "\n")
			if p.Root != tt.root || p.Nvcc != tt.nvcc || p.Outcome != tt.outcome || !strings.Contains(said, tt.says) {
				t.Errorf("got root %q nvcc %q outcome %q, said %q\nwant root %q nvcc %q outcome %q, with %q",
					p.Root, p.Nvcc, p.Outcome, said, tt.root, tt.nvcc, tt.outcome, tt.says)
			}
		})
	}
}

func TestReleaseChecks(t *testing.T) {
	for _, tt := range []struct {
		name, consumer, version string
		release, torch          string
		env                     map[string]string
		outcome                 Outcome
		says                    string
	}{
		{"mistralrs-quant panics past its list", "mistralrs-quant", "0.8.1", "13.3", "", nil, Panics, "from 11.4 to 13.2"},
		{"mistralrs-quant knows 13.2", "mistralrs-quant", "0.8.1", "13.2", "", nil, Found, ""},
		{"an unknown release is not judged", "mistralrs-quant", "0.8.1", "", "", nil, Found, "is not known"},
		{"cudarc only with its feature", "cudarc", "0.13.9", "13.0", "", nil, Found, "from 11.4 to 12.8"},
		{"cudarc by variable", "cudarc", "0.19.10", "14.0", "", map[string]string{"CUDARC_CUDA_VERSION": "13000"}, Found, "replaces"},
		{"torch of another major", "torch cpp_extension", "2.8", "13.0", "12.8", nil, Panics, "another major"},
		{"torch of another minor", "torch cpp_extension", "2.8", "12.4", "12.8", nil, Found, ""},
		{"bitsandbytes by torch", "bitsandbytes, run time", "0.50.2", "", "12.8", nil, Found, "nearest of the same major"},
		{"bitsandbytes by a wrong variable", "bitsandbytes, run time", "0.50.2", "", "12.8", map[string]string{"BNB_CUDA_VERSION": "12.4"}, Panics, "digits only"},
		{"bitsandbytes without torch", "bitsandbytes, run time", "0.50.2", "", "", nil, Unknown, "not known"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := machine("linux", tt.env, "/usr/bin", "/usr/include/cuda.h", "/usr/bin/nvcc*", "/usr/lib64/", "/usr/local/cuda/", "/usr/local/cuda/bin/nvcc*")
			w.Torch = tt.torch
			if tt.release != "" {
				w.Releases["/usr/bin/nvcc"] = tt.release
			}
			p := rowOf(t, tt.consumer, tt.version).Pick(w)
			said := p.Why + strings.Join(p.Notes, "\n")
			if p.Outcome != tt.outcome || !strings.Contains(said, tt.says) {
				t.Errorf("got %q, said %q\nwant %q, with %q", p.Outcome, said, tt.outcome, tt.says)
			}
		})
	}
}

func TestAllShowsTheProjectsVersion(t *testing.T) {
	w := machine("linux", nil, "/usr/bin")
	picks := All(w, map[string]string{"cudarc": "0.13.4", "cudaforge": "0.0.1", "bindgen_cuda": "0.2.0"})
	at := func(name string) Pick {
		i := slices.IndexFunc(picks, func(p Pick) bool { return p.Consumer == name })
		if i < 0 {
			t.Fatalf("no answer for %s", name)
		}
		return picks[i]
	}
	if p := at("cudarc"); p.Project != "0.13.4" || p.Versions != "0.13.0 … 0.16.4" || p.Outcome != Panics {
		t.Errorf("cudarc 0.13.4: %+v", p)
	}
	if p := at("cust (find_cuda_helper)"); p.Project != "" || p.Versions != "0.2.0" {
		t.Errorf("cust without a project: %+v", p)
	}
	if p := at("cudaforge"); p.Outcome != Unknown || !strings.Contains(p.Why, "0.0.1") {
		t.Errorf("a version that nobody read: %+v", p)
	}
	if p := at("bindgen_cuda"); p.Outcome != Panics || !slices.ContainsFunc(p.Notes, func(n string) bool { return strings.Contains(n, "0.2.0 was not read") }) {
		t.Errorf("a version newer than the code that was read: %+v", p)
	}
	for _, p := range picks {
		if p.Outcome == "" || p.Versions == "" {
			t.Errorf("%s has no outcome or versions: %+v", p.Consumer, p)
		}
	}
}

func TestMissingEnds(t *testing.T) {
	for _, os := range []string{"linux", "windows", "darwin"} {
		t.Run(os, func(t *testing.T) {
			env := map[string]string{"CUDA_PATH": "/srv/a", "CUDA_HOME": `C:\cuda`, "CUDACXX": "/srv/a/bin/nvcc"}
			w := World{OS: os, Env: env, PathDirs: []string{"/usr/bin"}, Places: map[string]Place{}, Listings: map[string][]string{}}
			if len(Paths(os, env, w.PathDirs)) == 0 {
				t.Fatal("nothing is asked of an unknown machine")
			}
			for range 8 {
				paths, globs := Missing(w)
				if len(paths)+len(globs) == 0 {
					return
				}
				for _, p := range paths {
					w.Places[p] = Place{Path: p, Kind: Dir}
				}
				for _, g := range globs {
					w.Listings[g] = []string{strings.Replace(g, "*", "1.2", 1)}
				}
			}
			t.Error("Missing still asks after eight rounds")
		})
	}
}
