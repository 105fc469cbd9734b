package shim_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed are the packages that cupel-nvcc may be made of, besides those that these bring with them in the standard library
// (internal/…, vendor/…). What is not here costs start-up time that every compiler call pays: think twice.
var allowed = strings.Fields(`
	cupel/cmd/cupel-nvcc cupel/internal/shim cupel/internal/relay cupel/internal/record cupel/internal/filelock cupel/internal/call cupel/internal/nvcc cupel/internal/mend
	cupel/internal/cache cupel/internal/cas cupel/internal/closure cupel/internal/digest cupel/internal/include cupel/internal/recipe cupel/internal/stamp cupel/internal/toolchain cupel/internal/wire
	golang.org/x/sys/unix golang.org/x/sys/windows
	bytes cmp context crypto crypto/sha256 encoding encoding/base64 encoding/binary encoding/hex encoding/json errors fmt hash hash/crc32 io io/fs iter maps math math/bits math/rand/v2
	os os/signal path path/filepath reflect runtime slices sort strconv strings sync sync/atomic syscall time unicode unicode/utf16 unicode/utf8 unsafe
`)

// withSHA256 are what crypto/sha256 brings. None of it does anything at the start (GODEBUG=inittrace=1: 0.02 ms together).
var withSHA256 = strings.Fields(`crypto/cipher crypto/fips140 crypto/subtle crypto/internal/`)

// netOnWindows comes with golang.org/x/sys/windows, which spells addresses.
var netOnWindows = strings.Fields(`net net/netip structs unique weak vendor/golang.org/x/net/dns/dnsmessage`)

func TestImports(t *testing.T) {
	for _, goos := range []string{"linux", "windows", "darwin"} {
		cmd := exec.Command("go", "list", "-deps", "cupel/cmd/cupel-nvcc")
		cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list for %s: %v", goos, err)
		}
		for name := range strings.FieldsSeq(string(out)) {
			if goos == "windows" && slices.Contains(netOnWindows, name) {
				continue
			}
			if slices.ContainsFunc(withSHA256, func(p string) bool { return strings.HasPrefix(name, p) }) {
				continue
			}
			if !slices.Contains(allowed, name) && !strings.HasPrefix(name, "internal/") && !strings.HasPrefix(name, "golang.org/x/sys/internal/") {
				t.Errorf("on %s, cupel-nvcc depends on %s", goos, name)
			}
		}
	}
}
