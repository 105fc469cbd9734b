package cli_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"testing"
	"time"

	"cupel/internal/doctor"
)

// BenchmarkDoctor times fresh processes of `cupel doctor` between those of peers that tell less: a Python that
// does nothing (any tool written in it starts there) and gcc saying its version. Medians of 20, interleaved.
func BenchmarkDoctor(b *testing.B) {
	dir, err := programs()
	if err != nil {
		b.Fatal(err)
	}
	commands := map[string][]string{
		"cupel":  {dir + "/cupel", "doctor"},
		"python": {"python3", "-c", "pass"},
		"gcc":    {"gcc", "--version"},
	}
	times := map[string][]time.Duration{}
	for b.Loop() {
		for name, c := range commands {
			if _, err := exec.LookPath(c[0]); err != nil {
				continue
			}
			cmd := exec.Command(c[0], c[1:]...)
			cmd.Stdout = io.Discard
			start := time.Now()
			_ = cmd.Run() // the doctor's exit code is its answer
			times[name] = append(times[name], time.Since(start))
		}
	}
	median := func(name string) float64 {
		t := times[name]
		if len(t) == 0 {
			return 0
		}
		slices.Sort(t)
		return float64(t[len(t)/2]) / 1e6
	}
	b.ReportMetric(median("cupel"), "ms/doctor")
	for _, peer := range []string{"python", "gcc"} {
		if m := median(peer); m > 0 {
			b.ReportMetric(median("cupel")/m, "x_"+peer)
		}
	}
	out, _ := exec.Command(dir+"/cupel", "doctor", "--json").Output()
	var a doctor.Answer
	if err := json.Unmarshal(out, &a); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(a.Processes), "children")
}
