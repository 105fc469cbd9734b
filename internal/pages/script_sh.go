package pages

import (
	"cmp"
	"embed"
	"fmt"
	"strconv"
	"strings"

	"cupel/data"
	"cupel/internal/contract"
)

//go:embed sh/*.sh
var shFiles embed.FS

//go:embed ps1/*.ps1
var ps1Files embed.FS

// body joins the parts of a script that are the same for every contract, in the order of their names.
func body(files embed.FS, dir string) string {
	entries, err := files.ReadDir(dir)
	if err != nil {
		panic(err) // they are part of the program
	}
	var out strings.Builder
	for _, e := range entries {
		text, err := files.ReadFile(dir + "/" + e.Name())
		if err != nil {
			panic(err)
		}
		out.WriteString("\n" + strings.ReplaceAll(string(text), "\r\n", "\n"))
	}
	return out.String()
}

const shIntro = `#!/bin/sh
# %s
# Verifies that this machine meets the CUDA contract of %s, where there is no cupel. The checks and their
# verdicts are those of cupel verify, as far as a shell can make them; what it cannot is told as skipped. It starts
# no process but the usual tools, nvcc, the host compiler and nvidia-smi, and changes nothing.
# shellcheck disable=SC2034 # a value that this contract's templates do not use
`

// shellScript is the stand-alone script for Linux and WSL2.
func shellScript(c *contract.Contract, _ string) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, shIntro, headline(c), oneLine(c.Project.Name))
	out.WriteString(body(shFiles, "sh"))
	table := releasesFor(c, contract.Platform{Name: "linux"})
	shTables(&out, table)
	out.WriteString("\n# ---- the contract, by platform ----\n")
	here, elsewhere := apart(c, "linux", "wsl2", "jetson")
	fmt.Fprintf(&out, "contract() {\n%s}\n\n", cmp.Or(shell.calls(c, here, table), "  :\n"))
	run := "contract"
	if len(elsewhere) > 0 {
		fmt.Fprintf(&out, "elsewhere() { # where the project is not built\n%s}\n\n", shell.calls(c, elsewhere, table))
		run = "case $kind in\n  " + shKinds(elsewhere) + ") elsewhere ;;\n  *) contract ;;\nesac"
	}
	fmt.Fprintf(&out, shMain, run)
	return []byte(out.String())
}

func shTables(out *strings.Builder, table *releaseTable) {
	out.WriteString("\n# ---- tables: releases (release, nvcc, driver floors, host compilers, targets, verdicts), CUDA levels of drivers ----\n")
	out.WriteString("releases() {\n  cat << 'END'\n")
	for _, r := range table.rows {
		out.WriteString(strings.Join(r, "|") + "\n")
	}
	out.WriteString("END\n}\n\nlevels() {\n  cat << 'END'\n")
	for _, l := range levels() {
		out.WriteString(l[0] + "|" + l[1] + "\n")
	}
	out.WriteString("END\n}\n\n# key, capability from which on, value\ndetected_values() {\n  cat << 'END'\n")
	for _, l := range table.detected {
		out.WriteString(strings.Join(l[:], "|") + "\n")
	}
	out.WriteString("END\n}\n\n")
	row, _ := data.VariableByName("NVCC_CCBIN", "linux")
	fmt.Fprintf(out, "ccbin_not_in=%s\nbuilder_crates=%s\n", sh(row.NotIn), sh(strings.Join(builderNames(), " ")))
}

var shell = language{call: shCall, cases: func(list []choiceOf) string {
	var out strings.Builder
	out.WriteString("  case $kind in\n")
	for _, c := range list {
		out.WriteString("    " + strings.Join(c.platforms, " | ") + ") " + strings.TrimSpace(c.call) + " ;;\n")
	}
	return out.String() + "  esac\n"
}}

// shKinds is a pattern of platforms.
func shKinds(all []contract.Platform) string {
	var out []string
	for _, p := range all {
		out = append(out, kindOf(p))
	}
	return strings.Join(out, " | ")
}

func shCall(s step) string {
	text := "  " + s.fn
	for _, w := range s.args {
		text += " " + shWord(w)
	}
	return text + "\n"
}

func shWord(w word) string {
	switch {
	case w.column > 0 && w.detect:
		return `"$(detected "$(row "$release" ` + strconv.Itoa(w.column) + `)")"`
	case w.column > 0:
		return `"$(row "$release" ` + strconv.Itoa(w.column) + `)"`
	case w.parts != nil:
		return shTemplate(w.parts)
	case w.raw:
		return shRaw(w.text)
	}
	return sh(w.text)
}

// shTemplate is empty while a value that it needs is not known.
func shTemplate(parts []part) string {
	needs, text := "", ""
	for _, p := range parts {
		if p.value == "" {
			text += shRaw(p.text)
			continue
		}
		name := shellValues[p.value]
		needs += "${" + name + ":+x}"
		text += `"$` + name + `"`
	}
	if len(parts) == 1 || needs == "" {
		return text
	}
	return `"$(whole ` + strconv.Itoa(strings.Count(needs, "x}")) + ` "` + needs + `" ` + text + `)"`
}

const shMain = `# A script is often called from elsewhere: it works where cupel.toml is, at or above its own place.
home=$(cd "$(dirname "$0")" && pwd) || exit 2
while [ ! -f "$home/cupel.toml" ] && [ "$home" != / ]; do home=$(dirname "$home"); done
if [ -f "$home/cupel.toml" ]; then cd "$home" || exit 2; fi

gather() {
  find_driver
  use_compiler
  set_values
}

platform
kind=$platform${ci:+-ci}
%s
printf '%%s failed, %%s warned\n' "$fails" "$warns"
[ "$fails" = 0 ] && { [ "$strict" = 0 ] || [ "$warns" = 0 ]; }
`
