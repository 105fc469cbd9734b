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

func userVariables() memory {
	return memory{
		"path":      {true, expandKind, `%USERPROFILE%\bin;C:\tools;;`},
		"cuda_path": {true, plainKind, `C:\old`},
		"mine":      {true, plainKind, "1"},
	}
}

func TestRegistryKeepsKindAndRestores(t *testing.T) {
	path := filepath.Join(folder(t), "home", "env-undo.json")
	m := userVariables()
	for _, root := range []string{`C:\cuda 13`, `C:\cuda 13`, `C:\cuda 12`} {
		if _, err := keepIn(m, path, winSet(root)); err != nil {
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
	if _, err := takeFrom(m, path); err != nil {
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
	if _, err := takeFrom(m, path); !errors.Is(err, ErrNothing) {
		t.Errorf("second undo = %v, want ErrNothing", err)
	}
}

func TestRegistryNewVariablesAreDeleted(t *testing.T) {
	path := filepath.Join(folder(t), "env-undo.json")
	m := memory{}
	if _, err := keepIn(m, path, winSet(`C:\c`)); err != nil {
		t.Fatal(err)
	}
	if m["path"] != (value{true, plainKind, `C:\c\bin;C:\c\bin\x64`}) {
		t.Errorf("Path = %+v, want the folders alone", m["path"])
	}
	if _, err := takeFrom(m, path); err != nil || len(m) != 0 {
		t.Errorf("after undo: %v (%v), want nothing left", m, err)
	}
}

func TestRegistryVariableNoLongerSet(t *testing.T) {
	path := filepath.Join(folder(t), "env-undo.json")
	m := userVariables()
	extra := environ.Var{Name: "CUDAHOSTCXX", Value: `C:\cl.exe`, Kind: environ.Assign}
	if _, err := keepIn(m, path, winSet(`C:\c`, extra)); err != nil {
		t.Fatal(err)
	}
	if _, err := keepIn(m, path, winSet(`C:\d`)); err != nil {
		t.Fatal(err)
	}
	if _, ok := m["cudahostcxx"]; ok {
		t.Error("CUDAHOSTCXX of the toolkit before is left")
	}
	if _, err := takeFrom(m, path); err != nil || m["cuda_path"].Text != `C:\old` {
		t.Errorf("after undo CUDA_PATH = %+v (%v)", m["cuda_path"], err)
	}
}

func TestRegistryChangedByOthers(t *testing.T) {
	path := filepath.Join(folder(t), "env-undo.json")
	m := userVariables()
	if _, err := keepIn(m, path, winSet(`C:\c`)); err != nil {
		t.Fatal(err)
	}
	m["cuda_path"] = value{true, plainKind, `C:\theirs`}
	m["path"] = value{true, expandKind, m["path"].Text + `C:\added`}
	report, err := takeFrom(m, path)
	if err != nil {
		t.Fatal(err)
	}
	if m["cuda_path"].Text != `C:\theirs` || len(report.Notes) != 1 {
		t.Errorf("CUDA_PATH = %+v, notes %q: want the other's value kept and told", m["cuda_path"], report.Notes)
	}
	if want := `%USERPROFILE%\bin;C:\tools;;C:\added`; m["path"].Text != want {
		t.Errorf("Path = %q, want %q", m["path"].Text, want)
	}
}

func TestRegistryListChangedBetweenTwoToolkits(t *testing.T) {
	path := filepath.Join(folder(t), "env-undo.json")
	m := userVariables()
	if _, err := keepIn(m, path, winSet(`C:\c`)); err != nil {
		t.Fatal(err)
	}
	m["path"] = value{true, expandKind, m["path"].Text + `C:\added`}
	if _, err := keepIn(m, path, winSet(`C:\d`)); err != nil {
		t.Fatal(err)
	}
	if want := `C:\d\bin;C:\d\bin\x64;%USERPROFILE%\bin;C:\tools;;C:\added`; m["path"].Text != want {
		t.Errorf("Path = %q, want %q", m["path"].Text, want)
	}
	if _, err := takeFrom(m, path); err != nil {
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
		path := filepath.Join(folder(t), "env-undo.json")
		m := userVariables()
		if _, err := keepIn(&failing{m, left}, path, winSet(`C:\c`)); err == nil {
			t.Fatal("keepIn said that all is well")
		}
		if _, err := takeFrom(m, path); err != nil {
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
	path := filepath.Join(folder(t), "env-undo.json")
	for _, text := range []string{"{", `{"format":"cupel.env-undo/9"}`, "\x00\xff"} {
		write(t, path, text)
		m := userVariables()
		if _, err := keepIn(m, path, winSet(`C:\c`)); err == nil || m["cuda_path"].Text != `C:\old` {
			t.Errorf("record %q: err %v, CUDA_PATH %+v: want an error and nothing changed", text, err, m["cuda_path"])
		}
	}
}
