// Package nvml asks the two libraries of the display driver, NVML and the CUDA driver library, what they know
// of this machine and puts the answers into a fact.GPUReport. It loads real libraries into the process, so only
// the program cupel-gpu imports it: a library that hangs or crashes takes that program down and nothing else.
// It initialises no CUDA, makes no context, and on Linux forbids the libraries to change the machine.
package nvml

import (
	"path/filepath"

	"cupel/internal/fact"
)

// Format is the name and version of the report, see docs/formats/gpu.md.
const Format = "cupel.gpu/1"

// Options name files to load instead of what the loader would find. Empty means the loader's choice.
type Options struct {
	NVML string
	CUDA string
}

// Report loads both libraries and asks them. It always answers: what could not be had is told in the report.
// On Linux the calling thread is restricted for good, so it is called once, by a program that ends after it.
func Report(o Options) fact.GPUReport {
	changeNothing()
	report := fact.GPUReport{Format: Format}
	askNVML(choose(o.NVML, nvmlNames), &report)
	askCUDA(choose(o.CUDA, cudaNames), &report)
	return report
}

// choose makes a given path absolute: a bare file name would otherwise be searched for by the loader, and the
// user meant the file.
func choose(given string, names func() []string) []string {
	if given == "" {
		return names()
	}
	if abs, err := filepath.Abs(given); err == nil {
		return []string{abs}
	}
	return []string{given}
}

// refuse notes the first call that a library refused. Later ones are mostly consequences.
func refuse(answer *fact.LibraryAnswer, err error) {
	if err == nil || answer.Error != "" {
		return
	}
	answer.Code, answer.Error = code(err), err.Error()
}
