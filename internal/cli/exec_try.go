package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cupel/internal/call"
	"cupel/internal/contract"
	"cupel/internal/record"
	"cupel/internal/render"
	"cupel/internal/review"
	"cupel/internal/trial"
)

// runTries runs the same build under variations, one after the other, and prints which pass.
func runTries(cmd *cobra.Command, args []string, f execFlags, as string) error {
	all, err := variations(cmd, args, f)
	if err != nil {
		return err
	}
	var tried []review.Tried
	for i, v := range all {
		if cmd.Context().Err() != nil {
			tried = append(tried, review.Tried{Try: v.Try, Reason: "interrupted"})
			continue
		}
		fmt.Fprintln(cmd.ErrOrStderr(), "cupel exec: "+render.Line(fmt.Sprintf("%d of %d, %s: %s", i+1, len(all), v.Name, v.config.Command.Text())))
		one := tryOne(cmd, v, f)
		if cmd.Context().Err() != nil {
			one = review.Tried{Try: v.Try, Reason: "interrupted"}
		}
		tried = append(tried, one)
	}
	t := review.TableOf(Version, tried)
	if err := writeOut(cmd.OutOrStdout(), f.out, func(out io.Writer) error { return writeTable(out, t, as) }); err != nil {
		return err
	}
	switch {
	case cmd.Context().Err() != nil:
		return errInterrupted
	case t.Failed():
		return codeError(exitFindings)
	case !t.Ran():
		return codeError(exitUnable)
	}
	return nil
}

func writeTable(out io.Writer, t review.Table, as string) (err error) {
	switch as {
	case "json":
		return writeJSON(out, t)
	case "md":
		_, err = io.WriteString(out, render.TryMarkdown(t))
	default:
		_, err = io.WriteString(out, styleFor(out).Try(t))
	}
	return err
}

// tryOne runs a variation in an environment of its own: nothing of one gets into the next.
func tryOne(cmd *cobra.Command, v variation, f execFlags) review.Tried {
	out := review.Tried{Try: v.Try, Expect: v.config.Expect == "fail", Reason: v.config.Reason}
	if v.Toolkit != "" {
		f.toolkit = v.Toolkit
	}
	if v.Compiler != "" {
		f.compiler, f.ccbin = v.Compiler, true
	}
	x, err := newExecution(cmd, f)
	if err != nil {
		out.Reason, out.Broken = err.Error(), true
		return out
	}
	req, why := x.request(v)
	if why != "" {
		out.Reason = why
		return out
	}
	if err := x.clear(req); err != nil {
		out.Reason, out.Broken = fmt.Sprintf("--before: %v", err), true
		return out
	}
	return x.attempt(v, req, out)
}

// attempt runs the config under the shim and judges its run.
func (x *execution) attempt(v variation, req trial.Request, out review.Tried) review.Tried {
	live := x.begin(v.Name, v.words(), req.Base)
	if req.Hide == nil {
		req.Base = append(req.Base, live.variables()...)
	}
	log := x.keepLog(live)
	req.Stdout, req.Stderr = logged{log, call.Stdout, x.cmd.ErrOrStderr()}, logged{log, call.Stderr, x.cmd.ErrOrStderr()}
	ctx := x.cmd.Context()
	if x.flags.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, x.flags.timeout)
		defer cancel()
	}
	o := trial.Run(ctx, req)
	if log != nil {
		_ = log.End(call.End{At: time.Now()})
	}
	end := call.RunEnd{Ended: time.Now(), Seconds: o.Seconds, Code: int64(o.Code), Signal: o.Signal, Error: o.Err, TimedOut: o.TimedOut}
	x.finish(live, end)
	if o.Skipped != "" {
		out.Reason = o.Skipped
		return out
	}
	out.Missing = strings.Join(o.MissingArtifacts, ", ")
	if live == nil {
		out.Answer = &review.Answer{Run: call.Run{Command: v.words(), End: &end}}
		return out
	}
	a, err := x.judge(live)
	if err != nil {
		out.Reason, out.Broken = fmt.Sprintf("read the run back: %v", err), true
		return out
	}
	out.Answer = &a
	x.forget()
	return out
}

// clear runs the command of --before in the environment of the variation, so that each starts from the same place.
func (x *execution) clear(req trial.Request) error {
	if x.flags.before == "" {
		return nil
	}
	req.Config = contract.Config{Name: "before", Dir: req.Config.Dir}
	req.Config.Command.Line = x.flags.before
	req.Stdout, req.Stderr = x.cmd.ErrOrStderr(), x.cmd.ErrOrStderr()
	req.Hide = nil
	switch o := trial.Run(x.cmd.Context(), req); {
	case o.Err != "":
		return fmt.Errorf("%s: %s", x.flags.before, o.Err)
	case o.Skipped != "":
		return fmt.Errorf("%s: %s", x.flags.before, o.Skipped)
	case o.Code != 0:
		return fmt.Errorf("%s ended with code %d", x.flags.before, o.Code)
	}
	return nil
}

func (x *execution) keepLog(live *recording) *record.Writer {
	if live == nil {
		return nil
	}
	log, err := live.Log()
	if err != nil {
		return nil
	}
	return log
}

// logged is a stream that is shown and written down.
type logged struct {
	log    *record.Writer
	stream call.Stream
	shown  io.Writer
}

func (k logged) Write(p []byte) (int, error) {
	if k.log != nil {
		k.log.Output(k.stream, p)
	}
	_, _ = k.shown.Write(p)
	return len(p), nil
}
