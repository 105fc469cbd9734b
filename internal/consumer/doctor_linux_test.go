package consumer

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestDoctorSaysTheSame closes the proof: the real crates and CMake agree with Pick (TestRealCrates, TestRealCMake),
// and `cupel doctor --consumers`, run inside the same made-up machines, says what Pick says. What lies between is
// the probe, which must ask about every place the table needs.
func TestDoctorSaysTheSame(t *testing.T) {
	built := needHarness(t)
	dir, nvcc := chroot(t, built)
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "h", "cupel"), "cupel/cmd/cupel")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found, machines := 0, *rounds/2
	if testing.Short() {
		machines /= 4
	}
	for seed := range uint64(machines) {
		tr := newTree(t, dir, nvcc, seed, rootVariables)
		want := map[string]Pick{}
		for _, p := range All(tr.world(t), nil) {
			want[p.Consumer] = p
		}
		var answer struct {
			Consumers []Pick `json:"consumers"`
		}
		r := tr.run(t, "/h/cupel", nil, "doctor", "--consumers", "--json")
		if err := json.Unmarshal([]byte(r.stdout), &answer); err != nil || len(answer.Consumers) != len(want) {
			t.Fatalf("seed %d: %d consumers, want %d: %v %s", seed, len(answer.Consumers), len(want), err, r.stderr)
		}
		for _, got := range answer.Consumers {
			w := want[got.Consumer]
			if got.Root != w.Root || got.Nvcc != w.Nvcc || got.Outcome != w.Outcome || got.Decider != w.Decider {
				t.Fatalf("seed %d: %s\n%s\ndoctor: %+v\ntable:  %+v", seed, got.Consumer, tr, got, w)
			}
			if got.Outcome == Found {
				found++
			}
		}
	}
	t.Logf("%d machines, %d answers with a toolkit", machines, found)
	if found == 0 {
		t.Error("no consumer found anything on any machine")
	}
}
