package contract

import (
	"fmt"
	"slices"

	"cupel/internal/nvcc"
)

// Decided is where the first of nvcc's options stands that cupel gives itself: what is made, for which GPUs, and where it goes; with
// a query it makes nothing. Two of them would be mixed. Without one it is -1. Response files are not looked into.
func Decided(words []string) int {
	for _, g := range nvcc.Parse(words).Given {
		if slices.Contains([]string{"output-file", "output-directory", "shared"}, g.Name) || slices.Contains([]nvcc.Role{nvcc.Phase, nvcc.Arch, nvcc.Query}, g.Role()) {
			return g.At
		}
	}
	return -1
}

// options looks at a list of options for nvcc.
func (d *decoder) options(key string, list []string) {
	for i, flag := range list {
		d.option(item(key, i), flag)
	}
	if at := Decided(list); at >= 0 && !d.full() {
		d.at(item(key, at), problem{id: "contract-conflict", what: fmt.Sprintf("the option %q is decided by cupel", list[at]),
			why: "kinds say what is made, archs for which GPUs, and name where it goes", next: note("leave it out")})
	}
}
