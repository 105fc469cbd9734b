package environ

import (
	"errors"
	"fmt"
	"strings"

	"cupel/internal/pattern"
)

var plainValue = pattern.New(`^[A-Za-z0-9_./:,+@%-]+$`)

// formatDotenv keeps to what all readers of .env files agree on: bare words and single quotes; double quotes
// only where nothing in the value could be taken for an escape or a reference.
func formatDotenv(set Set, old map[string]string) (string, error) {
	var out lines
	for _, v := range set.Vars {
		value, _ := set.final(v, old)
		text, err := quoteDotenv(value)
		if err != nil {
			return "", fmt.Errorf("%s: %w", v.Name, err)
		}
		out.add("%s=%s", v.Name, text)
	}
	return out.String(), nil
}

func quoteDotenv(value string) (string, error) {
	switch {
	case strings.ContainsAny(value, "\n\r"):
		return "", errors.New("a line break cannot be written")
	case plainValue.MatchString(value):
		return value, nil
	case !strings.Contains(value, "'"):
		return "'" + value + "'", nil
	case !strings.ContainsAny(value, "\"\\$`"):
		return `"` + value + `"`, nil
	}
	return "", fmt.Errorf("readers of .env files do not agree how to write %s", value)
}

// formatSystemd writes an EnvironmentFile: no references are replaced in it, and a backslash before " \ $ `
// between double quotes is taken away.
func formatSystemd(set Set, _ map[string]string) (string, error) {
	if set.OS == "windows" {
		return "", errors.New("systemd does not run on Windows")
	}
	var out lines
	out.add("# %s", oneLine(set.Title))
	for _, v := range set.Vars {
		if v.Name == "PATH" {
			continue // the folders alone would take /usr/bin away from the service
		}
		out.add(`%s="%s"`, v.Name, strings.NewReplacer(`"`, `\"`, `\`, `\\`, "$", `\$`, "`", "\\`").Replace(v.Value))
	}
	return out.String(), nil
}

func oneLine(s string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(s) }

// formatGitHub prints commands that append to the files a step of GitHub Actions may write: bash on Linux,
// PowerShell on Windows, the default shells there. The runner puts each line of GITHUB_PATH in front of the
// ones before, and drops repeats, so the first folder is written last.
func formatGitHub(set Set, old map[string]string) (string, error) {
	var out lines
	for _, v := range set.Vars {
		if strings.EqualFold(v.Name, "PATH") {
			for i := len(v.Dirs) - 1; i >= 0; i-- {
				out.add("%s", githubLine(set, v.Dirs[i], "GITHUB_PATH"))
			}
			continue
		}
		value, _ := set.final(v, old)
		if strings.ContainsAny(value, "\n\r") {
			return "", fmt.Errorf("%s has a line break in it", v.Name)
		}
		out.add("%s", githubLine(set, v.Name+"="+value, "GITHUB_ENV"))
	}
	return out.String(), nil
}

func githubLine(set Set, text, file string) string {
	if set.OS == "windows" {
		return fmt.Sprintf("%s | Out-File -FilePath $env:%s -Encoding utf8 -Append", quotePowerShell(text), file)
	}
	return fmt.Sprintf(`printf '%%s\n' %s >> "$%s"`, quoteSh(text), file)
}
