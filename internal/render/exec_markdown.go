package render

import (
	"fmt"
	"strings"

	"cupel/internal/diagnose"
	"cupel/internal/finding"
	"cupel/internal/review"
)

// ExecMarkdown is text for an issue: what was run with what, the failing call with its real output, the cause, how to run
// it again, and what its environment had other than the build's.
func ExecMarkdown(a review.Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### cupel exec: %s\n\n", map[bool]string{true: sentenceMD(execEnded(a)), false: "the command succeeded"}[a.Failed()])
	fmt.Fprintf(&b, "- command: %s in %s\n", codeMD(ends(a.Paste(a.Run.Command...), commandShown)), codeMD(a.Run.Dir))
	fmt.Fprintf(&b, "- toolkit: %s\n", sentenceMD(execToolkit(a)))
	machine := a.Machine
	if machine == "" {
		machine = strings.Trim(a.Run.OS+" "+a.Run.Arch, " ")
	}
	fmt.Fprintf(&b, "- machine: %s\n", sentenceMD(fit(machine)))
	fmt.Fprintf(&b, "- calls: %s\n- cupel %s, run %s\n\n", sentenceMD(execCounts(a)), sentenceMD(fit(a.Cupel)), codeMD(a.Run.ID))
	if a.ToldFirst() {
		toldMarkdown(&b, a)
	}
	failingMarkdown(&b, a)
	if !a.ToldFirst() {
		toldMarkdown(&b, a)
	}
	repairsMarkdown(&b, a)
	for _, f := range a.Remarks() {
		remarkMarkdown(&b, f)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// failingMarkdown is the first failing call whole, the others in short.
func failingMarkdown(b *strings.Builder, a review.Answer) {
	listed := 0
	for i, f := range a.Failing {
		if i == 0 && !behind(a, f) {
			callMarkdown(b, a, f)
			continue
		}
		if listed == 0 {
			b.WriteString("Also failed:\n\n")
		}
		if listed == otherShown {
			fmt.Fprintf(b, "- and %d more\n", len(a.Failing)-i)
			break
		}
		listed++
		fmt.Fprintf(b, "- %s\n", sentenceMD(execOther(f)))
	}
	if listed > 0 {
		b.WriteString("\n")
	}
}

// toldMarkdown is what the command's own output says.
func toldMarkdown(b *strings.Builder, a review.Answer) {
	if a.Told != nil && len(a.Told.Findings) > 0 {
		fmt.Fprintf(b, "From %s:\n\n", sentenceMD(fit(a.Told.Log.Name)))
		causeMarkdown(b, *a.Told, a.Told.Findings[0])
		var lines []string
		for _, l := range a.Told.Telling {
			lines = append(lines, l.Text)
		}
		if len(lines) > 0 {
			b.WriteString("Its lines that tell most:\n\n" + fenced(strings.Join(lines, "\n")) + "\n")
		}
	}
}

// execToolkit is the toolkit with the compiler, in words.
func execToolkit(a review.Answer) string {
	t := a.Run.Toolkit
	text := "CUDA " + t.Release
	if t.Nvcc != "" {
		text += ", nvcc " + t.Nvcc
	}
	if a.Run.Compiler != "" {
		text += ", host compiler " + a.Run.Compiler
	}
	return fit(text)
}

func callMarkdown(b *strings.Builder, a review.Answer, f review.Failing) {
	fmt.Fprintf(b, "**Call %s** %s\n\n", codeMD(f.ID), sentenceMD(execHead(f)))
	b.WriteString(fenced(a.Paste("cd", f.Dir)+"\n"+f.Command) + "\n")
	if f.Output == "" {
		b.WriteString("It wrote nothing.\n\n")
	} else {
		b.WriteString("Its output")
		if f.Cut > 0 {
			fmt.Fprintf(b, " (without %s)", count(f.Cut, "line"))
		}
		b.WriteString(":\n\n" + fenced(f.Output) + "\n")
	}
	if len(f.Findings) > 0 {
		causeMarkdown(b, diagnose.Answer{}, f.Findings[0])
	}
	if f.WentOn > 0 {
		b.WriteString("But " + sentenceMD(execWentOn(f)) + ".\n\n")
	}
	for _, v := range f.With {
		fmt.Fprintf(b, "With %s.\n\n", codeMD(ends(v.Name+"="+v.Value, commandShown)))
	}
	if len(f.Env) > 0 {
		b.WriteString("Other in the call than in the build's own environment:\n\n")
		for _, v := range f.Env {
			if v.Unset {
				fmt.Fprintf(b, "- %s is not set\n", codeMD(v.Name))
				continue
			}
			fmt.Fprintf(b, "- %s\n", codeMD(ends(v.Name+"="+v.Value, commandShown)))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "Run again with %s.\n\n", codeMD(f.Replay))
	if len(f.Same) > 0 {
		fmt.Fprintf(b, "The same cause: %s\n\n", sentenceMD(execSame(f.Same)))
	}
}

func repairsMarkdown(b *strings.Builder, a review.Answer) {
	for i, r := range a.Changes {
		if i == 0 {
			b.WriteString("Repairs:\n\n")
		}
		fmt.Fprintf(b, "- %s: %s (%s)", codeMD(r.Fix), sentenceMD(fit(execChange(r))), sentenceMD(fit(r.Why)))
		if r.Permanent != "" {
			b.WriteString("; for good: " + sentenceMD(fit(r.Permanent)))
		}
		b.WriteString("\n")
	}
	if len(a.Changes) > 0 {
		b.WriteString("\n")
	}
}

// remarkMarkdown is a finding whose texts can hold anything that a project's file says.
func remarkMarkdown(b *strings.Builder, f finding.Finding) {
	fmt.Fprintf(b, "**%s** %s: %s\n", severityWord(f.Severity), codeMD(f.ID), sentenceMD(fit(f.What)))
	if f.Where != "" {
		fmt.Fprintf(b, "- where: %s\n", codeMD(f.Where))
	}
	if f.Why != "" {
		fmt.Fprintf(b, "- why: %s\n", sentenceMD(fit(f.Why)))
	}
	for _, n := range f.Next {
		text := sentenceMD(fit(n.Note))
		switch {
		case n.Command != "" && n.Note != "":
			text = codeMD(n.Command) + " (" + text + ")"
		case n.Command != "":
			text = codeMD(n.Command)
		}
		fmt.Fprintf(b, "- next: %s\n", text)
	}
	b.WriteString("\n")
}
