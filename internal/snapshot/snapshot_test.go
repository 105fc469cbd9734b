package snapshot

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/fact"
	"cupel/internal/host"
)

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a newer format", `{"format":"cupel.machine/2"}`, `this cupel reads "cupel.machine/1"`},
		{"a newer machine in an answer", `{"format":"cupel.doctor/1","machine":{"format":"cupel.machine/9"}}`, "cupel.machine/9"},
		{"another file", `{"name":"x"}`, "no machine in it"},
		{"garbage", "\x00\xff", "not JSON"},
		{"truncated", `{"format":"cupel.machine/1","system":{"os":"li`, "not JSON"},
		{"wrong types", `{"format":"cupel.machine/1","toolkits":7}`, "machine:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Parse([]byte(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Parse(%q) = %v, want an error with %q", tt.in, err, tt.want)
			}
		})
	}
}

func TestLoadRefusesHuge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(maxSize + 1); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("Load = %v", err)
	}
}

func TestRedact(t *testing.T) {
	m := fact.Machine{Format: fact.Format, System: fact.System{Home: "/home/ann"}}
	m.GPUs = []fact.GPU{{Name: "NVIDIA L4", UUID: "GPU-cb3296dd-c4f9-7776-d3c3-451768cecfc4"}}
	m.Env = map[string]string{"CUDA_HOME": "/home/ann/cuda", "PATH": "/home/bob/bin:/usr/bin", "X": "ann's box-17"}
	m.Places = map[string]fact.Place{"/home/ann/cuda/bin/nvcc": {Kind: "file"}}
	p := fact.Project{Root: "/home/ann/app"}
	r := NewRedactor(host.System{Home: "/home/ann", User: "ann", Name: "box-17"}, m)
	if err := r.All(&m, &p); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal([]any{m, p})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"ann", "bob", "box-17", "cb3296dd"} {
		if strings.Contains(string(b), secret) {
			t.Errorf("%q is still told: %s", secret, b)
		}
	}
	if m.Env["CUDA_HOME"] != "~/cuda" || m.GPUs[0].Name != "NVIDIA L4" {
		t.Errorf("too much or too little was changed: %+v", m)
	}
}

func TestRedactNothing(t *testing.T) {
	m := fact.Machine{Env: map[string]string{"CUDA_HOME": "/home/ann/cuda"}}
	var p fact.Project
	if err := (Redactor{}).All(&m, &p); err != nil || m.Env["CUDA_HOME"] != "/home/ann/cuda" {
		t.Errorf("the zero redactor changed %+v, %v", m, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"format":"cupel.machine/1","system":{"os":"linux"}}`))
	f.Add([]byte(`{"machine":{"format":"cupel.machine/1","gpus":[{"index":0}]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := Parse(b); err == nil && m.Format != fact.Format {
			t.Errorf("a snapshot of format %q was taken", m.Format)
		}
	})
}
