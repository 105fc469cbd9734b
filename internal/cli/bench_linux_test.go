package cli_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cupel/internal/doctor"
)

// peers tell less than cupel does: a Python that does nothing (any tool written in it starts there) and gcc
// saying its version.
var peers = map[string][]string{
	"python": {"python3", "-c", "pass"},
	"gcc":    {"gcc", "--version"},
}

// timed times fresh processes of a command between those of its peers, interleaved, and reports the median with
// the ratio to each peer.
func timed(b *testing.B, name, dir string, command ...string) {
	times := map[string][]time.Duration{}
	run := func(name, dir string, c []string) {
		if _, err := exec.LookPath(c[0]); err != nil {
			return
		}
		cmd := exec.Command(c[0], c[1:]...)
		cmd.Dir, cmd.Stdout = dir, io.Discard
		start := time.Now()
		_ = cmd.Run() // the exit code is part of the answer
		times[name] = append(times[name], time.Since(start))
	}
	for b.Loop() {
		run(name, dir, command)
		for peer, c := range peers {
			run(peer, "", c)
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
	b.ReportMetric(median(name), "ms/"+name)
	for peer := range peers {
		if m := median(peer); m > 0 {
			b.ReportMetric(median(name)/m, "x_"+peer)
		}
	}
}

func BenchmarkDoctor(b *testing.B) {
	dir, err := programs()
	if err != nil {
		b.Fatal(err)
	}
	timed(b, "doctor", "", dir+"/cupel", "doctor")
	out, _ := exec.Command(dir+"/cupel", "doctor", "--json").Output()
	var a doctor.Answer
	if err := json.Unmarshal(out, &a); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(a.Processes), "children")
}

// BenchmarkVerify judges this machine against the largest example.
func BenchmarkVerify(b *testing.B) { onExample(b, "verify") }

// BenchmarkPlan searches for the way from this machine to the same contract.
func BenchmarkPlan(b *testing.B) { onExample(b, "plan") }

func onExample(b *testing.B, command string) {
	dir, err := programs()
	if err != nil {
		b.Fatal(err)
	}
	example, err := filepath.Abs("../../examples/tensorwasm")
	if err != nil {
		b.Fatal(err)
	}
	timed(b, command, example, dir+"/cupel", command)
}
