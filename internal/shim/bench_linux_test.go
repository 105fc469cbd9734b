package shim_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cupel/internal/call"
	"cupel/internal/record"
	"cupel/internal/shim"
	"cupel/internal/testbed"
)

// BenchmarkCalls: what the shim adds to nvcc --version, the shortest that nvcc does.
func BenchmarkCalls(b *testing.B) {
	compare(b, filepath.Join(testbed.Toolkit(b, "cuda-13.0"), "bin", "nvcc"), "--version")
}

// nothing is the shortest program there is: exit(0).
const nothing = ".globl _start\n_start:\n\tmov $60, %eax\n\txor %edi, %edi\n\tsyscall\n"

// BenchmarkStart: what the shim adds to a program that does nothing: its own start, and all that it does around a call.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	source, real := filepath.Join(dir, "nothing.s"), filepath.Join(dir, "nothing")
	write(b, source, nothing)
	if out, err := exec.Command("gcc", "-nostdlib", "-static", "-o", real, source).CombinedOutput(); err != nil {
		b.Skipf("the shortest program cannot be made here: %v\n%s", err, out)
	}
	compare(b, real, "-c", "k.cu", "-o", "k.o")
}

// compare makes 500 calls direct, through the shim that records, and through the shim that passes on, in turns, so that the
// load of the machine is the same for all.
func compare(b *testing.B, real string, args ...string) {
	dir := b.TempDir()
	program := filepath.Join(dir, "mirror", "bin", "nvcc")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "cupel/cmd/cupel-nvcc")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	text, err := shim.WriteMap(map[string]string{"nvcc": real})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "mirror", shim.MapFile), text, 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
	live, err := record.Store{Dir: filepath.Join(dir, "runs")}.New(call.Run{}, os.Environ())
	if err != nil {
		b.Fatal(err)
	}
	defer live.Finish(call.RunEnd{})
	ways := []struct {
		name, program, run string
		times              []time.Duration
	}{{"direct", real, "", nil}, {"recording", program, live.Dir, nil}, {"passing", program, "", nil}}
	for range b.N {
		for i := range ways {
			ways[i].times = nil
		}
		for range 500 {
			for i := range ways {
				ways[i].times = append(ways[i].times, once(b, ways[i].program, ways[i].run, args))
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	var base [2]float64
	for i, w := range ways {
		slices.Sort(w.times)
		median, p99 := milliseconds(w.times[len(w.times)/2]), milliseconds(w.times[len(w.times)*99/100])
		if i == 0 {
			base = [2]float64{median, p99}
		}
		b.Logf("%-9s median %6.2f ms  p99 %6.2f ms  added %+5.2f / %+5.2f ms  ratio %.2f / %.2f", w.name, median, p99, median-base[0], p99-base[1], median/base[0], p99/base[1])
		b.ReportMetric(median, w.name+"-ms")
	}
}

func once(b *testing.B, program, run string, args []string) time.Duration {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), call.RunVariable+"="+run, "CUPEL_NO_CACHE=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	if err != nil || errs.Len() > 0 {
		b.Fatalf("%s: %v: %s", program, err, errs.String())
	}
	return took
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
