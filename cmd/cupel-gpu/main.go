// Command cupel-gpu prints what NVML and the CUDA driver library say about this machine, as one JSON object
// (docs/formats/gpu.md). It stands apart from cupel because it loads the driver's libraries: cupel starts it as
// a child with a time limit, so that a hung or crashing driver cannot take the doctor down.
//
// It exits 0 whenever a report was written, also when there is no driver; 2 when called wrongly; 3 when the
// report could not be written.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"cupel/internal/nvml"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stderr))
}

func run(args []string, stderr io.Writer) int {
	options, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	if err := report(options); err != nil {
		fmt.Fprintln(stderr, "cupel-gpu:", err)
		return 3
	}
	return 0
}

func parse(args []string, stderr io.Writer) (nvml.Options, error) {
	var o nvml.Options
	flags := flag.NewFlagSet("cupel-gpu", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.NVML, "nvml", "", "load this `file` as NVML instead of the one the loader finds")
	flags.StringVar(&o.CUDA, "cuda", "", "load this `file` as the CUDA driver library")
	flags.Bool("json", true, "print the report as JSON, the only form there is")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "cupel-gpu: unexpected argument %q\n", flags.Arg(0))
		flags.Usage()
		return o, errors.New("unexpected argument")
	}
	return o, nil
}

// report sets stdout aside before any library is loaded: what a library prints must not get into the JSON.
func report(o nvml.Options) error {
	out, err := setStdoutAside()
	if err != nil {
		return fmt.Errorf("set stdout aside: %w", err)
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(nvml.Report(o)); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
