package call

import (
	"slices"
	"strings"
)

// secretWords are the parts of names (between underscores) behind which programs keep what nobody else may read. A name
// that only looks like one loses nothing: replay takes its value from the current environment.
var secretWords = []string{
	"TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWORDS", "PASSWD", "PASSPHRASE", "PASS", "PWD", "CREDENTIAL", "CREDENTIALS", "CREDS",
	"APIKEY", "ACCESSKEY", "ACCOUNTKEY", "SECRETKEY", "PRIVATEKEY", "KEY", "KEYS", "AUTH", "AUTHORIZATION", "COOKIE", "PAT", "JWT", "BEARER", "SIGNATURE", "DSN", "WEBHOOK", "PRIVATE",
}

// openNames have such a part and hold no secret.
var openNames = []string{"PWD", "OLDPWD", "JOBSERVER-AUTH"}

// secretValues are the beginnings of tokens that their makers marked as such.
var secretValues = []string{"ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "hf_", "pypi-", "npm_", "AKIA", "ASIA", "xoxb-", "xoxp-", "sk-", "eyJ", "-----BEGIN "}

// Secret says that the value of a variable may not be written down.
func Secret(name, value string) bool { return secretName(name) || secretValue(value) || assigns(value) }

func secretName(name string) bool {
	upper := strings.ToUpper(name)
	for _, open := range openNames {
		if upper == open {
			return false
		}
	}
	for part := range strings.FieldsFuncSeq(upper, func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		for _, w := range secretWords {
			if part == w || len(w) > 4 && strings.HasSuffix(part, w) {
				return true
			}
		}
	}
	return false
}

func secretValue(value string) bool {
	for _, begin := range secretValues {
		if strings.HasPrefix(value, begin) {
			return true
		}
	}
	return loggedIn(value) || authorizes(value)
}

// authorizes: the value has a header of a request in it, as git and curl take it.
func authorizes(value string) bool {
	lower := strings.ToLower(value)
	return strings.Contains(lower, "authorization:") || strings.HasPrefix(lower, "bearer ") || strings.HasPrefix(lower, "basic ")
}

// assigns: a word of the value gives a secret its value, as make hands variables on in MAKEFLAGS.
func assigns(value string) bool {
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ' ' || r == '\t' || r == ';' || r == '&' || r == '\x1f' }) {
		if secretIn([]string{word}, 0) != "" {
			return true
		}
	}
	return false
}

// loggedIn: an address in the value has a password in it (https://user:word@host).
func loggedIn(value string) bool {
	for {
		i := strings.Index(value, "://")
		if i < 0 {
			return false
		}
		value = value[i+3:]
		host := value
		if j := strings.IndexAny(host, "/ \t\n'\""); j >= 0 {
			host = host[:j]
		}
		if at := strings.LastIndexByte(host, '@'); at > 0 && host[:at] != "git" {
			return true
		}
	}
}

// hidden stands for a value that is not shown.
const hidden = "***"

// Shown is a command line as others may see it: -DAPI_TOKEN=… and the word behind --token without their values, addresses
// without their passwords. The record keeps them: a call could not be replayed without.
func Shown(args []string) []string {
	out := make([]string, len(args))
	for i := range args {
		value := secretIn(args, i)
		out[i] = args[i][:len(args[i])-len(value)]
		if value != "" {
			out[i] += hidden
		}
	}
	return out
}

// SecretsOf are the values that Shown leaves out.
func SecretsOf(args []string) []string {
	var out []string
	for i := range args {
		if value := secretIn(args, i); value != "" {
			out = append(out, value)
		}
	}
	return out
}

// secretIn is the end of an argument that is a secret: what stands behind NAME= (-DNAME=, -DNAME:STRING=, -Xcompiler=-DNAME=),
// or the whole of it.
func secretIn(args []string, i int) string {
	arg := args[i]
	for at, c := range arg {
		if c == '=' && at+1 < len(arg) && secretName(nameBefore(arg[:at])) && !loggedIn(arg[:at]) {
			return arg[at+1:]
		}
	}
	if SecretWord(args, i) || secretValue(arg) {
		return arg
	}
	return ""
}

// nameBefore is the name at the end of a text that stands before an =.
func nameBefore(text string) string {
	if at := strings.LastIndexByte(text, ':'); at >= 0 && strings.Trim(text[at+1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		text = text[:at] // the type that CMake lets people write: STRING, FILEPATH
	}
	begin := len(text)
	for begin > 0 && (text[begin-1] == '_' || text[begin-1] == '-' || text[begin-1] == '.' || text[begin-1] >= '0' && text[begin-1] <= '9' || text[begin-1]|0x20 >= 'a' && text[begin-1]|0x20 <= 'z') {
		begin--
	}
	name := text[begin:]
	if strings.HasPrefix(name, "-D") {
		return name[2:]
	}
	return strings.TrimLeft(name, "-")
}

// SecretWord says that an argument is a secret by the option before it: --token abc.
func SecretWord(args []string, i int) bool {
	return i > 0 && !strings.HasPrefix(args[i], "-") && secretOption(args[i-1])
}

// secretOption: the next argument is a secret (--deploy-token, -password, -api-key). With one dash it must be the whole name:
// -DUSE_AUTH and -lsecret are a compiler's own, and a file may follow.
func secretOption(arg string) bool {
	if name, ok := strings.CutPrefix(arg, "--"); ok {
		return !strings.Contains(name, "=") && secretName(strings.TrimLeft(name, "-"))
	}
	name, ok := strings.CutPrefix(arg, "-")
	return ok && name == strings.ToLower(name) && slices.Contains(secretWords, strings.ToUpper(strings.ReplaceAll(name, "-", "")))
}
