package toolkit

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"cupel/internal/compat"
	"cupel/internal/pattern"
	"cupel/internal/version"
)

// profile tells nvcc where its parts are, from its own place.
const profile = `TOP = $(_HERE_)/..

CICC_PATH = $(TOP)/nvvm/bin
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice

LD_LIBRARY_PATH += $(TOP)/lib64:
PATH += $(CICC_PATH):$(_HERE_):

INCLUDES += "-I$(TOP)/include" $(_SPACE_)
SYSTEM_INCLUDES += "-isystem" "$(TOP)/include/cccl" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib64/stubs" "-L$(TOP)/lib64"
`

const profileName = "bin/nvcc.profile"

// makeProfile writes bin/nvcc.profile when there is none or when it does not go by nvcc's own place: Debian's names
// folders of the system, where nothing of this root is. Where the release's headers clash with newer C libraries, they
// become the system's, as they are in Debian: nvcc then lets the two declarations be.
func (r *root) makeProfile() error {
	b, err := os.ReadFile(r.path(profileName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !r.has("bin/nvcc") {
		return nil
	}
	text, own := string(b), !strings.Contains(string(b), "$(_HERE_)")
	if own {
		text = profile
	}
	release, _ := version.Parse(r.plan.Release)
	if _, clash := compat.GlibcLimitOf(release, ""); clash {
		text = systemHeaders(text)
	}
	switch {
	case own:
		return r.make(profileName, []byte(text), 0o644)
	case text != string(b):
		return r.replace(profileName, []byte(text), 0o644)
	}
	return nil
}

// ownHeaders is the folder of the toolkit's headers as a profile names it.
var ownHeaders = pattern.New(`"-I(\$\(TOP\)/[^"]*include)"`)

func systemHeaders(profile string) string {
	return ownHeaders.ReplaceAllString(profile, `"-isystem" "$1"`)
}
