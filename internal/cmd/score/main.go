// Command score measures how well failures are explained: it runs the diagnosis, without machine facts, over a
// folder of labelled cases and counts. The folder is in the format of the corpus (JSON files, in it or in its
// folder cases), or holds raw logs and a labels.tsv.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"cupel/internal/diagnose"
	"cupel/internal/signature"
)

func main() {
	asJSON := flag.Bool("json", false, "print the counts and every case as JSON")
	blind := flag.Bool("blind", false, "do not tell the diagnosis which system a case is from (its key os)")
	show := flag.Bool("v", false, "print every case that is not right first")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: score [--json] [--blind] [-v] DIR")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *asJSON, *blind, *show); err != nil {
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(3)
	}
}

func run(dir string, asJSON, blind, show bool) error {
	r, err := score(dir, blind)
	if err != nil {
		return err
	}
	if asJSON {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	r.print(os.Stdout, show)
	return nil
}

// score runs the diagnosis over a folder. Blind, it is not told which system a case is from.
func score(dir string, blind bool) (Result, error) {
	cases, err := readCases(dir)
	if err != nil {
		return Result{}, err
	}
	set, err := signature.Compile(signature.All())
	if err != nil {
		return Result{}, err
	}
	var r Result
	for _, c := range cases {
		seen, err := diagnose.Read(c.open(), set)
		if err != nil {
			return r, fmt.Errorf("case %s: %w", c.ID, err)
		}
		opt := diagnose.Options{Name: c.ID}
		if !blind {
			opt.Platform = c.OS
		}
		r.add(c, diagnose.Judge(seen, opt))
	}
	return r, nil
}
