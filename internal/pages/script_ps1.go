package pages

import (
	"fmt"
	"strconv"
	"strings"

	"cupel/data"
	"cupel/internal/contract"
)

// byteOrderMark: Windows PowerShell 5.1 takes a file without it for one in the code page of the machine.
const byteOrderMark = "\ufeff"

const psIntro = `# %s
# Verifies that this machine meets the CUDA contract of %s, where there is no cupel: Windows PowerShell 5.1 and
# PowerShell 7, no modules. The checks and their verdicts are those of cupel verify, as far as a script can make them; what
# it cannot is told as skipped. Exit code: 0 met, 1 not met, 3 something could not be looked at. -Strict: warnings count.
`

// powerShellScript is the stand-alone script for Windows.
func powerShellScript(c *contract.Contract, _ string) []byte {
	var out strings.Builder
	out.WriteString(byteOrderMark)
	fmt.Fprintf(&out, psIntro, headline(c), oneLine(c.Project.Name))
	out.WriteString(body(ps1Files, "ps1"))
	table := releasesFor(c, contract.Platform{Name: "windows"})
	psTables(&out, table)
	out.WriteString("\n# ---- the contract ----\n")
	here, elsewhere := apart(c, "windows")
	fmt.Fprintf(&out, "function contract {\n%s}\n\n", power.calls(c, append(here, elsewhere...), table))
	out.WriteString(psMain)
	return []byte(out.String())
}

// psTables: a single-quoted here-string ends at a line that begins with '@, and every row begins with a release.
func psTables(out *strings.Builder, table *releaseTable) {
	out.WriteString("\n# ---- tables: releases (release, nvcc, driver floors, host compilers, targets, verdicts), CUDA levels of drivers ----\n")
	out.WriteString("$script:table = @{}\nforeach ($line in (@'\n")
	for _, r := range table.rows {
		out.WriteString(strings.Join(r, "|") + "\n")
	}
	out.WriteString("'@).Split(\"`n\")) {\n    $cells = @($line.TrimEnd().Split('|'))\n    $script:table[$cells[0]] = $cells\n}\n$script:levels = @(")
	out.WriteString(psList(levels(), func(l [2]string) string { return l[0] + "|" + l[1] }))
	out.WriteString(")\n# key, capability from which on, value\n$script:detected_values = @(")
	out.WriteString(psList(table.detected, func(l [3]string) string { return strings.Join(l[:], "|") }))
	row, _ := data.VariableByName("NVCC_CCBIN", "windows")
	var crates []string
	for _, n := range builderNames() {
		crates = append(crates, ps(n))
	}
	fmt.Fprintf(out, ")\n$script:ccbin_not_in = %s\n$script:builder_crates = @(%s)\n", ps(row.NotIn), strings.Join(crates, ", "))
}

func psList[T any](list []T, text func(T) string) string {
	var out []string
	for _, l := range list {
		out = append(out, ps(text(l)))
	}
	return strings.Join(out, ", ")
}

var power = language{call: psCall, cases: func(list []choiceOf) string {
	var out strings.Builder
	out.WriteString("    switch ($script:kind) {\n")
	for _, c := range list {
		for _, p := range c.platforms {
			out.WriteString("        '" + p + "' { " + strings.TrimSpace(c.call) + " }\n")
		}
	}
	return out.String() + "    }\n"
}}

func psCall(s step) string {
	text := "    " + s.fn
	for _, w := range s.args {
		text += " " + psWord(w)
	}
	return text + "\n"
}

func psWord(w word) string {
	switch {
	case w.column > 0 && w.detect:
		return "(detected (row $script:release " + strconv.Itoa(w.column) + "))"
	case w.column > 0:
		return "(row $script:release " + strconv.Itoa(w.column) + ")"
	case w.parts != nil:
		text := "(filled"
		for _, p := range w.parts {
			if p.value != "" {
				text += " $script:" + shellValues[p.value]
			} else {
				text += " " + psRaw(p.text)
			}
		}
		return text + ")"
	case w.raw:
		return psRaw(w.text)
	}
	return ps(w.text)
}

const psMain = `# A script is often called from elsewhere: it works where cupel.toml is, at or above its own place.
$before = Get-Location
$place = parent $MyInvocation.MyCommand.Path
while ($place -and -not (is_file (below $place 'cupel.toml'))) { $place = parent $place }
if ($place -match ':$') { $place += '\' }
if ($place) { Set-Location -LiteralPath $place }

$ci = ($As -eq 'ci')
if (-not $As) {
    foreach ($name in 'GITHUB_ACTIONS', 'GITLAB_CI', 'BUILDKITE', 'CIRCLECI', 'TF_BUILD', 'JENKINS_URL', 'CI') {
        $value = variable $name
        if ($value -and $value -ne 'false' -and $value -ne '0') { $ci = $true }
    }
}
$script:kind = 'windows'
if ($ci) { $script:kind = 'windows-ci' }
contract
Set-Location -LiteralPath $before.Path
Write-Output ('{0} failed, {1} warned' -f $script:fails, $script:warns)
if ($script:fails -gt 0 -or ($Strict -and $script:warns -gt 0)) { exit 1 }
exit 0
`
