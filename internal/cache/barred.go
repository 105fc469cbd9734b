package cache

import (
	"os"

	"cupel/internal/nvcc"
	"cupel/internal/recipe"
)

// barred: a file that may not be written lies where the call writes. nvcc then says so in its own words, and as PTX it even
// ends well and leaves the old file (13.0), which must not be remembered as its result; so it is left to it alone, whether the
// store has the result or not. An object is written all the same: the assembler takes the old one away first.
func (q *Question) barred() *recipe.Refusal {
	if q.cache.Store.Hard {
		return nil // read-only is what the store places as a link
	}
	for _, o := range q.Recipe.Outputs {
		if o.Role == "main" && q.Recipe.Kind == "object" && !onWindows {
			continue
		}
		path := q.place(o.Path)
		if writable(path) {
			continue
		}
		if info, err := os.Lstat(path); err != nil || onWindows || !linked(info) { // one with links is the store's: see taken
			return &recipe.Refusal{Reason: "output-read-only", Detail: o.Path}
		}
	}
	return nil
}

// taken: Clear takes it away, since a compiler could not write to it or would write into the store.
func taken(info os.FileInfo, path string) bool {
	return info.Mode().IsRegular() && (linked(info) || !writable(path))
}

// Unlink makes outputs of a call that are links into the store files of their own, for an nvcc that is started without us: it could
// not write to one and may leave the old one there with code 0, or would write into the store.
func Unlink(args []string, dir string) {
	args, _ = nvcc.Expand(args, ResponseFile(dir))
	for _, path := range nvcc.Parse(args).Outputs(onWindows) {
		path = Whole(dir, path)
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() || !linked(info) || info.Mode().Perm()&0o222 != 0 {
			continue
		}
		if text, err := os.ReadFile(path); err == nil {
			_ = replace(path, text)
		}
	}
}
