package conda

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cupel/internal/version"
)

// A real client cannot be had from the registries that the tests may use, so this one stands in: the test program itself,
// answering as the clients' sources and reports of their users say they do. It reads a channel in a folder, in the form
// of a real one. What it cannot show is whether the real ones do so too.
const standIn = "CUPEL_STANDIN_CONDA"

// dialects are how the clients differ in what matters here.
var dialects = []string{"conda", "mamba-1", "micromamba", "mamba-2.6"}

func TestMain(m *testing.M) {
	if dialect := os.Getenv(standIn); dialect != "" {
		os.Exit(standin{dialect: dialect, subdir: os.Getenv("CONDA_SUBDIR"), cache: os.Getenv("CONDA_PKGS_DIRS")}.run(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// entry is a package in repodata.json.
type entry struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	Build   string   `json:"build"`
	Depends []string `json:"depends"`
	License string   `json:"license"`
	SHA256  string   `json:"sha256"`
	Size    int64    `json:"size"`
	Subdir  string   `json:"subdir"`
	File    string   `json:"fn,omitempty"`
	URL     string   `json:"url,omitempty"`
}

type standin struct{ dialect, subdir, cache string }

func (s standin) run(args []string) int {
	var flags, words []string
	channel := ""
	for i := 1; i < len(args); i++ {
		switch {
		case args[i] == "--channel":
			i++
			channel = args[i]
		case args[i] == "--prefix":
			i++
		case strings.HasPrefix(args[i], "-"):
			flags = append(flags, args[i])
		default:
			words = append(words, args[i])
		}
	}
	switch {
	case args[0] == "search":
		return s.search(read(channel, s.subdir), words[0])
	case slices.Contains(flags, "--dry-run"):
		return s.solve(read(channel, s.subdir), words)
	case slices.Contains(flags, "--download-only"):
		return s.download(words[0])
	}
	fmt.Fprintln(os.Stderr, "the stand-in does not know", args)
	return 2
}

// read is the index of a channel for one platform.
func read(channel, subdir string) []entry {
	var all []entry
	for _, sub := range []string{subdir, "noarch"} {
		var index struct {
			Packages map[string]entry `json:"packages.conda"`
		}
		b, _ := os.ReadFile(filepath.Join(channel, sub, "repodata.json"))
		_ = json.Unmarshal(b, &index)
		for file, e := range index.Packages {
			e.File, e.URL = file, fileURL(filepath.Join(channel, sub, file))
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return version.MustParse(b.Version).Compare(version.MustParse(a.Version)) })
	return all
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return "file://" + path
}

func (s standin) print(v any) int {
	b, _ := json.MarshalIndent(v, "", "  ")
	fmt.Println(string(b))
	return 0
}

func (s standin) refuse(message string) int {
	if s.dialect == "micromamba" || s.dialect == "mamba-2.6" {
		s.print(map[string]any{"success": false, "solver_problems": []string{message}})
	} else {
		s.print(map[string]any{"error": "PackagesNotFoundError: " + message, "exception_name": "PackagesNotFoundError", "message": message, "success": false})
	}
	return 1
}

func (s standin) search(index []entry, name string) int {
	found := slices.DeleteFunc(index, func(e entry) bool { return e.Name != name })
	if s.dialect == "micromamba" || s.dialect == "mamba-2.6" {
		return s.print(map[string]any{"query": map[string]any{"query": name, "type": "search"}, "result": map[string]any{"msg": "", "status": "OK", "pkgs": found}})
	}
	if len(found) == 0 {
		return s.refuse("The following packages are not available from current channels: " + name)
	}
	slices.Reverse(found)
	return s.print(map[string]any{name: found})
}

// solve takes the newest of every name that fits all that was said of it.
func (s standin) solve(index []entry, specs []string) int {
	chosen := map[string]entry{}
	pins := map[string]version.V{}
	for i := 0; i < len(specs); i++ {
		name, pin, pinned := strings.Cut(specs[i], "=")
		if pinned {
			pins[name] = version.MustParse(pin)
		}
	}
	for i := 0; i < len(specs); i++ {
		name, _, _ := strings.Cut(specs[i], "=")
		at := slices.IndexFunc(index, func(e entry) bool {
			pin, pinned := pins[name]
			return e.Name == name && (!pinned || pin.Covers(version.MustParse(e.Version)))
		})
		if _, done := chosen[name]; done {
			continue
		}
		if at < 0 {
			return s.refuse("nothing provides requested " + specs[i])
		}
		chosen[name] = index[at]
		for _, d := range index[at].Depends {
			name, pin, pinned := strings.Cut(d, " ")
			if pinned {
				pins[name] = version.MustParse(pin)
			}
			specs = append(specs, name)
		}
	}
	return s.actions(chosen)
}

func (s standin) actions(chosen map[string]entry) int {
	full, sparse := []entry{}, []map[string]any{}
	for _, e := range chosen {
		full = append(full, e)
		sparse = append(sparse, map[string]any{"base_url": "x", "build_string": e.Build, "dist_name": e.Name + "-" + e.Version, "name": e.Name, "platform": e.Subdir, "version": e.Version})
	}
	answer := func(fetch, link any) map[string]any {
		return map[string]any{"actions": map[string]any{"FETCH": fetch, "LINK": link, "PREFIX": "x"}, "dry_run": true, "success": true}
	}
	switch s.dialect {
	case "micromamba", "mamba-2.6":
		return s.print(answer([]entry{}, full))
	case "mamba-1":
		fmt.Println("DryRunExit: Dry run. Exiting.")
		s.print(answer([]entry{}, sparse))
		return s.print(answer(full, sparse))
	}
	if s.cache == "" { // the user's cache has all of it
		return s.print(answer([]entry{}, sparse))
	}
	return s.print(answer(full, sparse))
}

// download puts a package into the cache, unpacked too.
func (s standin) download(address string) int {
	u, err := url.Parse(address)
	if err != nil {
		return s.refuse(err.Error())
	}
	from := u.Path
	if runtime.GOOS == "windows" {
		from = strings.TrimPrefix(from, "/")
	}
	dir := s.cache
	if s.dialect == "mamba-2.6" {
		dir = filepath.Join(dir, "file", "channel", s.subdir)
	}
	name := strings.TrimSuffix(path.Base(u.Path), ".conda")
	if err := os.MkdirAll(filepath.Join(dir, name, "info"), 0o755); err != nil {
		return s.refuse(err.Error())
	}
	if err := copyFile(from, filepath.Join(dir, name+".conda")); err != nil {
		return s.refuse(err.Error())
	}
	fmt.Println("Download only - packages are downloaded and extracted. Skipping the linking phase.")
	return 0
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
