package rule

import (
	"testing"

	"cupel/internal/fact"
)

// TestCcbinFlag: of several words nvcc takes the last, and puts NVCC_APPEND_FLAGS behind all others.
func TestCcbinFlag(t *testing.T) {
	for _, tt := range []struct{ name, prepend, append, want string }{
		{"none", "-O3", "", ""},
		{"one", "-ccbin=/usr/bin/g++-11 -O3", "", "/usr/bin/g++-11"},
		{"two in one variable", "-ccbin g++-11 --compiler-bindir g++-12", "", "g++-12"},
		{"one in each", "-ccbin g++-11", `-ccbin "clang++-16"`, "clang++-16"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := &Input{Machine: fact.Machine{Env: map[string]string{"NVCC_PREPEND_FLAGS": tt.prepend, "NVCC_APPEND_FLAGS": tt.append}}}
			if got := in.ccbinFlag(); got != tt.want {
				t.Errorf("prepend %q, append %q: %q, want %q", tt.prepend, tt.append, got, tt.want)
			}
		})
	}
}
