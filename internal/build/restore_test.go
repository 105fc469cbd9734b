package build

import (
	"os"
	"path/filepath"
	"testing"

	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/stamp"
)

// TestRestoredElsewhere: a state may come from a store that others write to. Only files in the folder of outputs are placed.
func TestRestoredElsewhere(t *testing.T) {
	for _, tt := range []struct {
		name, out string
		want      bool
	}{
		{"in the folder", "build/k/x.ptx", true},
		{"beside it", "x.ptx", false},
		{"beside it, by a detour", "build/../x.ptx", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			store := cas.Store{Dir: filepath.Join(root, "store")}
			source := filepath.Join(root, "made")
			if err := os.WriteFile(source, []byte("ptx"), 0o644); err != nil {
				t.Fatal(err)
			}
			d, _, err := store.PutFile(source)
			if err != nil {
				t.Fatal(err)
			}
			out, path := filepath.Join(root, "build"), root+string(filepath.Separator)+filepath.FromSlash(tt.out)
			if err := os.Mkdir(out, 0o755); err != nil {
				t.Fatal(err)
			}
			request := digest.Of([]byte("request"))
			s := state{Root: root, Request: request, Whole: true, Outputs: []row{{Path: path, Known: stamp.Known{Stamp: stamp.Stamp{Size: 3, Number: 1}, Digest: d}}},
				Steps: []made{{Call: PlannedCall{Kernel: "k", Kind: "ptx", Out: tt.out, Asked: true}, Outputs: []uint32{0}}}}
			s.keep(store, out)
			a := Asked{Root: root, Out: out, Request: request, Machine: func() digest.Digest { return digest.Digest{} }, Store: store,
				Alone: func() (func(), error) { return func() {}, nil }}
			r, ok := Unchanged(a)
			text, _ := os.ReadFile(path)
			if ok != tt.want || (string(text) == "ptx") != tt.want || ok && (r.Hits != 1 || r.Outputs[0].Size != 3) {
				t.Errorf("answered %v with %+v, the file holds %q", ok, r, text)
			}
		})
	}
}
