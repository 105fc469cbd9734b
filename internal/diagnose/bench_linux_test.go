package diagnose

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cupel/internal/signature"
	"cupel/internal/testbed"
)

// childName makes the test program diagnose its standard input and say what it found: the benchmark and the test
// of memory look at it from outside, as a process of its own.
const childName = "CUPEL_TEST_DIAGNOSE"

func TestMain(m *testing.M) {
	if os.Getenv(childName) == "" {
		os.Exit(m.Run())
	}
	set, err := signature.Compile(signature.All())
	if err == nil {
		var seen *Seen
		if seen, err = Read(os.Stdin, set); err == nil {
			a := Judge(seen, Options{})
			fmt.Println(a.Log.Lines, first(a))
			return
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(3)
}

// buildOutput is real output of cmake, make, ninja, nvcc 13.0 --verbose, cargo -vv and gcc with all warnings, of
// builds that went well.
func buildOutput(t testing.TB) []byte {
	t.Helper()
	f, err := os.Open("testdata/build.log.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// lateFailure stands near the end of the long log. nvcc 13.0.88 -arch=sm_52 says so.
const lateFailure = "nvcc fatal   : Unsupported gpu architecture 'compute_52'\nmake[2]: *** [CMakeFiles/a.dir/build.make:76: CMakeFiles/a.dir/a.cu.o] Error 1\n"

// long writes a log of n bytes: the real output again and again, each time with other numbers.
func long(t testing.TB, w io.Writer, n int) {
	t.Helper()
	text := buildOutput(t)
	var numbers []int // ends of numbers of four digits and more
	for i, run := 0, 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			if run >= 4 {
				numbers = append(numbers, i)
			}
			run = -1
		}
		run++
	}
	out := bufio.NewWriterSize(w, 1<<20)
	for written, round := 0, 0; written < n; round++ {
		for _, end := range numbers {
			v := round + end
			text[end-3], text[end-2], text[end-1] = byte('0'+v/100%10), byte('0'+v/10%10), byte('0'+v%10)
		}
		k, err := out.Write(text)
		if err != nil {
			t.Fatal(err)
		}
		written += k
	}
	out.WriteString(lateFailure)
	out.Write(text[len(text)-20000:]) // warnings of gcc
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
}

// piped runs a command with a file behind a pipe and gives its output, its time and its largest size in MB.
func piped(t testing.TB, file string, cmd *exec.Cmd) (string, time.Duration, float64) {
	t.Helper()
	cat := exec.Command("cat", file)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cat.Stdout, cmd.Stdin, cmd.Stdout, cmd.Stderr = w, r, &out, os.Stderr
	start := time.Now()
	if err := cat.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	err = cmd.Run()
	took := time.Since(start)
	r.Close()
	cat.Wait() // a broken pipe is the reader's affair
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return out.String(), took, float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
}

func child(t testing.TB) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childName+"=1")
	return cmd
}

// rounds of a comparison: the best of each side counts.
const rounds = 3

// BenchmarkGigabyte diagnoses 1 GB of build output from a pipe, with one failure near its end, and lets ripgrep
// look for the same literals in it: as they are, and without regard to case, as the diagnosis does.
func BenchmarkGigabyte(b *testing.B) {
	if _, err := exec.LookPath("rg"); err != nil {
		testbed.Root(b, "ripgrep")
	}
	dir := b.TempDir()
	log, literals := filepath.Join(dir, "log"), filepath.Join(dir, "literals")
	f, err := os.Create(log)
	if err != nil {
		b.Fatal(err)
	}
	long(b, f, 1<<30)
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	set, err := signature.Compile(signature.All())
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(literals, []byte(strings.Join(set.Literals, "\n")+"\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	var ours, theirs, fold []float64
	peak := 0.0
	for b.Loop() {
		for range rounds {
			out, took, mb := piped(b, log, child(b))
			if !strings.HasSuffix(out, " arch-dropped-by-toolkit\n") {
				b.Fatalf("the failure is not told: %s", out)
			}
			ours, peak = append(ours, took.Seconds()), max(peak, mb)
			_, took, _ = piped(b, log, exec.Command("rg", "-c", "-F", "-f", literals))
			theirs = append(theirs, took.Seconds())
			_, took, _ = piped(b, log, exec.Command("rg", "-c", "-i", "-F", "-f", literals))
			fold = append(fold, took.Seconds())
		}
	}
	b.ReportMetric(slices.Min(ours), "s")
	b.ReportMetric(slices.Min(theirs), "s-of-rg")
	b.ReportMetric(slices.Min(ours)/slices.Min(theirs), "x-of-rg")
	b.ReportMetric(slices.Min(ours)/slices.Min(fold), "x-of-rg-i")
	b.ReportMetric(peak, "peak-MB")
	b.ReportMetric(float64(len(set.Literals)), "literals")
	b.ReportMetric(0, "ns/op")
}
