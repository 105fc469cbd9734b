package snapshot

import (
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
		{"wrong types", `{"format":"cupel.machine/1","toolkits":7}`, "not a snapshot: toolkits is a number"},
		{"a newer answer", `{"format":"cupel.doctor/9","machine":{"format":"cupel.machine/1"}}`, "cupel.doctor/9"},
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
	if err := f.Truncate(MaxSize + 1); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("Load = %v", err)
	}
}

func TestRedact(t *testing.T) {
	for _, tt := range []struct {
		name, os, home, in string
		want               []string
		gone               []string
	}{
		{"Linux", "linux", "/home/ann", `CUDA_HOME=/home/ann/cuda PATH=/home/bob/bin ann's box-17 GPU-cb3296dd-c4f9-7776-d3c3-451768cecfc4 NVIDIA L4`,
			[]string{"CUDA_HOME=/home/user/cuda", "NVIDIA L4"}, []string{"ann", "bob", "box-17", "cb3296dd"}},
		{"Windows in JSON", "windows", `C:\Users\ann`, `{"root": "C:\\Users\\ann\\cuda", "other": "C:/Users/ann/x"}`,
			[]string{`C:\\Users\\user\\cuda`, "C:/Users/user/x"}, []string{"ann"}},
		{"root's home is nobody's", "linux", "/root", "/root/cuda", []string{"/root/cuda"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := NewRedactor(host.System{OS: tt.os, Home: tt.home, User: "ann", Name: "box-17"}, fact.Machine{})
			got := string(r.Bytes([]byte(tt.in)))
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("%q is lost: %s", w, got)
				}
			}
			for _, g := range tt.gone {
				if strings.Contains(got, g) {
					t.Errorf("%q is still told: %s", g, got)
				}
			}
		})
	}
}

func TestRedactNothing(t *testing.T) {
	if got := (Redactor{}).Bytes([]byte("/home/ann")); string(got) != "/home/ann" {
		t.Errorf("the zero redactor changed it: %s", got)
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
