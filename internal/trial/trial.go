// Package trial runs a contract's [[config]]: one command with its own environment, its output kept, the whole
// tree of its processes ended with it. A config that needs no CUDA runs with every toolkit, CUDA variable, driver
// library and device hidden: on Linux in a mount namespace of its own, elsewhere by the environment alone, and then
// it says what stayed visible. It judges nothing: package verify does.
package trial

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/verify"
)

// Request is one config to run.
type Request struct {
	Config contract.Config
	Dir    string            // the folder of cupel.toml; Config.Dir and Config.Artifacts are below it
	Base   []string          // the environment to start from
	Env    map[string]string // computed variables: cupel env, the contract's, the config's own, all filled in
	Hide   *Hide             // what a config that needs none must not see; see HideFrom
	GPUs   []fact.GPU        // what a config that needs one may use
	Stubs  []string          // folders of stub driver libraries, for a config that needs stub; see StubDirs
	Stdout io.Writer         // nil: nowhere
	Stderr io.Writer
	LogDir string // the whole output is kept here, a file for each run; empty: only its tail is
}

// order is the one in which configs run: the proof that needs least comes first.
var order = []string{"none", "stub", "toolkit", "gpu"}

// Need is what a config needs, said or not.
func Need(c contract.Config) string {
	switch {
	case c.Needs.What != "":
		return c.Needs.What
	case c.Needs.GPU != nil:
		return "gpu"
	}
	return "toolkit"
}

// Smoke are the configs that verify --build runs on a platform, in their order.
func Smoke(c *contract.Contract, p contract.Platform) []contract.Config {
	var list []contract.Config
	for _, cfg := range c.Configs {
		if cfg.Smoke && p.Wanted(cfg.On, cfg.ExcludeOn) {
			list = append(list, cfg)
		}
	}
	slices.SortStableFunc(list, func(a, b contract.Config) int {
		return slices.Index(order, Need(a)) - slices.Index(order, Need(b))
	})
	return list
}

// Run runs the config to its end, its time limit or the end of ctx, whichever comes first.
func Run(ctx context.Context, req Request) verify.Outcome {
	o := verify.Outcome{Name: req.Config.Name, Code: -1}
	if o.Skipped = unmet(req); o.Skipped != "" {
		return o
	}
	out, err := newOutput(req)
	if err != nil {
		o.Err = err.Error()
		return o
	}
	defer out.close()
	if t := req.Config.Timeout.Duration; t > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, t)
		defer stop()
	}
	began := time.Now()
	execute(ctx, req, out, &o)
	o.Seconds = time.Since(began).Seconds()
	o.Tail, o.Log = out.tail.String(), out.path
	finish(ctx, req, &o)
	return o
}

// finish adds what can be told only afterwards.
func finish(ctx context.Context, req Request, o *verify.Outcome) {
	o.TimedOut = ctx.Err() == context.DeadlineExceeded && o.Code != 0
	if ctx.Err() == context.Canceled && o.Code != 0 {
		// It is no failure, expected or not: it proves nothing, like a config that was not run.
		o.Err, o.Signal, o.Skipped = "", "", "interrupted"
		return
	}
	if o.Err == "" && o.Code == 0 {
		o.MissingArtifacts = missing(req.Dir, req.Config.Artifacts)
	}
}

// unmet says why a config cannot be run here.
func unmet(req Request) string {
	if Need(req.Config) != "gpu" {
		return ""
	}
	if len(req.GPUs) == 0 {
		return "it needs a GPU, and none was found here"
	}
	least := req.Config.Needs.GPU
	if least == nil || slices.ContainsFunc(req.GPUs, func(g fact.GPU) bool { return reaches(g, least.CC) }) {
		return ""
	}
	return fmt.Sprintf("it needs a GPU of compute capability %s, and none here is known to have it", least.CC)
}

func reaches(g fact.GPU, least gpu.CC) bool {
	cc, err := gpu.ParseCC(g.CC.Value)
	return g.CC.Known() && err == nil && cc.Compare(least) >= 0
}

// workDir is where the command runs.
func workDir(req Request) string {
	return filepath.Join(req.Dir, filepath.FromSlash(string(req.Config.Dir)))
}

// checkDir tells a folder that is missing from a program that is: both are "no such file" to a process.
func checkDir(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", dir)
	}
	return err
}
