package pattern_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cupel/internal/pattern"
)

func TestPattern(t *testing.T) {
	p := pattern.New(`^(?P<major>\d+)\.(\d+)$`)
	var all sync.WaitGroup
	for range 8 { // the first use may be many at once
		all.Go(func() {
			if got := p.FindStringSubmatch("12.4"); len(got) != 3 || got[1] != "12" || got[2] != "4" {
				t.Errorf("FindStringSubmatch = %q", got)
			}
		})
	}
	all.Wait()
	if p.MatchString("12") || p.SubexpIndex("major") != 1 || p.String() != `^(?P<major>\d+)\.(\d+)$` {
		t.Errorf("%s matches 12, or its group is %d", p, p.SubexpIndex("major"))
	}
}

func TestCompile(t *testing.T) {
	if p, err := pattern.Compile(`^a.c$`); err != nil || !p.MatchString("abc") || p.MatchString("ab") {
		t.Errorf("Compile(^a.c$) = %v, %v", p, err)
	}
	if p, err := pattern.Compile(`a(`); err == nil {
		t.Errorf("Compile(a() = %v, want an error", p)
	}
}

// TestEveryPattern: a mistake in an expression of the program is found here, not at its first use.
func TestEveryPattern(t *testing.T) {
	seen := 0
	for name, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok || !called(c, "pattern", "New") {
				return true
			}
			if expr, err := strconv.Unquote(argument(c)); err == nil {
				seen++
				if _, err := regexp.Compile(expr); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			return true
		})
	}
	if seen < 200 {
		t.Errorf("%d expressions were found, want the hundreds of the program", seen)
	}
}

// TestNoneAtTheStart: no package variable is a compiled expression.
func TestNoneAtTheStart(t *testing.T) {
	for name, file := range sources(t) {
		for _, d := range file.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl, *ast.FuncLit:
					return false
				case *ast.CallExpr:
					if called(n, "regexp", "MustCompile") {
						t.Errorf("%s compiles %s whenever the program starts: write pattern.New", name, argument(n))
					}
				}
				return true
			})
		}
	}
}

// sources are the program's files without its tests.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	for _, dir := range []string{"../../cmd", "../../data", "../../internal"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files[path], err = parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func called(c *ast.CallExpr, pkg, name string) bool {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == pkg
}

// argument is the first argument where it is a literal.
func argument(c *ast.CallExpr) string {
	if len(c.Args) == 0 {
		return ""
	}
	if lit, ok := c.Args[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
		return lit.Value
	}
	return ""
}
