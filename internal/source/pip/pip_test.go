package pip

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/source/sourcetest"
	"cupel/internal/version"
)

var (
	linux   = resolve.Platform{OS: "linux", Arch: "amd64"}
	arm     = resolve.Platform{OS: "linux", Arch: "arm64"}
	windows = resolve.Platform{OS: "windows", Arch: "amd64"}
	winARM  = resolve.Platform{OS: "windows", Arch: "arm64"}
)

// TestPip: the real pip of this machine, an index on loopback, small wheels. One source for all: it remembers what it
// looked up, and every look-up starts a Python.
func TestPip(t *testing.T) {
	t.Parallel()
	x := small(t)
	src := x.source(t)
	c, _ := src.client(t.Context())
	c.prepare(t.Context(), append(expected(full("13.0", linux)), "nvidia-cudnn-cu13"))
	h := sourcetest.Harness{New: func(*testing.T) source.Source { return src }, Platform: linux, Release: "13.0.7", Component: "cublas", Lacks: "gdb", Elsewhere: windows}
	if testing.Short() { // a Python for each; testFinished fetches more with one
		h.Few = []string{"crt"}
	}
	t.Run("suite", func(t *testing.T) { sourcetest.Run(t, h) })
	t.Run("plans", func(t *testing.T) { testPlans(t, src) })
	t.Run("faults", func(t *testing.T) { testFaults(t, x, src) })
	t.Run("tabled", func(t *testing.T) { testTabled(t, x, src) })
	t.Run("finished", func(t *testing.T) { testFinished(t, x, src) })
}

func request(release string, p resolve.Platform, words ...string) resolve.Request {
	return resolve.Request{Release: version.MustParse(release), Platform: p, With: words}
}

func full(release string, p resolve.Platform) resolve.Request {
	req := request(release, p)
	req.Full = true
	return req
}

// testPlans: what extras pin besides comes too, ranges stay within the release, cuDNN is its newest, and a release that
// the index or the table does not have is said so.
func testPlans(t *testing.T, src *Source) {
	for _, tt := range []struct {
		name string
		req  resolve.Request
		want string // names and versions beside the minimal ones, or the error
	}{
		{"cublas brings nvrtc", request("13.0", linux, "cublas"), "nvidia-cublas 13.1.777.3, nvidia-cuda-nvrtc 13.0.777"},
		{"a range keeps to its release", request("13.0.7", linux, "nvjitlink"), "nvidia-nvjitlink 13.0.779"},
		{"windows from here", request("13.0", windows), ""},
		{"cudnn", request("13.0", linux, "cudnn"), "nvidia-cublas 13.1.777.3, nvidia-cuda-nvrtc 13.0.777, nvidia-cudnn-cu13 9.77.0.1"},
		{"12.4 has no compiler", request("12.4", linux), "pip has no CUDA 12.4 for linux-x86_64: it has 13.0.7 (wheels of releases before 13.0 hold no nvcc for linux-x86_64; redist and apt may have it: --from redist, --from apt)"},
		{"13.9 is not there", request("13.9", linux), "pip has no CUDA 13.9 for linux-x86_64: it has 13.0.7"},
		{"windows on arm before 13.4", request("13.0", winARM), "pip has no CUDA 13.0 for windows-arm64 (wheels of releases before 13.4 hold no nvcc for windows-arm64; redist and apt may have it: --from redist, --from apt)"},
		{"an update without pins", request("13.0.6", linux), "pip has no nvcc, crt, nvvm, cudart, cccl for CUDA 13.0.6 on linux-x86_64"},
		{"no wheel for arm", request("13.0.7", arm), "look up nvidia-cuda-nvcc==13.0.777.*"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan, err := src.Resolve(t.Context(), tt.req)
			var got []string
			for _, p := range plan.Parcels {
				if !slices.Contains(resolve.Minimal(), p.Component) {
					got = append(got, p.Name+" "+p.Version)
				}
			}
			text := strings.Join(got, ", ")
			if err != nil {
				text = err.Error()
			}
			if text != tt.want && !(err != nil && strings.HasPrefix(tt.want, "look up") && strings.Contains(text, tt.want)) {
				t.Errorf("Resolve(%v) = %s, want %s", tt.req, text, tt.want)
			}
		})
	}
}

// testFaults: what the index does wrong is an error with pip's own reason, and the next try succeeds.
func testFaults(t *testing.T, x *index, src *Source) {
	plan, err := src.Resolve(t.Context(), request("13.0.7", linux))
	if err != nil {
		t.Fatal(err)
	}
	parcel := plan.Parcels[0]
	for _, tt := range []struct {
		name  string
		spoil func([]byte) []byte
		want  string
	}{
		{"wrong bytes", func(b []byte) []byte { b = slices.Clone(b); b[40] ^= 1; return b }, "its sha256 differs"},
		{"truncated", func(b []byte) []byte { return b[:len(b)/2] }, "its sha256 differs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			x.spoil = func(file string, b []byte) []byte {
				if file != parcel.File {
					return b
				}
				return tt.spoil(b)
			}
			_, err := src.FetchBatch(t.Context(), plan, plan.Parcels[:2], []string{dir, t.TempDir()}, nil)
			if err == nil || !strings.Contains(err.Error(), "fetch nvidia-cuda-nvcc 13.0.777 with pip: ") || strings.Contains(err.Error(), "--platform") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Fetch = %v, want pip's reason with %q and no command line", err, tt.want)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("Fetch left %v", left)
			}
		})
	}
	x.spoil = nil
	path, err := src.Fetch(t.Context(), plan, parcel, t.TempDir(), nil)
	if err != nil || sum(path) != parcel.SHA256 {
		t.Errorf("the next Fetch = %s, %v", path, err)
	}
}

// testFinished: a whole file is not fetched again, a broken one is; progress ends at the whole.
func testFinished(t *testing.T, x *index, src *Source) {
	plan, err := src.Resolve(t.Context(), request("13.0.7", linux))
	if err != nil {
		t.Fatal(err)
	}
	batch := plan.Parcels[:3]
	var dirs []string
	last := map[string]progress.Event{}
	for i := range batch {
		batch[i].Size.Download = int64(len(x.files[batch[i].File]))
		dirs = append(dirs, t.TempDir())
	}
	// What a killed run left is in the way of none.
	mkdir(t, filepath.Join(dirs[1], work, "out"))
	paths, err := src.FetchBatch(t.Context(), plan, batch, dirs, func(e progress.Event) { last[e.Item] = e })
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range batch {
		e := last[p.Name]
		if paths[i] != filepath.Join(dirs[i], p.File) || sum(paths[i]) != p.SHA256 || e.Done != p.Size.Download || e.Total != e.Done {
			t.Errorf("FetchBatch of %s = %s; last event %+v", p.Name, paths[i], e)
		}
		if left, _ := os.ReadDir(dirs[i]); len(left) != 1 {
			t.Errorf("FetchBatch of %s left %v", p.Name, left)
		}
	}
	x.Close()
	if again, err := src.FetchBatch(t.Context(), plan, batch, dirs, nil); err != nil || !slices.Equal(again, paths) {
		t.Errorf("FetchBatch of finished files without a server = %s, %v", again, err)
	}
	if err := os.WriteFile(paths[2], []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	if again, err := src.FetchBatch(t.Context(), plan, batch, dirs, nil); err == nil || !strings.Contains(err.Error(), "fetch "+batch[2].Name+" "+batch[2].Version+" with pip: ") {
		t.Errorf("FetchBatch with a broken file = %s, %v, want the broken one asked for again", again, err)
	}
}

// testTabled: the files of an update that the table knows are named without a further question; an index that has made
// one anew is found out by its checksum.
func testTabled(t *testing.T, x *index, src *Source) {
	want, _ := row(version.MustParse("13.0.3"), linux)
	nvcc := want.Sizes[0]
	w, _, _ := parseWheel(nvcc.File)
	x.add(w.name, nvcc.Version, linuxTag, "", "nvidia/cu13/bin/nvcc")
	asked := x.asked.Load()
	c, _ := src.client(t.Context())
	c.(*pipClient).remember([]number{{13, 0, 3, 0}, {13, 0, 2}})
	plan, err := src.Resolve(t.Context(), request("13.0", linux, "cublas"))
	if err != nil || plan.Release != "13.0.3" || strings.Join(plan.Components, " ") != "nvcc crt nvvm cudart cccl cublas nvrtc" {
		t.Fatalf("Resolve = %s %v, %v", plan.Release, plan.Components, err)
	}
	if now := x.asked.Load(); now != asked {
		t.Errorf("the index was asked %d times", now-asked)
	}
	p := plan.Parcels[0]
	if p.SHA256 != nvcc.SHA256 || p.File != nvcc.File || p.Size.Download != nvcc.Download || p.Place != "nvidia-cuda-nvcc==13.0.88" || p.Format != resolve.Wheel {
		t.Errorf("nvcc is %+v, want %+v", p, nvcc)
	}
	if path, err := src.Fetch(t.Context(), plan, p, t.TempDir(), nil); err != nil || sum(path) == p.SHA256 {
		t.Errorf("Fetch of a file made anew = %s, %v, want the file with another checksum", path, err)
	}
	c.(*pipClient).remember([]number{{13, 0, 7, 0}, {13, 0, 6}, {12, 4, 1}})
}

func TestReach(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	stalled := newIndex(t)
	stalled.stall = make(chan struct{})
	t.Cleanup(func() { close(stalled.stall) })
	for _, tt := range []struct {
		name     string
		cfg      Config
		patience time.Duration
		want     string
		or       string // on a machine that is busy, or has no pip
	}{
		{"no client", Config{Env: []string{}, Look: func(string) (string, error) { return "", exec.ErrNotFound }}, time.Minute, "pip: neither pip nor uv is on PATH", ""},
		{"refused", Config{Env: append(newIndex(t).env(), "PIP_INDEX_URL=http://"+closed.Addr().String()+"/simple/"), Look: noUV}, time.Minute, "Connection refused", "No module named"},
		{"no such package", Config{Env: newIndex(t).env(), Look: noUV}, time.Minute, "404 Client Error: Not Found", "No module named"},
		{"stalls", Config{Env: stalled.env(), Look: noUV}, source.Patience, "does not answer", "had not asked the index in time"},
		{"no pip in it", Config{Pip: []string{os.Args[0]}, Env: []string{"PIP_TEST_CHILD=empty"}}, time.Minute, "No module named pip", ""},
		{"slow start", Config{Pip: []string{os.Args[0]}, Env: []string{"PIP_TEST_CHILD=sleep"}}, time.Second, "had not asked the index in time", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.cfg.Look != nil && len(tt.cfg.Env) > 0 && len(New(tt.cfg).cfg.candidates()) == 0 {
				t.Skip("no pip here")
			}
			ctx, cancel := context.WithTimeout(t.Context(), tt.patience)
			defer cancel()
			err := New(tt.cfg).Reach(ctx)
			var gone source.Unreachable
			if !errors.As(err, &gone) || !strings.Contains(err.Error(), tt.want) && !(tt.or != "" && strings.Contains(err.Error(), tt.or)) {
				t.Errorf("Reach = %v (%T), want %q", err, err, tt.want)
			}
		})
	}
}

func TestMain(m *testing.M) {
	switch os.Getenv("PIP_TEST_CHILD") {
	case "sleep":
		time.Sleep(time.Hour)
	case "empty":
		os.Stderr.WriteString("python: No module named pip\n")
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestAccept: only the wheel of the plan is taken.
func TestAccept(t *testing.T) {
	plan := resolve.Plan{Platform: windows}
	parcel := resolve.Parcel{Name: "nvidia-cuda-nvcc", Version: "13.0.88"}
	for _, tt := range []struct{ name, file, planned, want string }{
		{"the one", "nvidia_cuda_nvcc-13.0.88-py3-none-win_amd64.whl", "", ""},
		{"for another platform", "nvidia_cuda_nvcc-13.0.88-py3-none-manylinux2014_x86_64.whl", "", "nvidia_cuda_nvcc-13.0.88-py3-none-manylinux2014_x86_64.whl is not a wheel for windows-x86_64"},
		{"for another machine", "nvidia_cuda_nvcc-13.0.88-py3-none-win_arm64.whl", "", "nvidia_cuda_nvcc-13.0.88-py3-none-win_arm64.whl is not a wheel for windows-x86_64"},
		{"another version", "nvidia_cuda_nvcc-13.0.89-py3-none-win_amd64.whl", "", "pip brought nvidia_cuda_nvcc-13.0.89-py3-none-win_amd64.whl, not nvidia-cuda-nvcc 13.0.88"},
		{"another file", "nvidia_cuda_nvcc-13.0.88-py3-none-win_amd64.whl", "nvidia_cuda_nvcc-13.0.88-py3-none-any.whl", "pip brought nvidia_cuda_nvcc-13.0.88-py3-none-win_amd64.whl, the plan names nvidia_cuda_nvcc-13.0.88-py3-none-any.whl"},
		{"nothing", "readme.txt", "", "pip brought 0 wheels, not 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, to := t.TempDir(), t.TempDir()
			if err := os.WriteFile(filepath.Join(from, tt.file), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			parcel.File = tt.planned
			paths := []string{""}
			err := take(from, plan, []resolve.Parcel{parcel}, []string{to}, []int{0}, paths)
			if got := text(err); got != tt.want || err == nil && paths[0] != filepath.Join(to, tt.file) {
				t.Errorf("take(%s) = %s, %q, want %q", tt.file, paths, got, tt.want)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func mkdir(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Error(err)
	}
	return dir
}
