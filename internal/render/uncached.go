package render

import (
	"strings"

	"cupel/internal/recipe"
)

// UncachedText is a reason in words; empty: it is not known here.
func UncachedText(slug string) string {
	if text := recipe.Explain(slug); text != "" {
		return text
	}
	return uncachedTexts[slug]
}

// uncached is the reason of a step, "slug: detail", in words. What is no slug is in words already.
func uncached(reason string) string {
	slug, detail, _ := strings.Cut(reason, ": ")
	text := UncachedText(slug)
	switch {
	case text == "":
		return reason
	case detail == "":
		return text
	}
	return text + ": " + detail
}

// uncachedTexts are the reasons that only a machine or a compilation shows, in words.
var uncachedTexts = map[string]string{
	"vanished":                    "a file that was read is not there any more",
	"changed-meanwhile":           "a file, or a folder in which a name was looked for, changed while it was compiled, or has a time in the future",
	"unreadable":                  "a file that was read cannot be read again",
	"too-large":                   "a file that was read is too large",
	"uses-date":                   "it uses __DATE__ or __TIME__; SOURCE_DATE_EPOCH would declare them",
	"uses-timestamp":              "it uses __TIMESTAMP__",
	"lines-of-another-file":       "#line names a file whose lines get into device code (-lineinfo, -G)",
	"embeds-file":                 "it puts a file into the code (.incbin, #embed)",
	"trigraphs":                   "it has ??= or ??/, which old C++ takes for # and a backslash",
	"includes-macro":              "a header that the host compiler alone reads includes a macro",
	"included-name-unknown":       "a macro is included, and by which name a file was found cannot be told",
	"precompiled-folder":          "a folder stands where a precompiled header could",
	"asks-for-macro":              "it asks __has_include for a macro",
	"no-room":                     "there is no place for nvcc's files",
	"linker-option":               "a word for the linker may name a file that no account tells of",
	"nothing-kept":                "nvcc left none of its files on the way",
	"same-call-running":           "another process makes the same call with -g",
	"arguments-too-long":          "its arguments are too long for the system",
	"tools-unreadable":            "a program of the toolkit or the compiler cannot be read",
	"nvcc-missing":                "nvcc is not there",
	"nvcc-is-a-script":            "nvcc is a script",
	"nvcc-is-another-program":     "nvcc is another program under its name",
	"output-read-only":            "its output is there and may not be written",
	"outside-code-page":           "its source or output has letters that the system's code page does not have",
	"nvcc-profile-unclear":        "nvcc.profile says something that is not understood",
	"nvcc-profile-names-compiler": "nvcc.profile names a host compiler",
	"nvcc-target-unclear":         "the toolkit has several targets",
	"host-compiler-missing":       "the host compiler is not found",
	"host-compiler-is-a-script":   "the host compiler is a script",
	"host-compiler-is-a-wrapper":  "the host compiler is a wrapper (ccache and the like)",
	"host-compiler-unknown":       "the host compiler is none that is known",
	"host-compiler-says-nothing":  "the host compiler does not answer",
	"host-compiler-incomplete":    "a part of the host compiler is missing",
	"variable-set-twice":          "a variable is set twice",
}
