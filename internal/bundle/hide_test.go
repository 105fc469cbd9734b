package bundle

import (
	"strings"
	"testing"

	"cupel/internal/call"
	"cupel/internal/host"
)

func planted() Input {
	return Input{
		System:  host.System{OS: "linux", Home: "/home/ann", User: "ann", Name: "box-17"},
		Run:     call.Run{OS: "linux", Command: []string{"make", "--token", "wordsix6", "DEPLOY_PASSWORD=wordseven"}},
		Env:     call.Env{Values: map[string]string{"USER": "bob", "HOME": "/srv/people/bob", "HOSTNAME": "node-3"}, Hidden: []string{"MY_DSN"}},
		Environ: []string{"API_TOKEN=wordone1", "MY_DSN=wordtwo2", "INDEX=https://me:wordthree@h/simple", "PIN_KEY=1234", "TYPE_KEY=uint64_t"},
		Call:    call.Call{Begin: call.Begin{Args: []string{"-DTOKEN=wordfour", "-DNAME_KEY=\"word five\"", "-DKEY_TYPE=uint64_t", "-DUSE_AUTH=1"}}},
	}
}

func TestText(t *testing.T) {
	h := newHider(planted())
	for _, tt := range []struct{ name, in, want string }{
		{"home of this machine", "/home/ann/p/k.cu", "/home/user/p/k.cu"},
		{"home of the recorded one", "cd /srv/people/bob/p", "cd /home/user/p"},
		{"home of a third", "/home/carol/x", "/home/user/x"},
		{"user and host", "ann@box-17, bob on node-3", "user@host, user on host"},
		{"user between underscores", "tmp_ann_1 ann_bob", "tmp_user_1 user_user"},
		{"user in another word", "channel bobbin annex", "channel bobbin annex"},
		{"secrets of this shell", "x wordone1 y wordtwo2", "x *** y ***"},
		{"password of an address", "wordthree", "***"},
		{"address with a password", "https://you:else@h/x?sig=1", "https://***@h/x?***"},
		{"secrets of arguments", "wordfour; word five; wordsix6; wordseven", "***; ***; ***; ***"},
		{"assignment", "MY_SECRET=hello -DTOKEN=other2 --password=third", "MY_SECRET=*** -DTOKEN=*** --password=***"},
		{"assignment with blanks", `api_key = "hello"`, "api_key = ***"},
		{"a number is no secret", "PIN_KEY=1234 key=12 MAX_KEYS=16", "PIN_KEY=1234 key=12 MAX_KEYS=16"},
		{"types stay", "-DKEY_TYPE=uint64_t", "-DKEY_TYPE=uint64_t"},
		{"bearer", "Authorization: Bearer abcdefgh12345", "Authorization: *** ***"},
		{"token by its mark", "found ghp_0123456789abcdef0123", "found ***"},
		{"private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nafter", "***\nafter"},
		{"plain", "k.cu(3): error: expected an expression", "k.cu(3): error: expected an expression"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(h.Text([]byte(tt.in))); got != tt.want {
				t.Errorf("Text(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// TestSource: code stays code.
func TestSource(t *testing.T) {
	h := newHider(planted())
	for _, tt := range []struct{ name, in, want string }{
		{"a loop over keys", "for (int key=first; key<last; key++)", "for (int key=first; key<last; key++)"},
		{"a literal", `const char *password = "hello there";`, `const char *password = "***";`},
		{"an array", `char token[] = "hello";`, `char token[] = "***";`},
		{"a macro", `#define API_TOKEN "hello"`, `#define API_TOKEN "***"`},
		{"another literal", `printf("key %d", key);`, `printf("key %d", key);`},
		{"a secret by value", `send("wordone1")`, `send("***")`},
		{"line marker", `# 1 "/home/ann/p/k.cu"`, `# 1 "/home/user/p/k.cu"`},
		{"types stay", "uint64_t k = 1;", "uint64_t k = 1;"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(h.Source([]byte(tt.in))); got != tt.want {
				t.Errorf("Source(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestWords(t *testing.T) {
	h := newHider(planted())
	got := strings.Join(h.Words([]string{"--token", "x1", "-I", "/home/ann/inc", "--keep", "-o", "k.o", "-DUSE_AUTH", "k.cu"}), " ")
	if want := "--token *** -I /home/user/inc --keep -o k.o -DUSE_AUTH k.cu"; got != want {
		t.Errorf("Words = %q, want %q", got, want)
	}
}

// TestNobody: the account of a build image and a machine called gpu are no persons, and words of many texts.
func TestNobody(t *testing.T) {
	in := planted()
	in.System.User, in.System.Name, in.System.Home, in.Env = "runner", "gpu", "/home/runner", call.Env{}
	if got := string(newHider(in).Text([]byte("test runner of /home/runner/work: nvcc --gpu-architecture"))); got != "test runner of /home/user/work: nvcc --gpu-architecture" {
		t.Errorf("Text = %q", got)
	}
}
