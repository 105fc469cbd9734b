package project

import (
	"strings"

	"cupel/internal/contract"
	"cupel/internal/pattern"
)

var (
	cudaImage = pattern.New(`\bnvidia/cuda:([0-9]+\.[0-9]+(?:\.[0-9]+)?)(-cudnn[0-9]*)?[-\w.]*`)
	dockerArg = pattern.New(`^\s*ARG\s+([A-Za-z_][A-Za-z0-9_]*)=["']?([\w.:/-]+)["']?\s*$`)
	dockerRef = pattern.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([\w.-]*))?\}|\$([A-Za-z_][A-Za-z0-9_]*)`)
	dockerEnv = pattern.New(`^\s*(?:ARG|ENV)\s+(TORCH_CUDA_ARCH_LIST|CUDA_COMPUTE_CAP|CUDAARCHS|CMAKE_CUDA_ARCHITECTURES)[= ]["']?([\w.;+ -]+?)["']?\s*$`)
)

// dockerClues: an image that the project is built in shows a release that works.
func dockerClues(f *clueFile) {
	args := map[string]string{}
	for i, line := range strings.Split(hashText.blank(f.text), "\n") {
		if m := dockerArg.FindStringSubmatch(line); m != nil {
			args[m[1]] = m[2]
		}
		if m := dockerEnv.FindStringSubmatch(line); m != nil {
			f.add("arch.targets", archWords(m[2]), i+1, "of an image")
		}
		if fields := strings.Fields(line); len(fields) > 1 && strings.EqualFold(fields[0], "FROM") {
			f.image(expandArgs(line, args), i+1)
		}
	}
}

func expandArgs(line string, args map[string]string) string {
	return dockerRef.ReplaceAllStringFunc(line, func(ref string) string {
		m := dockerRef.FindStringSubmatch(ref)
		if v, ok := args[m[1]+m[3]]; ok {
			return v
		}
		return m[2]
	})
}

func (f *clueFile) image(line string, n int) {
	if m := cudaImage.FindStringSubmatch(line); m != nil {
		f.add("toolkit.recommended", m[1], n, "")
		if m[2] != "" {
			f.add("components.cudnn", "any", n, "the image has it")
		}
	}
}

var (
	workflowRelease = pattern.New(`(?i)^\s*-?\s*["']?(?:cuda|cuda[-_]version|cuda[-_]toolkit|cuda[-_]toolkit[-_]version|cuda[-_]versions)["']?\s*:\s*(.+)$`)
	workflowNumber  = pattern.New(`\b[0-9]+\.[0-9]+(?:\.[0-9]+)?\b`)
	workflowArchs   = pattern.New(`(?i)\b(TORCH_CUDA_ARCH_LIST|CUDA_COMPUTE_CAP|CUDAARCHS)\s*:\s*["']?([\w.;+ -]+?)["']?\s*$`)
)

// workflowClues: releases that CI builds with are verified ones.
func workflowClues(f *clueFile) {
	for i, line := range strings.Split(hashText.blank(f.text), "\n") {
		if m := workflowRelease.FindStringSubmatch(line); m != nil && !strings.Contains(m[1], "${{") {
			for _, v := range workflowNumber.FindAllString(m[1], 16) {
				if new(contract.Release).UnmarshalText([]byte(v)) == nil { // else the number of something else: ubuntu 22.04
					f.add("toolkit.max-verified", v, i+1, "")
				}
			}
		}
		for _, m := range cudaImage.FindAllStringSubmatch(line, 8) {
			f.add("toolkit.max-verified", m[1], i+1, "")
		}
		if m := workflowArchs.FindStringSubmatch(line); m != nil {
			f.add("arch.targets", archWords(m[2]), i+1, "of a CI run")
		}
	}
}
