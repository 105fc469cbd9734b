package profile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/environ"
)

// memory is a registry key in memory; names have no case, as in the real one.
type memory map[string]value

func (m memory) get(name string) (value, error) { return m[strings.ToLower(name)], nil }

func (m memory) put(name string, v value) error {
	if name = strings.ToLower(name); v.Exists {
		m[name] = v
	} else {
		delete(m, name)
	}
	return nil
}

func winSet(root string, more ...environ.Var) environ.Set {
	dirs := []string{root + `\bin`, root + `\bin\x64`}
	return environ.Set{OS: "windows", Vars: append([]environ.Var{
		{Name: "CUDA_PATH", Value: root, Kind: environ.Assign},
		{Name: "PATH", Value: strings.Join(dirs, ";"), Dirs: dirs, Kind: environ.Prepend},
	}, more...)}
}

// at is a target with its undo record at a path.
func at(path string) Target { return Target{Kind: Registry, Path: path} }

func userVariables() memory {
	return memory{
		"path":      {true, expandKind, `%USERPROFILE%\bin;C:\tools;;`},
		"cuda_path": {true, plainKind, `C:\old`},
		"mine":      {true, plainKind, "1"},
	}
}

func TestRegistryKeepsKindAndRestores(t *testing.T) {
	path := filepath.Join(t.TempDir(), "home", "env-undo.json")
	m := userVariables()
	for _, root := range []string{`C:\cuda 13`, `C:\cuda 13`, `C:\cuda 12`} {
		if _, err := keepIn(m, at(path), winSet(root)); err != nil {
			t.Fatal(err)
		}
		want := value{true, expandKind, root + `\bin;` + root + `\bin\x64;%USERPROFILE%\bin;C:\tools;;`}
		if m["path"] != want {
			t.Errorf("Path = %+v, want %+v", m["path"], want)
		}
		if m["cuda_path"].Text != root {
			t.Errorf("CUDA_PATH = %+v, want %q", m["cuda_path"], root)
		}
	}
	if _, err := takeFrom(m, at(path)); err != nil {
		t.Fatal(err)
	}
	for name, want := range userVariables() {
		if m[name] != want {
			t.Errorf("%s = %+v after undo, want %+v", name, m[name], want)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the undo record is left: %v", err)
	}
	if _, err := takeFrom(m, at(path)); !errors.Is(err, ErrNothing) {
		t.Errorf("second undo = %v, want ErrNothing", err)
	}
}

func TestRegistryNewVariablesAreDeleted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env-undo.json")
	m := memory{}
	if _, err := keepIn(m, at(path), winSet(`C:\c`)); err != nil {
		t.Fatal(err)
	}
	if m["path"] != (value{true, plainKind, `C:\c\bin;C:\c\bin\x64`}) {
		t.Errorf("Path = %+v, want the folders alone", m["path"])
	}
	if _, err := takeFrom(m, at(path)); err != nil || len(m) != 0 {
		t.Errorf("after undo: %v (%v), want nothing left", m, err)
	}
}

func TestRegistryVariableNoLongerSet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env-undo.json")
	m := userVariables()
	extra := environ.Var{Name: "CUDAHOSTCXX", Value: `C:\cl.exe`, Kind: environ.Assign}
	if _, err := keepIn(m, at(path), winSet(`C:\c`, extra)); err != nil {
		t.Fatal(err)
	}
	if _, err := keepIn(m, at(path), winSet(`C:\d`)); err != nil {
		t.Fatal(err)
	}
	if _, ok := m["cudahostcxx"]; ok {
		t.Error("CUDAHOSTCXX of the toolkit before is left")
	}
	if _, err := takeFrom(m, at(path)); err != nil || m["cuda_path"].Text != `C:\old` {
		t.Errorf("after undo CUDA_PATH = %+v (%v)", m["cuda_path"], err)
	}
}

func TestRegistryChangedByOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env-undo.json")
	m := userVariables()
	if _, err := keepIn(m, at(path), winSet(`C:\c`)); err != nil {
		t.Fatal(err)
	}
	m["cuda_path"] = value{true, plainKind, `C:\theirs`}
	m["path"] = value{true, expandKind, m["path"].Text + `C:\added`}
	report, err := takeFrom(m, at(path))
	if err != nil {
		t.Fatal(err)
	}
	if m["cuda_path"].Text != `C:\theirs` || len(report.Notes) != 1 || report.Path != `HKCU\Environment` {
		t.Errorf("CUDA_PATH = %+v, notes %q: want the other's value kept and told", m["cuda_path"], report.Notes)
	}
	if want := `%USERPROFILE%\bin;C:\tools;;C:\added`; m["path"].Text != want {
		t.Errorf("Path = %q, want %q", m["path"].Text, want)
	}
}

func TestRegistryListChangedBetweenTwoToolkits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env-undo.json")
	m := userVariables()
	if _, err := keepIn(m, at(path), winSet(`C:\c`)); err != nil {
		t.Fatal(err)
	}
	m["path"] = value{true, expandKind, m["path"].Text + `C:\added`}
	if _, err := keepIn(m, at(path), winSet(`C:\d`)); err != nil {
		t.Fatal(err)
	}
	if want := `C:\d\bin;C:\d\bin\x64;%USERPROFILE%\bin;C:\tools;;C:\added`; m["path"].Text != want {
		t.Errorf("Path = %q, want %q", m["path"].Text, want)
	}
	if _, err := takeFrom(m, at(path)); err != nil {
		t.Fatal(err)
	}
	if want := `%USERPROFILE%\bin;C:\tools;;C:\added`; m["path"].Text != want {
		t.Errorf("Path = %q after undo, want %q", m["path"].Text, want)
	}
}

// failing stands for a registry that stops taking values half way.
type failing struct {
	memory
	left int
}

func (f *failing) put(name string, v value) error {
	if f.left--; f.left < 0 {
		return errors.New("access denied")
	}
	return f.memory.put(name, v)
}

func TestRegistryStoppedHalfWay(t *testing.T) {
	for left := range 2 {
		path := filepath.Join(t.TempDir(), "env-undo.json")
		m := userVariables()
		if _, err := keepIn(&failing{m, left}, at(path), winSet(`C:\c`)); err == nil {
			t.Fatal("keepIn said that all is well")
		}
		if _, err := takeFrom(m, at(path)); err != nil {
			t.Fatal(err)
		}
		for name, want := range userVariables() {
			if m[name] != want {
				t.Errorf("stopped after %d: %s = %+v after undo, want %+v", left, name, m[name], want)
			}
		}
	}
}

func TestRegistryRecordThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env-undo.json")
	for _, text := range []string{"{", `{"format":"cupel.env-undo/9"}`, "\x00\xff"} {
		write(t, path, text)
		m := userVariables()
		if _, err := keepIn(m, at(path), winSet(`C:\c`)); err == nil || m["cuda_path"].Text != `C:\old` {
			t.Errorf("record %q: err %v, CUDA_PATH %+v: want an error and nothing changed", text, err, m["cuda_path"])
		}
	}
}

// TestRegistryLeftIsRestoredByForce: what an undo leaves stays in the record, however often it is tried.
func TestRegistryLeftIsRestoredByForce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env-undo.json")
	m := userVariables()
	if _, err := keepIn(m, at(path), winSet(`C:\c`)); err != nil {
		t.Fatal(err)
	}
	m["cuda_path"] = value{true, plainKind, `C:\theirs`}
	report, err := takeFrom(m, at(path))
	if err != nil || !report.Changed || len(report.Notes) != 1 || !strings.Contains(report.Notes[0], "CUDA_PATH was changed by hand") {
		t.Errorf("first undo = %+v, %v, want the rest restored and CUDA_PATH told", report, err)
	}
	if _, err := takeFrom(m, at(path)); !errors.Is(err, ErrEdited) || !strings.Contains(err.Error(), "CUDA_PATH") || m["cuda_path"].Text != `C:\theirs` {
		t.Errorf("second undo = %v, CUDA_PATH %+v, want ErrEdited and nothing changed", err, m["cuda_path"])
	}
	force := at(path)
	force.Force = true
	if _, err := takeFrom(m, force); err != nil || m["cuda_path"].Text != `C:\old` {
		t.Errorf("undo with Force = %v, CUDA_PATH %+v, want the value from before cupel", err, m["cuda_path"])
	}
	if len(m) != len(userVariables()) {
		t.Errorf("left in the registry: %v", m)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the undo record is left: %v", err)
	}
}

// TestRegistryDroppedAndChanged: a value of the toolkit before that was changed by hand is kept in the record.
func TestRegistryDroppedAndChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env-undo.json")
	m := userVariables()
	if _, err := keepIn(m, at(path), winSet(`C:\c`, environ.Var{Name: "MINE", Value: "2", Kind: environ.Assign})); err != nil {
		t.Fatal(err)
	}
	m["mine"] = value{true, plainKind, "3"}
	if _, err := keepIn(m, at(path), winSet(`C:\d`)); err != nil || m["mine"].Text != "3" {
		t.Fatalf("MINE = %+v (%v), want the changer's value", m["mine"], err)
	}
	force := at(path)
	force.Force = true
	if _, err := takeFrom(m, force); err != nil || m["mine"].Text != "1" || m["cuda_path"].Text != `C:\old` {
		t.Errorf("after undo with Force: %v (%v), want the oldest values", m, err)
	}
}

// TestRegistryNotes: the next environment learns which values are cupel's.
func TestRegistryNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env-undo.json")
	m := userVariables()
	m["path"] = value{true, plainKind, `C:\tools;c:\C\bin\`}
	for range 2 {
		if _, err := keepIn(m, at(path), winSet(`C:\c`)); err != nil {
			t.Fatal(err)
		}
		if got := m["cupel_env_set"].Text; got != "CUDA_PATH" {
			t.Errorf("CUPEL_ENV_SET = %q, want CUDA_PATH", got)
		}
		if got := m["cupel_env_dirs_path"].Text; got != `C:\c\bin\x64` {
			t.Errorf("CUPEL_ENV_DIRS_PATH = %q, want the folder that was not there", got)
		}
	}
}

func TestRegistryOtherKind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "env-undo.json")
	m := userVariables()
	if _, err := keepIn(m, at(path), winSet(`C:\c`)); err != nil {
		t.Fatal(err)
	}
	running := winSet(`C:\c`)
	running.Runtime, running.Vars = true, running.Vars[1:]
	if _, err := keepIn(m, at(path), running); !errors.Is(err, ErrOther) || m["cuda_path"].Text != `C:\c` {
		t.Errorf("keepIn = %v, CUDA_PATH %+v, want ErrOther and nothing changed", err, m["cuda_path"])
	}
	force := at(path)
	force.Force = true
	if _, err := keepIn(m, force, running); err != nil || m["cuda_path"].Text != `C:\old` {
		t.Errorf("keepIn with Force = %v, CUDA_PATH %+v, want the build's taken back", err, m["cuda_path"])
	}
}
