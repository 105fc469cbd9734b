package call

import (
	"slices"
	"strings"
	"testing"
)

func TestShown(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a plain call", "-c -O3 -DNAME=1 k.cu -o k.o", "-c -O3 -DNAME=1 k.cu -o k.o"},
		{"a defined secret", "-DAPI_TOKEN=abcdef k.cu", "-DAPI_TOKEN=*** k.cu"},
		{"defined apart", "-D API_TOKEN=abcdef", "-D API_TOKEN=***"},
		{"of CMake", "-DAPI_TOKEN:STRING=abcdef .", "-DAPI_TOKEN:STRING=*** ."},
		{"for another compiler", "-Xcompiler=-DTOKEN=abcdef k.cu", "-Xcompiler=-DTOKEN=*** k.cu"},
		{"an option's value", "--password=abc login", "--password=*** login"},
		{"the next word", "--token abc --verbose", "--token *** --verbose"},
		{"the next word, with one dash", "-password abc -api-key def", "-password *** -api-key ***"},
		{"a macro and a library are no such option", "-DUSE_AUTH k.cu -lsecret k.o -I/opt/secret x.cu", "-DUSE_AUTH k.cu -lsecret k.o -I/opt/secret x.cu"},
		{"an assignment", "env AWS_SECRET_ACCESS_KEY=abc make", "env AWS_SECRET_ACCESS_KEY=*** make"},
		{"an address", "https://ann:word@example.org/x", "***"},
		{"an address with a token too", "https://ann:word@example.org/x?token=abc", "***"},
		{"an address with a token alone", "https://example.org/x?token=abc", "https://example.org/x?token=***"},
		{"a marked token", "ghp_0123456789", "***"},
		{"architectures", "-gencode arch=compute_80,code=sm_80", "-gencode arch=compute_80,code=sm_80"},
		{"a key of another kind", "--keep --keep-dir d", "--keep --keep-dir d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Shown(strings.Fields(tt.in)); !slices.Equal(got, strings.Fields(tt.want)) {
				t.Errorf("Shown(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSecretsInsideValues(t *testing.T) {
	for _, tt := range []struct {
		name, variable, value string
		want                  bool
	}{
		{"make hands it on", "MAKEFLAGS", "-j4 --jobserver-auth=3,4 -- DEPLOY_TOKEN=abc", true},
		{"make alone", "MAKEFLAGS", " -j4 --jobserver-auth=fifo:/tmp/GMfifo123", false},
		{"git's header", "GIT_CONFIG_VALUE_0", "AUTHORIZATION: basic eHg6", true},
		{"flags of a compiler", "NVCC_APPEND_FLAGS", "-DNAME=1 -O3 --keep --keep-dir=x", false},
		{"a connection", "STORAGE", "DefaultEndpointsProtocol=https;AccountKey=abc", true},
		{"an ordinary list", "PATH", "/usr/bin:/bin", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Secret(tt.variable, tt.value); got != tt.want {
				t.Errorf("Secret(%q, %q) = %v, want %v", tt.variable, tt.value, got, tt.want)
			}
		})
	}
}
