package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cupel/internal/call"
	"cupel/internal/child"
	"cupel/internal/finding"
)

// bisect finds the variables that make the call end otherwise in this shell. Every run writes the call's outputs, as a
// replay does; what the call prints is not shown.
func (r *rerun) bisect(cmd *cobra.Command, limit time.Duration, as string) error {
	args, done, err := r.fitting()
	if err != nil {
		return err
	}
	defer done()
	for _, n := range r.notes {
		replayNote(cmd, "%s", n)
	}
	replayNote(cmd, "%s is run several times; it writes its outputs each time", r.id)
	here := map[string]string{}
	for name, value := range spelledAs(r.env, os.Environ()) {
		if !call.OfExec(name) {
			here[name] = value
		}
	}
	s := &search{limit: limit, run: func(ctx context.Context, env map[string]string) (string, error) {
		return r.quietly(ctx, args, env)
	}}
	a, err := s.between(cmd.Context(), r.env, here)
	if err != nil {
		return err
	}
	a.Format, a.Cupel, a.Findings, a.Call = "cupel.replay/1", Version, []finding.Finding{}, r.id
	if as == "json" {
		return writeJSON(cmd.OutOrStdout(), a)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), styleFor(cmd.OutOrStdout()).EnvBisect(a))
	return err
}

// quietly runs the call and tells how it ended.
func (r *rerun) quietly(ctx context.Context, args []string, env map[string]string) (string, error) {
	result, err := child.Run(ctx, child.Command{Path: r.program, Args: args, Dir: r.dir, Env: asList(env)})
	var failed child.Failed
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil && !errors.As(err, &failed):
		return "", fmt.Errorf("start %s: %w", r.program, err)
	case result.Code < 0:
		return "ended by a signal", nil
	}
	return call.End{Code: int64(result.Code)}.Words(), nil
}

// spelledAs is an environment with the names as another has them: Windows names have no case.
func spelledAs(like map[string]string, environ []string) map[string]string {
	out := map[string]string{}
	for _, kv := range environ {
		name, value, ok := strings.Cut(kv, "=")
		if !ok || name == "" {
			continue
		}
		for n := range like {
			if sameName(n, name) {
				name = n
			}
		}
		out[name] = value
	}
	return out
}
