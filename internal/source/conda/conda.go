// Package conda is the source of toolkits that conda-forge has. It works through the user's own client (micromamba, mamba
// or conda), so that channels, mirrors, proxies and credentials are those of the user: the client solves, in a dry run,
// and the client transports. cupel takes out of the solution the packages that hold the toolkit's files, and unpacks
// them itself; no environment is made, nothing is activated, and the prefix that conda writes into some text files is not
// needed, because the layout leaves those out.
//
// The same solution could bring a host compiler (gxx_linux-64 with its sysroot); package hostcompiler does not ask yet.
package conda

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"

	"cupel/internal/resolve"
	"cupel/internal/source"
)

const name = "conda"

// Config says how conda is asked. The zero value is right outside of tests.
type Config struct {
	Client  string   // path of the client; empty: the first of micromamba, mamba, conda on PATH, else MAMBA_EXE, CONDA_EXE
	Channel string   // empty: conda-forge
	Env     []string // of the client; nil: this program's own
}

// Source asks one client.
type Source struct {
	config Config
	mu     sync.Mutex
	places map[string]string // the whole addresses of packages that were solved for, by checksum
}

var _ source.Source = (*Source)(nil)

// New is the source behind the client that is found when it is first needed.
func New(c Config) *Source {
	if c.Channel == "" {
		c.Channel = "conda-forge"
	}
	return &Source{config: c, places: map[string]string{}}
}

func (s *Source) Name() string { return name }

// Reach says whether there is a client. Whether its channels answer is not tried: the smallest question needs an index
// of many megabytes, or an address that only the client's settings know. A channel that is away ends the question for
// what there is, which does not wait long for a connection (see hurried).
func (s *Source) Reach(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return source.Unreachable{Source: name, Why: err.Error()}
	}
	_, err := s.client()
	return err
}

// clients are the programs that will do, the fastest first, and variables the variables in which their shell functions
// keep the program's path.
var (
	clients   = []string{"micromamba", "mamba", "conda"}
	variables = []string{"MAMBA_EXE", "CONDA_EXE"}
)

func (s *Source) client() (string, error) {
	if s.config.Client != "" {
		return usable(s.config.Client)
	}
	for _, c := range clients {
		if path, err := exec.LookPath(c); err == nil {
			return path, nil
		}
	}
	for _, v := range variables {
		if path, err := usable(os.Getenv(v)); err == nil {
			return path, nil
		}
	}
	return "", source.Unreachable{
		Source: name, Why: "no micromamba, mamba or conda on PATH",
		Next: "put micromamba, mamba or conda on PATH",
	}
}

func usable(path string) (string, error) {
	found, err := exec.LookPath(path)
	if err != nil {
		return "", source.Unreachable{Source: name, Why: fmt.Sprintf("%s cannot be run: %v", path, err)}
	}
	return found, nil
}

// subdirs are conda's words for platforms. No CUDA package was seen for win-arm64, but the word is conda's.
var subdirs = map[resolve.Platform]string{
	{OS: "linux", Arch: "amd64"}:   "linux-64",
	{OS: "linux", Arch: "arm64"}:   "linux-aarch64",
	{OS: "windows", Arch: "amd64"}: "win-64",
	{OS: "windows", Arch: "arm64"}: "win-arm64",
}
