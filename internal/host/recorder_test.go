package host

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/pattern"
)

func parsed(t *testing.T, archive string) *Recorded {
	t.Helper()
	r, err := Parse([]byte(archive), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, archive)
	}
	return r
}

// replay asks a machine through a recorder, then its recording, and returns the recording.
func replay(t *testing.T, machine string, ask func(h Host) []string, redact func([]byte) []byte) string {
	t.Helper()
	rec := Record(parsed(t, machine), func(name string) bool { return name == "CUDA_PATH" })
	live := ask(rec)
	archive := string(rec.Archive("test", redact))
	if redact != nil {
		return archive
	}
	if diff := cmp.Diff(live, ask(parsed(t, archive))); diff != "" {
		t.Errorf("replay differs (-live +replay):\n%s\n%s", diff, archive)
	}
	return archive
}

func said(what any, err error) string {
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return "error: " + err.Error()
	}
	return strings.TrimSpace(strings.ReplaceAll(cmp.Diff(nil, what), "\u00a0", " "))
}

var everything = pattern.New(`.`)

// TestReplayRefusals: what could not be read is not "not there" when it is asked again.
func TestReplayRefusals(t *testing.T) {
	const machine = `-- host --
os = linux
arch = amd64
-- tree --
/opt/closed d ! permission denied
/opt/closed/cuda d
/opt/nvcc x 12 ! permission denied
/opt/kind-unknown ! permission denied
/net/gone ? ! input/output error
/loop -> /loop
/bad f 5 ! input/output error
`
	archive := replay(t, machine, func(h Host) []string {
		var out []string
		for _, p := range []string{"/opt/closed", "/opt/closed/cuda", "/opt/nvcc", "/opt/kind-unknown", "/net/gone", "/net/gone/x", "/loop", "/loop/x", "/bad", "/nowhere"} {
			info, err := h.Stat(p)
			if err == nil && p == "/opt/closed" && !info.Dir {
				t.Errorf("%s is no folder any more: %+v", p, info)
			}
			if err == nil && p == "/opt/nvcc" && (!info.Exec || info.Size != 12) {
				t.Errorf("%s is no program any more: %+v", p, info)
			}
			out = append(out, p+" "+said(info, err))
		}
		_, err := h.Names("/opt/closed", everything)
		out = append(out, said(nil, err))
		for _, p := range []string{"/opt/nvcc", "/opt/kind-unknown", "/bad", "/loop", "/opt/closed"} {
			_, err := h.ReadFile(p)
			out = append(out, said(nil, err))
			_, err = h.Search(p, everything)
			out = append(out, said(nil, err))
			_, err = h.Open(p)
			out = append(out, said(nil, err))
		}
		return out
	}, nil)
	if !strings.Contains(archive, "/opt/closed d ! permission denied\n") || !strings.Contains(archive, "/net/gone ? ! input/output error\n") {
		t.Errorf("the recording does not tell what was refused:\n%s", archive)
	}
	if _, err := parsed(t, archive).Names("/opt/closed", everything); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a closed folder = %v, want permission denied", err)
	}
}

func TestReplayRegistry(t *testing.T) {
	const machine = `-- host --
os = windows
arch = amd64
-- registry --
[HKCU\Environment]
CUDA_PATH=C:\cuda
HF_TOKEN=hf_hush
Path=C:\Users\ann\bin
[HKLM\SYSTEM\CurrentControlSet\Control\Session Manager\Environment]
CUDA_PATH=C:\cuda
AWS_SECRET_ACCESS_KEY=hush2
DATABASE=postgres-hush3
[HKLM\SOFTWARE\Other]
Version=1
ApiKey=hush4
[HKLM\SOFTWARE\Closed] ! Access is denied.
[HKLM\SOFTWARE\Empty]
`
	rec := Record(parsed(t, machine), func(name string) bool { return name == "CUDA_PATH" })
	for _, key := range []string{`HKCU\Environment`, `HKLM\SYSTEM\CurrentControlSet\Control\Session Manager\Environment`, `HKLM\SOFTWARE\Other`, `HKLM\SOFTWARE\Closed`, `HKLM\SOFTWARE\Nothing`} {
		_, _ = rec.RegistryValues(key)
	}
	_, _ = rec.RegistryKeys(`HKLM\SOFTWARE`)
	_, _ = rec.RegistryKeys(`HKLM\SOFTWARE\Empty`)
	archive := string(rec.Archive("test", nil))
	if strings.Contains(archive, "hush") || strings.Contains(archive, "ann") {
		t.Errorf("the recording holds a secret:\n%s", archive)
	}
	again := parsed(t, archive)
	if v, err := again.RegistryValues(`HKCU\Environment`); err != nil || !cmp.Equal(v, map[string]string{"CUDA_PATH": `C:\cuda`}) {
		t.Errorf("the stored environment = %v, %v, want CUDA_PATH alone", v, err)
	}
	if v, err := again.RegistryValues(`HKLM\SOFTWARE\Other`); err != nil || !cmp.Equal(v, map[string]string{"Version": "1"}) {
		t.Errorf("another key = %v, %v, want its version alone", v, err)
	}
	if _, err := again.RegistryValues(`HKLM\SOFTWARE\Closed`); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "Access is denied.") {
		t.Errorf("a closed key = %v, want access denied", err)
	}
	if _, err := again.RegistryKeys(`HKLM\SOFTWARE\Closed`); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("the keys of a closed key = %v, want access denied", err)
	}
	if keys, err := again.RegistryKeys(`HKLM\SOFTWARE\Empty`); err != nil || len(keys) != 0 {
		t.Errorf("the keys of an empty key = %v, %v, want none and no error", keys, err)
	}
}

func TestScrub(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"Cargo.lock", "name = \"tokenizers\"\nversion = \"0.15\"\n", "name = \"tokenizers\"\nversion = \"0.15\"\n"},
		{"a dependency", "tokenizers = { version = \"0.15\", optional = true }\n", "tokenizers = { version = \"0.15\", optional = true }\n"},
		{"a variable that only begins so", "TOKENIZERS_PARALLELISM=false\n", "TOKENIZERS_PARALLELISM=false\n"},
		{"TOML", "a = 1\ntoken = \"s3cr3t\"\nb = 2\n", "a = 1\ntoken = \"(left out)\"\nb = 2\n"},
		{"one line of JSON", `{"cuda": {"version": "13.0"}, "apiKey": "s3c\"r3t", "n": 1}`, `{"cuda": {"version": "13.0"}, "apiKey": "(left out)", "n": 1}`},
		{"camel case", `{"secretKeyId": "s3cr3t"}`, `{"secretKeyId": "(left out)"}`},
		{"YAML", "password: my s3cr3t words\nname: x\n", "password: (left out)\nname: x\n"},
		{"makefile", "HF_TOKEN := s3cr3t\nNVCC = nvcc\n", "HF_TOKEN := (left out)\nNVCC = nvcc\n"},
		{"shell", "export AWS_SECRET_ACCESS_KEY=s3cr3t\r\nx\n", "export AWS_SECRET_ACCESS_KEY=(left out)\r\nx\n"},
		{"behind another key", "url: x token=s3cr3t\n", "url: x token=(left out)\n"},
		{"in a list", "credentials = ['s3cr3t', 'two']\n", "credentials = [\"(left out)\"]\n"},
		{"several lines", "private_key = \"\"\"\ns3cr3t\n\"\"\"\nx = 1\n", "private_key = \"\"\"(left out)\"\"\"\n\n\nx = 1\n"},
		{"in an address", "index = \"https://ann:s3cr3t@host/x\"\n", "index = \"https://(left out)@host/x\"\n"},
		{"no value", "secret =\nnext = 1\n", "secret =\nnext = 1\n"},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(scrub([]byte(tt.in))); got != tt.want {
				t.Errorf("scrub(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
		})
	}
}

// TestRedactBeforeEncoding: a name must not get through inside base64.
func TestRedactBeforeEncoding(t *testing.T) {
	const machine = `-- host --
os = linux
arch = amd64
home = /home/ann
user = ann
-- env --
CUDA_PATH=/home/ann/cuda
-- file /home/ann/notes --
ann
-- part 0 /home/ann/raw --
YW5uIHdhcyBoZXJl
-- part 0 /home/ann/lib.so --
AGFubgBCQkI=
-- run[exit=1] /bin/who --
ann
-- stderr /bin/who --
ann HF_TOKEN=hush
`
	var raw, lib []byte
	archive := replay(t, machine, func(h Host) []string {
		_, _ = h.ReadFile("/home/ann/notes")
		_, _ = h.ReadFile("/home/ann/raw")
		_, _ = h.Run(context.Background(), Command{Path: "/bin/who"})
		b, err := h.Open("/home/ann/lib.so")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = b.ReadAt(make([]byte, 8), 0)
		return nil
	}, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("ann"), []byte("u")) })
	again := parsed(t, archive)
	raw, _ = again.ReadFile("/home/u/raw")
	lib, _ = again.ReadFile("/home/u/lib.so")
	if strings.Contains(archive, "ann") || strings.Contains(archive, "hush") || string(raw) != "u was here" {
		t.Errorf("redacted recording: raw %q\n%s", raw, archive)
	}
	if string(lib) != "\x00u\x00\x00\x00BBB" {
		t.Errorf("a library = %q: its bytes moved", lib)
	}
}

// vanishing is a machine on which a file goes away between two questions.
type vanishing struct{ Host }

func (vanishing) Lstat(path string) (Info, error) {
	return Info{}, &fs.PathError{Op: "lstat", Path: path, Err: fs.ErrNotExist}
}

func TestArchiveOfVanishedFile(t *testing.T) {
	rec := Record(vanishing{parsed(t, "-- host --\nos = linux\narch = amd64\n-- file /proc/x --\ntext\n")}, func(string) bool { return false })
	if _, err := rec.ReadFile("/proc/x"); err != nil {
		t.Fatal(err)
	}
	if b, err := parsed(t, string(rec.Archive("test", nil))).ReadFile("/proc/x"); err != nil || string(b) != "text\n" {
		t.Errorf("replayed %q, %v", b, err)
	}
}
