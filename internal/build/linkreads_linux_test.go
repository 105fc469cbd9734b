package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// recursive makes nvlink warn: it cannot tell how much stack the kernel takes.
const recursive = "extern \"C\" __device__ int twice(int x) { return x > 1000 ? x : twice(2 * x) + twice(3 * x); }\n"

// linkProject is a project in a folder whose name nvcc, the shell and the linker would each read in another way, with a
// toolkit of its own, made of links, so that its files can be replaced.
func linkProject(t *testing.T) Job {
	t.Helper()
	text := strings.Replace(head, `["sm_75", "sm_80", "sm_90"]`, `["sm_80"]`, 1) + `
[[kernels]]
name = "k"
sources = ["**/*.cu"]
kinds = ["static", "shared"]
device-link = true
`
	job := realJob(t, "cuda-12.4", "12.4", text, map[string]string{"x.cu": twice, "y.cu": recursive})
	root := filepath.Join(filepath.Dir(job.Root), "a b, (c)")
	must(t, os.Rename(job.Root, root))
	kit := t.TempDir()
	real := filepath.Dir(filepath.Dir(job.Tools.Nvcc))
	must(t, exec.CommandContext(t.Context(), "cp", "-rs", real+"/.", kit).Run())
	for _, name := range []string{"bin/nvcc", "lib64/libcudadevrt.a", "bin/crt/link.stub", "lib64/libcudart_static.a"} {
		b, err := os.ReadFile(filepath.Join(real, name))
		must(t, err)
		must(t, os.Remove(filepath.Join(kit, name)))
		must(t, os.WriteFile(filepath.Join(kit, name), b, 0o755))
	}
	job.Root, job.Tools.Nvcc = root, filepath.Join(kit, "bin", "nvcc")
	job.Tools.Env = append(slices.Clone(os.Environ()), "LIBRARY_PATH="+kit+"/early:"+kit+"/late")
	must(t, os.Mkdir(kit+"/early", 0o755))
	return job
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestLinkReads: whatever a link reads besides its inputs, or would read if it came, links again; nothing else does. What
// the linkers said is told again.
func TestLinkReads(t *testing.T) {
	job := linkProject(t)
	kit := filepath.Dir(filepath.Dir(job.Tools.Nvcc))
	opt := options(t)
	links := func(t *testing.T, want map[string]string) {
		t.Helper()
		time.Sleep(50 * time.Millisecond) // files that are too young are looked at again
		got, err := Run(t.Context(), job, opt)
		if err != nil || !got.OK() {
			t.Fatalf("build: %v, %+v", err, got.Failed)
		}
		for _, s := range got.Steps {
			if s.Source == "" && s.How != want[s.Kind] {
				t.Errorf("%s is %s (%s, %s), want %s", s.Kind, s.How, s.Why, s.Uncached, want[s.Kind])
			}
			if s.Kind == "device-link" && !strings.Contains(s.Said, "Stack size") {
				t.Errorf("%s is %s and says %q, want nvlink's warning", s.Kind, s.How, s.Said)
			}
		}
	}
	links(t, map[string]string{"device-link": Built, "static": Built, "shared": Built})
	all := map[string]string{"device-link": UpToDate, "static": UpToDate, "shared": UpToDate}
	links(t, all)
	must(t, os.RemoveAll(filepath.Join(job.Root, job.Out)))
	links(t, map[string]string{"device-link": Cached, "static": Cached, "shared": Cached})
	for _, tt := range []struct {
		name string
		do   func() error
		want map[string]string
	}{
		{"the toolkit's library of device code changes", func() error { return member(t, kit+"/lib64/libcudadevrt.a") }, map[string]string{"device-link": Built, "static": UpToDate, "shared": Built}},
		{"nvcc's stub changes", func() error { return touch(kit + "/bin/crt/link.stub") }, map[string]string{"device-link": Built, "static": UpToDate, "shared": Built}},
		{"the run time changes", func() error { return member(t, kit+"/lib64/libcudart_static.a") }, map[string]string{"device-link": UpToDate, "static": UpToDate, "shared": Built}},
		{"a header comes that the stub would include", func() error {
			return copyTo(kit+"/include/crt/host_defines.h", job.Root+"/crt/host_defines.h")
		}, map[string]string{"device-link": Built, "static": UpToDate, "shared": Built}},
		{"a library comes earlier", func() error { return copyTo(libc(t, "librt.a"), kit+"/early/librt.a") }, map[string]string{"device-link": UpToDate, "static": UpToDate, "shared": Built}},
		{"a library comes in a folder that was not there", func() error { return copyTo(libc(t, "libdl.a"), kit+"/late/libdl.a") }, map[string]string{"device-link": UpToDate, "static": UpToDate, "shared": Built}},
		{"something else comes", func() error { return copyTo(libc(t, "libdl.a"), kit+"/late/libother.a") }, all},
	} {
		t.Run(tt.name, func(t *testing.T) {
			must(t, tt.do())
			links(t, tt.want)
			links(t, all)
		})
	}
}

func touch(path string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString("\n")
	return err
}

// member adds an empty object to a library.
func member(t *testing.T, library string) error {
	empty := filepath.Join(t.TempDir(), "empty.o")
	cc := exec.CommandContext(t.Context(), "gcc", "-c", "-x", "c", "-o", empty, "/dev/null")
	if err := cc.Run(); err != nil {
		return err
	}
	return exec.CommandContext(t.Context(), "ar", "q", library, empty).Run()
}

func copyTo(from, to string) error {
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}

// libc is a library of the system.
func libc(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "gcc", "-print-file-name="+name).Output()
	must(t, err)
	return strings.TrimSpace(string(out))
}

func TestPrerequisites(t *testing.T) {
	for _, tt := range []struct{ rule, want string }{
		{"a.o: x.c \\\n y.h\n", "x.c|y.h"},
		{"/tmp/a.o: \\\n /a\\ b/x.c /c$$d.h \\\r\n z\\#.h", "/a b/x.c|/c$d.h|z#.h"},
		{"a.o: back\\slash.h\n", "back\\slash.h"},
		{"", ""},
		{"a.o:", ""},
	} {
		if got := strings.Join(prerequisites(tt.rule), "|"); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.rule, got, tt.want)
		}
	}
}

func FuzzPrerequisites(f *testing.F) {
	f.Add("a.o: x.c \\\n y\\ z.h $$ \\\\ \n")
	f.Fuzz(func(t *testing.T, rule string) {
		for _, name := range prerequisites(rule) {
			if name == "" {
				t.Fatal("an empty name")
			}
		}
	})
}
