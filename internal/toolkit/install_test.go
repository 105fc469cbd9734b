package toolkit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/depot"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

func request(p resolve.Platform, with ...string) resolve.Request {
	return resolve.Request{Release: version.MustParse("13.0"), Platform: p, With: with}
}

func TestInstall(t *testing.T) {
	i, s := newInstaller(t), newShop(t, here)
	out, err := i.Install(ctx, s, s.plan(t, here))
	if err != nil {
		t.Fatal(err)
	}
	m := out.Installed.Manifest
	if m.Release != "13.0.2" || m.Nvcc != "13.0.88" || m.Source != "pip" || m.Platform != here || len(m.Components) != 5 || m.Size == 0 || out.Already {
		t.Errorf("manifest %+v, already %t", m, out.Already)
	}
	if strings.Join(m.Words, ",") != "nvcc,crt,nvvm,cudart,cccl" {
		t.Errorf("it has %q", m.Words)
	}
	if len(out.Proof) < 3 || !strings.Contains(strings.Join(out.Proof, "\n"), "nvcc 13.0.88 answers") {
		t.Errorf("proof %q", out.Proof)
	}
	if got := visible(t, i); len(got) != 1 || got[0] != "13.0.2-pip-"+here.String() {
		t.Errorf("visible: %q", got)
	}
	if got := left(t, i); len(got) > 0 {
		t.Errorf("left: %q", got)
	}
	if got, _ := os.ReadDir(filepath.Join(i.Depot.Cache, "downloads")); len(got) > 0 {
		t.Errorf("downloads left: %v", got)
	}
	// What a run left that was killed after its last step is swept by the next one.
	_, release, err := i.Depot.Hold(ctx, key(s.plan(t, here).Parcels[0], here), nil)
	if err != nil {
		t.Fatal(err)
	}
	release()
	again, err := i.Install(ctx, s, s.plan(t, here))
	if got, _ := os.ReadDir(filepath.Join(i.Depot.Cache, "downloads")); len(got) > 0 {
		t.Errorf("downloads left: %v", got)
	}
	if err != nil || !again.Already || s.fetched.Load() != 5 {
		t.Errorf("again: already %t, %v, %d fetched, want 5", again.Already, err, s.fetched.Load())
	}
}

// TestAddComponents: what is there is not fetched again.
func TestAddComponents(t *testing.T) {
	i, s := newInstaller(t), newShop(t, here)
	if _, err := i.Install(ctx, s, s.plan(t, here)); err != nil {
		t.Fatal(err)
	}
	out, err := i.Install(ctx, s, s.plan(t, here, "nvtx"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(out.Added, ","); got != "nvidia-nvtx" || s.fetched.Load() != 6 {
		t.Errorf("added %q, %d fetched in all, want nvidia-nvtx alone and 6", got, s.fetched.Load())
	}
	if got := out.Installed.Manifest; len(got.Components) != 6 || !slices.Contains(got.Words, "nvtx") || !slices.Contains(got.Words, "nvcc") {
		t.Errorf("manifest: components %v, words %v", got.Components, got.Words)
	}
	visible(t, i)
	var rows map[string]entry
	text, err := os.ReadFile(filepath.Join(out.Installed.Dir, "version.json"))
	if err != nil || json.Unmarshal(text, &rows) != nil || rows["cuda"].Version != "13.0.2" || rows["cuda_nvtx"].Version != "13.0.88" || rows["cuda_nvcc"].Version != "13.0.88" {
		t.Errorf("version.json: %v %s", err, text)
	}
	// The smaller wish is met by the larger root.
	if out, err := i.Install(ctx, s, s.plan(t, here)); err != nil || !out.Already {
		t.Errorf("the smaller plan again: %+v, %v", out, err)
	}
}

// TestMendsBrokenRoot: a root that lacks a file is made anew from the parcels.
func TestMendsBrokenRoot(t *testing.T) {
	i, s := newInstaller(t), newShop(t, here)
	out, err := i.Install(ctx, s, s.plan(t, here))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(out.Installed.Dir, "version.json")); err != nil {
		t.Fatal(err)
	}
	out, err = i.Install(ctx, s, s.plan(t, here))
	if err != nil || out.Already || len(out.Added) != 5 {
		t.Errorf("install over a broken root: %+v, %v", out, err)
	}
	visible(t, i)
}

// TestKeep: a kept download is not fetched again, one that was touched is.
func TestKeep(t *testing.T) {
	i, s := newInstaller(t), newShop(t, here)
	i.Keep = true
	plan := s.plan(t, here)
	for round, want := range []int64{5, 5, 6} {
		if round == 2 {
			p := plan.Parcels[0]
			if err := os.WriteFile(filepath.Join(i.Depot.Cache, "downloads", key(p, here), p.File), []byte("half"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := i.Install(ctx, s, plan); err != nil {
			t.Fatal(err)
		}
		if got := s.fetched.Load(); got != want {
			t.Errorf("round %d: %d fetched in all, want %d", round, got, want)
		}
		if _, err := i.Remove(ctx, plan.Name()); err != nil {
			t.Fatal(err)
		}
		if got := visible(t, i); len(got) > 0 {
			t.Errorf("removed: %q", got)
		}
	}
}

// TestNoChecksumInPlan: what the source does not tell is computed and recorded, and a finished file is known by its note.
func TestNoChecksumInPlan(t *testing.T) {
	i, s := newInstaller(t), newShop(t, here)
	i.Keep = true
	plan := s.plan(t, here)
	want := map[string]string{}
	for n := range plan.Parcels {
		want[plan.Parcels[n].Name] = plan.Parcels[n].SHA256
		plan.Parcels[n].SHA256 = ""
	}
	for range 2 {
		out, err := i.Install(ctx, s, plan)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range out.Installed.Manifest.Components {
			if c.SHA256 != want[c.Name] {
				t.Errorf("%s: recorded %s, want %s", c.Name, c.SHA256, want[c.Name])
			}
		}
		if _, err := i.Remove(ctx, plan.Name()); err != nil {
			t.Fatal(err)
		}
	}
	if s.fetched.Load() != 5 {
		t.Errorf("%d fetched, want 5", s.fetched.Load())
	}
}

func TestRegister(t *testing.T) {
	i, s := newInstaller(t), newShop(t, here)
	out, err := i.Install(ctx, s, s.plan(t, here))
	if err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(t.TempDir(), "cuda")
	if err := os.Rename(out.Installed.Dir, there); err != nil {
		t.Fatal(err)
	}
	plan := resolve.Plan{Source: "local", Release: "13.0", Platform: here, Root: there}
	for _, already := range []bool{false, true} {
		out, err = i.Install(ctx, nil, plan)
		if err != nil || out.Already != already || out.Installed.Root() != there || out.Installed.Manifest.Nvcc != "13.0.88" {
			t.Errorf("register: %+v, %v, want already %t", out, err, already)
		}
	}
	second := plan
	second.Root = filepath.Join(t.TempDir(), "other")
	if err := os.CopyFS(second.Root, os.DirFS(there)); err != nil {
		t.Fatal(err)
	}
	out, err = i.Install(ctx, nil, second)
	if got := visible(t, i); err != nil || out.Already || out.Installed.Root() != second.Root || len(got) != 2 {
		t.Errorf("register a second root of the release: %+v, %v; visible %q, want two", out, err, got)
	}
	for _, p := range []resolve.Plan{plan, second} {
		if _, err := i.Remove(ctx, p.Name()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(there, "version.json")); err != nil {
		t.Errorf("removing the registration touched the root: %v", err)
	}
	plan.Root = t.TempDir()
	if _, err := i.Install(ctx, nil, plan); err == nil {
		t.Error("register an empty folder: no error")
	}
	if got := visible(t, i); len(got) > 0 {
		t.Errorf("visible: %q", got)
	}
}

func TestKey(t *testing.T) {
	seen := map[string]resolve.Parcel{}
	for _, p := range []resolve.Parcel{
		{SHA256: sumOf(nil)}, {Name: "cuda-nvcc", Version: "13.0.88"}, {Name: "Libcu++-dev", Version: "1:12.4~x-1"},
		{Name: strings.Repeat("long", 40), Version: "1."}, {Name: "..", Version: "/../"}, {Name: "cuda-nvcc", Version: "13.0.88", Place: "cuda-nvcc==13.0.88"},
		{Name: "cuda-nvcc", Version: "13.0.88", Format: resolve.Tree}, {Name: "nul", Version: "."},
	} {
		if same, ok := seen[key(p, here)]; ok {
			t.Errorf("%+v and %+v have one key", p, same)
		}
		seen[key(p, here)] = p
		_, release, err := depot.Depot{Cache: t.TempDir()}.Hold(ctx, key(p, here), nil)
		if err != nil {
			t.Errorf("key(%+v) = %q: %v", p, key(p, here), err)
			continue
		}
		release()
	}
	p := resolve.Parcel{Name: "cuda-nvcc", Version: "13.0.88"}
	if a, b := key(p, resolve.Platforms[0]), key(p, resolve.Platforms[2]); a == b {
		t.Errorf("%s is the key for two platforms", a)
	}
}

// TestTreeChecksum: of a folder that a client unpacked the checksum of its wheel is recorded, so a plan of another client
// finds it installed.
func TestTreeChecksum(t *testing.T) {
	sum := sumOf([]byte("a wheel"))
	for _, tt := range []struct {
		name string
		p    resolve.Parcel
		want string
	}{
		{"a wheel", resolve.Parcel{Format: resolve.Wheel, SHA256: sum}, "weighed"},
		{"a folder", resolve.Parcel{Format: resolve.Tree, Place: "nvidia-nvvm==13.0.88 --hash=sha256:" + strings.ToUpper(sum)}, sum},
		{"more options", resolve.Parcel{Format: resolve.Tree, Place: "nvidia-nvvm==13.0.88 --hash=sha256:" + sum + " --x"}, sum},
		{"an index without checksums", resolve.Parcel{Format: resolve.Tree, Place: "nvidia-nvvm==13.0.88"}, "weighed"},
	} {
		if got := (brought{parcel: tt.p, sum: "weighed"}).checksum(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
