//go:build !linux

package trial

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestHiddenByEnvironment: where nothing else can be done the environment is cleaned, and what a program still
// finds is told.
func TestHiddenByEnvironment(t *testing.T) {
	driver := filepath.Join(t.TempDir(), "nvcuda.dll")
	if err := os.WriteFile(driver, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	req := act(t, "environment", func(r *Request) {
		r.Config.Needs.What = "none"
		r.Base = append(r.Base, "CUDA_PATH=x", "Cuda_Path_V13_0=x")
		r.Hide = &Hide{OS: runtime.GOOS, Vars: variables(nil), Libraries: []string{driver, driver + ".gone"}}
	})
	o := Run(context.Background(), req)
	if o.Code != 0 || o.HiddenBy != "environment" || !slices.Equal(o.NotHidden, []string{driver}) || !slices.Contains(o.Hidden, "CUDA_PATH") {
		t.Errorf("outcome = %+v, want the environment alone, and %s told as visible", o, driver)
	}
	if runtime.GOOS == "windows" && strings.Contains(strings.ToUpper(o.Tail), "CUDA_PATH") {
		t.Errorf("a variable of CUDA is left:\n%s", o.Tail)
	}
}
