package toolkit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cupel/internal/depot"
	"cupel/internal/resolve"
	"cupel/internal/source"
)

// installForTest is the process that is killed: it installs from a shop, first without and then with NVTX, so that one
// root is made and then replaced.
func installForTest(home, cache, shopDir string) {
	i := Installer{Depot: depot.Depot{Home: home, Cache: cache}, Cupel: "test", Here: here}
	if here.Windows() {
		// A child is started suspended there, and stays for ever when its parent is killed before it lets it go: no
		// proof that starts one.
		i.Here = resolve.Platform{OS: "linux", Arch: "amd64"}
	}
	var s source.Source = &van{shop: &shop{dir: shopDir}}
	if address := os.Getenv(clientVariable); address != "" {
		s = &caller{&shop{dir: shopDir}, address}
	}
	for _, with := range [][]string{nil, {"nvtx"}} {
		plan, err := s.Resolve(ctx, request(here, with...))
		if err == nil {
			_, err = i.Install(ctx, s, plan)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// TestKilled ends installs of stand-ins with kill -9 at random moments.
func TestKilled(t *testing.T) {
	kills := 50
	switch {
	case testing.Short():
		kills = 6
	case runtime.GOOS == "windows":
		kills = 20 // wine is slow
	}
	kill(t, newShop(t, here), kills)
}

// again is the run after a kill. wine now and then cannot load its own libraries into a program; then nothing of ours ran.
func again(t *testing.T, helper func() *exec.Cmd) error {
	t.Helper()
	for try := 1; ; try++ {
		var said strings.Builder
		cmd := helper()
		cmd.Stderr = &said
		err := cmd.Run()
		if err == nil {
			return nil
		}
		if !strings.Contains(said.String(), "DLL initialization failed") || try == 3 {
			return fmt.Errorf("%w\n%s", err, said.String())
		}
		t.Logf("wine did not start the program: %s", strings.SplitN(said.String(), "\n", 2)[0])
	}
}

// kill ends installs with kill -9 at random moments. Whatever is visible afterwards is whole, and the next run succeeds
// and leaves nothing behind.
func kill(t *testing.T, s *shop, kills int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	helper := func(i Installer) *exec.Cmd {
		cmd := exec.Command(exe, "install-for-test", i.Depot.Home, i.Depot.Cache, s.dir)
		cmd.Stderr = os.Stderr
		return cmd
	}
	i := newInstaller(t)
	began := time.Now()
	if err := helper(i).Run(); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(began)
	_ = os.RemoveAll(filepath.Dir(i.Depot.Home))
	none, one := 0, 0
	for n := range kills {
		i := newInstaller(t)
		moment := time.Duration(rand.Int64N(int64(whole)))
		cmd := helper(i)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(moment)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if len(visible(t, i)) == 0 {
			none++
		} else {
			one++
		}
		if t.Failed() {
			t.Fatalf("kill %d, %s after the start", n, moment)
		}
		if err := again(t, func() *exec.Cmd { return helper(i) }); err != nil {
			t.Fatalf("the run after kill %d, %s after the start: %v", n, moment, err)
		}
		if got, hidden := visible(t, i), left(t, i); len(got) != 1 || len(hidden) > 0 {
			t.Fatalf("after kill %d, %s after the start, and another run: visible %q, left %q", n, moment, got, hidden)
		}
		_ = os.RemoveAll(filepath.Dir(i.Depot.Home))
	}
	t.Logf("%d kills within %s: %d times nothing was visible, %d times a whole root; every next run succeeded", kills, whole.Round(time.Millisecond), none, one)
}
