package conda

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"cupel/internal/child"
	"cupel/internal/resolve"
)

// glibc is what a client that solves for Linux from elsewhere is told to find there. Nothing of the solution is run here.
const glibc = "2.28"

// call is one question to the client.
type call struct {
	args     []string
	platform resolve.Platform
	release  string // X.Y, told to the client as the level of the driver; empty: not told
	packages string // a package cache of its own; empty: the user's
	hurry    bool   // a channel that is away is not waited for
}

// ask runs the client and returns what it wrote to standard output.
func (s *Source) ask(ctx context.Context, c call) (string, error) {
	client, err := s.client()
	if err != nil {
		return "", err
	}
	var out bounded
	_, err = child.Run(ctx, child.Command{Path: client, Args: c.args, Env: c.env(s.config.Env), Stdout: &out})
	var failed child.Failed
	if errors.As(err, &failed) {
		if e, ok := complaint(out.String()); ok {
			e.client, e.command, e.said = client, c.args[0], child.Mask(e.said)
			return "", e
		}
	}
	return out.String(), err
}

// largest bounds a client's answer: solutions have some hundred kilobytes.
const largest = 64 << 20

// bounded keeps what is written, as far as that goes.
type bounded struct{ strings.Builder }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > largest {
		return 0, fmt.Errorf("the client's answer has more than %d MB", largest>>20)
	}
	return b.Builder.Write(p)
}

// hurried are the clients' own settings for how long a connection is waited for and how often it is tried: by default a
// channel that is away costs a minute. How long an index may come is left to the line.
var hurried = []string{
	"CONDA_REMOTE_CONNECT_TIMEOUT_SECS=3", "CONDA_REMOTE_MAX_RETRIES=1",
	"MAMBA_REMOTE_CONNECT_TIMEOUT_SECS=3", "MAMBA_REMOTE_MAX_RETRIES=1",
}

// env is the client's environment. A later value counts.
func (c call) env(base []string) []string {
	if base == nil {
		base = os.Environ()
	}
	env := append(without(base, "CONDA_SUBDIR", "CONDA_OVERRIDE_CUDA"), "CONDA_SUBDIR="+subdirs[c.platform], "MAMBA_NO_BANNER=1")
	if c.release != "" { // else a machine with an older driver, or none, is refused the toolkit
		env = append(env, "CONDA_OVERRIDE_CUDA="+c.release)
	}
	if !c.platform.Windows() && runtime.GOOS != "linux" {
		env = append(env, "CONDA_OVERRIDE_LINUX=5.4", "CONDA_OVERRIDE_GLIBC="+glibc)
	}
	if c.hurry {
		env = append(env, hurried...)
	}
	if c.packages != "" {
		env = append(without(env, "CONDA_PKGS_DIRS"), "CONDA_PKGS_DIRS="+c.packages)
	}
	return env
}

func without(env []string, names ...string) []string {
	var out []string
next:
	for _, e := range env {
		key, _, _ := strings.Cut(e, "=")
		for _, n := range names {
			if strings.EqualFold(key, n) {
				continue next
			}
		}
		out = append(out, e)
	}
	return out
}
