package hostcompiler_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cupel/internal/depot"
	"cupel/internal/hostcompiler"
	"cupel/internal/resolve"
	"cupel/internal/testbed"
)

// insideVariable has the test program work inside an image: the majors of gcc that are wanted.
const insideVariable = "CUPEL_TEST_INSIDE"

// TestContainer: in a system whose only compiler is gcc 14, an ordinary user gets the gcc that an older toolkit accepts:
// 13 of the system's own suite, 11 of the suite before, and libclang.
func TestContainer(t *testing.T) {
	testbed.Long(t)
	testbed.Root(t, "container-trixie")
	program := filepath.Join(t.TempDir(), "hostcompiler.test")
	build := exec.Command("go", "test", "-c", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, out)
	}
	for _, majors := range []string{"13,12", "11"} {
		t.Run("gcc "+majors, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), filepath.Join(testbed.Repo(t), "scripts", "testbed"), "container-run",
				"--volume="+program+":/opt/hostcompiler.test:ro", "--volume=/etc/resolv.conf:/etc/resolv.conf:ro", "--env="+insideVariable+"="+majors, "--user=maker", "--workdir=/home/maker",
				"--env=HOME=/home/maker", "/opt/hostcompiler.test", "-test.run=^TestInside$", "-test.v")
			cmd.Env = append(os.Environ(), "CUPEL_IMAGE=trixie")
			out, err := cmd.CombinedOutput()
			t.Logf("%s", out)
			if err != nil || !strings.Contains(string(out), "--- PASS: TestInside ") {
				t.Errorf("in the container: %v", err)
			}
		})
	}
}

// TestInside is what TestContainer runs.
func TestInside(t *testing.T) {
	text := os.Getenv(insideVariable)
	if text == "" {
		t.Skip("runs inside the container of TestContainer")
	}
	home := t.TempDir()
	i := hostcompiler.Installer{Depot: depot.Depot{Home: home, Cache: filepath.Join(home, "cache")}, Cupel: "test", Here: resolve.Platform{OS: "linux", Arch: "amd64"}}
	want := hostcompiler.Want{For: "a test"}
	for _, m := range strings.Split(text, ",") {
		n, err := strconv.Atoi(m)
		if err != nil {
			t.Fatal(err)
		}
		want.Majors = append(want.Majors, n)
	}
	plan, err := i.Plan(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	install(t, plan, i.Install)
	if strings.HasPrefix(text, "13") {
		plan, err := i.PlanClang(t.Context(), 19)
		if err != nil {
			t.Fatal(err)
		}
		install(t, plan, i.InstallClang)
	}
}

// install brings a plan twice, and looks at every file.
func install(t *testing.T, plan hostcompiler.Plan, do func(ctx context.Context, p hostcompiler.Plan) (hostcompiler.Outcome, error)) {
	t.Helper()
	for _, p := range plan.Parcels {
		t.Log(p.Name, p.Version, p.Size.Download, p.Size.Installed)
	}
	for _, already := range []bool{false, true} {
		out, err := do(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(out.Command, out.Version, out.Already, out.Proof, out.Variables)
		if out.Already != already || out.Version != plan.Version || len(out.Proof) == 0 {
			t.Errorf("install of %s: %+v, want version %s, already %t", plan.Name, out, plan.Version, already)
		}
		if faults, err := depot.Check(t.Context(), out.Installed, nil); err != nil || len(faults) > 0 {
			t.Errorf("Check = %v, %v", faults, err)
		}
	}
}
