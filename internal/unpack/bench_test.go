package unpack

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/resolve"
)

// asChild names the variable that makes this program unpack its arguments and end: a process of its own is measured as
// the peer is, with the processor time it took.
const asChild = "CUPEL_UNPACK_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(asChild) == "" {
		os.Exit(m.Run())
	}
	for i, archive := range os.Args[2:] {
		root := filepath.Join(os.Args[1], fmt.Sprint(i))
		err := os.Mkdir(root, 0o755)
		if err == nil {
			_, err = Unpack(context.Background(), archive, root, Options{Format: os.Getenv(asChild)})
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// cost is what a run took.
type cost struct{ wall, cpu time.Duration }

func (c cost) least(o cost) cost { return cost{min(c.wall, o.wall), min(c.cpu, o.cpu)} }

// ran starts programs one after the other.
func ran(b *testing.B, all ...*exec.Cmd) (spent time.Duration) {
	b.Helper()
	for _, cmd := range all {
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %v: %s", cmd.Args, err, out)
		}
		spent += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return spent
}

func child(format, dir string, archives ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{dir}, archives...)...)
	cmd.Env = append(os.Environ(), asChild+"="+format)
	return cmd
}

// forever is longer than any run. The shortest run of each side counts: the machine has other work too.
const forever = time.Hour

// benchWheels are real wheels: from CUPEL_BENCH_WHEELS, else fetched by pip into a folder of the cache.
func benchWheels(b *testing.B) []string {
	b.Helper()
	dir := os.Getenv("CUPEL_BENCH_WHEELS")
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			b.Skip("no cache folder for wheels: ", err)
		}
		dir = filepath.Join(cache, "cupel-bench-wheels")
		cmd := exec.Command("pip", "download", "-q", "-d", dir, "cuda-toolkit[nvcc,cudart,cccl,crt,nvvm]==13.0.*")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Skipf("pip could not fetch the wheels of cuda-toolkit 13.0: %v: %s", err, out)
		}
	}
	wheels, _ := filepath.Glob(filepath.Join(dir, "nvidia_*.whl"))
	if len(wheels) == 0 {
		b.Skip("no wheels in ", dir)
	}
	return wheels
}

// peer is the program to be measured against.
func peer(b *testing.B, wheels []string, to string) []*exec.Cmd {
	b.Helper()
	var out []*exec.Cmd
	for _, w := range wheels {
		if _, err := exec.LookPath("unzip"); err == nil {
			out = append(out, exec.Command("unzip", "-q", "-o", w, "-d", to))
		} else {
			out = append(out, exec.Command("python3", "-m", "zipfile", "-e", w, to))
		}
	}
	return out
}

// BenchmarkUnpackWheel prints how much longer unzip takes for the same wheels, in turns.
func BenchmarkUnpackWheel(b *testing.B) {
	wheels := benchWheels(b)
	ours, theirs := cost{forever, forever}, cost{forever, forever}
	for b.Loop() {
		theirs = theirs.least(timed(b, func(dir string) time.Duration { return ran(b, peer(b, wheels, dir)...) }))
		ours = ours.least(timed(b, func(dir string) time.Duration { return ran(b, child(resolve.Wheel, dir, wheels...)) }))
	}
	ratios(b, "unzip", theirs, ours)
}

// ratios prints how often the peer's cost is ours.
func ratios(b *testing.B, peer string, theirs, ours cost) {
	b.ReportMetric(float64(theirs.wall)/float64(ours.wall), peer+"/cupel")
	b.ReportMetric(float64(theirs.cpu)/float64(ours.cpu), peer+"/cupel-cpu")
	b.ReportMetric(ours.wall.Seconds(), "s-cupel")
}

// BenchmarkUnpackDeb prints how much longer dpkg-deb and tar take: for the whole package, and for its headers alone.
func BenchmarkUnpackDeb(b *testing.B) {
	deb := os.Getenv("CUPEL_BENCH_DEB")
	if deb == "" {
		b.Skip("CUPEL_BENCH_DEB names no package")
	}
	for _, tt := range []struct {
		name  string
		place func(string) (string, bool)
		args  string
	}{
		{"headers", func(n string) (string, bool) { return n, strings.HasPrefix(n, "usr/include/") }, "./usr/include"},
		{"whole", nil, ""},
	} {
		b.Run(tt.name, func(b *testing.B) {
			ours, theirs := cost{forever, forever}, cost{forever, forever}
			for b.Loop() {
				theirs = theirs.least(timed(b, func(dir string) time.Duration {
					return ran(b, exec.Command("sh", "-c", `dpkg-deb --fsys-tarfile "$0" | tar -x -C "$1" $2`, deb, dir, tt.args))
				}))
				ours = ours.least(timed(b, func(dir string) time.Duration {
					if _, err := Unpack(context.Background(), deb, dir, Options{Format: resolve.Deb, Place: tt.place}); err != nil {
						b.Fatal(err)
					}
					return forever
				}))
			}
			b.ReportMetric(float64(theirs.wall)/float64(ours.wall), "dpkg/cupel")
			b.ReportMetric(ours.wall.Seconds(), "s-cupel")
			b.ReportMetric(theirs.cpu.Seconds(), "s-dpkg-cpu")
		})
	}
}

// timed runs something in an empty folder; making and emptying it does not count. It lies in memory where that can be
// had (CUPEL_BENCH_DIR names another place): a shared disk measures its other users, and ext4 the clean-up before, since
// it searches long for a free inode when many were given back in the last seconds.
func timed(b *testing.B, work func(dir string) time.Duration) cost {
	b.Helper()
	place := cmp.Or(os.Getenv("CUPEL_BENCH_DIR"), "/dev/shm")
	if info, err := os.Stat(place); err != nil || !info.IsDir() {
		place = ""
	}
	dir, err := os.MkdirTemp(place, "cupel-bench-")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	start := time.Now()
	spent := work(dir)
	return cost{time.Since(start), spent}
}
