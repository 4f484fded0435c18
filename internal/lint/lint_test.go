package lint

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	module   = "emberdb/"
	maxLines = 800
)

// ladder orders the rooms: a package imports only rooms on lower rungs, or packages of its own
// room. Rooms on one rung do not know each other.
var ladder = [][]string{
	{"internal/base", "internal/invariants", "internal/warmexe", "internal/quota", "internal/namedrows", "internal/libm"},
	{"internal/vfs", "internal/options", "internal/keep", "internal/compressed", "sql/charset", "sql/locale"},
	{"internal/testkit", "internal/handover"},
	{"engine/pagefile", "engine/redo"},
	{"engine/buffer"},
	{"engine/space"},
	{"engine/btree"},
	{"engine/lock"},
	{"engine/row"},
	{"engine/catalog"},
	{"binlog"},
	{"engine/txn"},
	{"engine/table"},
	{"engine/dict"},
	{"engine/recovery", "engine/warm", "engine/hotset"},
	{"engine"},
	{"backup", "replication", "inspect"},
	{"sql/token"},
	{"sql/ast"},
	{"sql/parse", "sql/effect", "sql/explain"},
	{"sql/resolve"},
	{"sql/statement", "sql/partition"},
	{"sql/types"},
	{"sql/fn", "sql/histogram"},
	{"sql/bind"},
	{"sql/exec"},
	{"sql/plan"},
	{"account", "perfschema"},
	{"sqllayer"},
	{"compiled"},
	{"dashboard", "metrics"},
	{"server"},
	{"bench"},
	{"tests"},
	{"cmd", "packaging"},
}

// narrower lists rooms that may import less than the ladder allows: of the project, only what is
// named.
var narrower = map[string][]string{
	"engine/lock": {"internal/base", "internal/invariants"},
	"engine/row":  {"internal/base", "internal/invariants"},
	"sql/token":   {},
	"sql/ast":     {"sql/token"},
	"sql/parse":   {"sql/token", "sql/ast"},
	"sql/effect":  {"sql/ast"},
	"account":     {"sql/token", "sql/ast", "sql/parse"},
	"bench":       {},
	"perfschema":  {"internal/vfs", "sql/token"},
	"tests":       {"bench", "tests"},
}

// inner lists, for rooms of several packages, what of its own room each package below may import.
// The package that has the room's name may import all of them; only those that name it import it.
// A package that is named stands for those below it, and may itself import these.
var inner = map[string][]string{
	"server/options":      {},
	"server/resultset":    {"server/wire"},
	"server/virtual":      {},
	"server/backend":      {"server/options", "server/version", "server/virtual"},
	"server/certs":        {"server/options"},
	"server/clones":       {"server/sysvar"},
	"server/commands":     {},
	"server/grants":       {"server/virtual"},
	"server/logs":         {},
	"server/perftables":   {"server/commands", "server/virtual"},
	"server/sources":      {"server/sysvar"},
	"server/sysvar":       {"server/options"},
	"server/version":      {},
	"server/wireparam":    {"server/wire"},
	"server/wire":         {},
	"sqllayer/collation":  {},
	"sqllayer/fts":        {},
	"sqllayer/wkt":        {},
	"sqllayer/geometry":   {"sqllayer/wkt"},
	"sqllayer/xpath":      {},
	"sqllayer/jsonschema": {},
	"sqllayer/lower":      {"sqllayer/expr"},
	"sqllayer/rules":      {},

	"sqllayer/expr/operand":   {"sqllayer/geometry"},
	"sqllayer/expr/numbers":   {"sqllayer/expr/operand"},
	"sqllayer/expr/texts":     {"sqllayer/expr/operand"},
	"sqllayer/expr/documents": {"sqllayer/expr/operand", "sqllayer/geometry", "sqllayer/jsonschema"},
	"sqllayer/expr/temporal":  {"sqllayer/expr/operand", "sqllayer/expr/numbers"},
	"sqllayer/expr/spatial":   {"sqllayer/expr/operand", "sqllayer/expr/numbers", "sqllayer/geometry", "sqllayer/srs"},
	"sqllayer/expr/aggregate": {"sqllayer/expr/operand", "sqllayer/expr/numbers"},
	"sqllayer/expr/window":    {"sqllayer/expr/operand", "sqllayer/expr/numbers", "sqllayer/expr/aggregate"},
	"sqllayer/expr/compare":   {"sqllayer/expr/operand", "sqllayer/expr/numbers", "sqllayer/expr/temporal"},
	"sqllayer/expr/vectors":   {"sqllayer/expr/operand"},
	"sqllayer/expr/xmlvalue":  {"sqllayer/expr/operand", "sqllayer/expr/numbers", "sqllayer/expr/compare", "sqllayer/xpath"},
	"sqllayer/expr":           {"sqllayer/geometry", "sqllayer/xpath"},

	"sqllayer/sqlerr":       {},
	"sqllayer/sqlmode":      {"sqllayer/sqlerr"},
	"sqllayer/srs":          {"sqllayer/sqlerr", "sqllayer/wkt"},
	"sqllayer/memory":       {"sqllayer/sqlerr"},
	"sqllayer/store":        {"sqllayer/collation", "sqllayer/expr", "sqllayer/geometry", "sqllayer/sqlerr"},
	"sqllayer/multivalued":  {"sqllayer/expr", "sqllayer/sqlerr", "sqllayer/store"},
	"sqllayer/tabledef":     {"sqllayer/expr", "sqllayer/fts", "sqllayer/lower", "sqllayer/multivalued", "sqllayer/sqlerr", "sqllayer/store"},
	"sqllayer/library":      {"sqllayer/expr", "sqllayer/geometry", "sqllayer/sqlerr"},
	"sqllayer/sessionstate": {"sqllayer/expr", "sqllayer/geometry"},
	"sqllayer/trees":        {"sqllayer/expr", "sqllayer/lower", "sqllayer/rules", "sqllayer/sqlerr", "sqllayer/sqlmode", "sqllayer/tabledef"},
	"sqllayer/programs":     {"sqllayer/expr", "sqllayer/library", "sqllayer/lower", "sqllayer/memory", "sqllayer/sqlerr", "sqllayer/store", "sqllayer/trees"},
	// Above the package sqllayer:
	"sqllayer/infoschema": {"sqllayer", "sqllayer/expr", "sqllayer/fts", "sqllayer/memory", "sqllayer/programs", "sqllayer/sqlerr", "sqllayer/sqlmode", "sqllayer/srs", "sqllayer/store", "sqllayer/tabledef"},
	"sqllayer/plandesc":   {"sqllayer", "sqllayer/expr", "sqllayer/tabledef"},
	"sqllayer/run": {"sqllayer", "sqllayer/expr", "sqllayer/infoschema", "sqllayer/lower", "sqllayer/memory", "sqllayer/plandesc", "sqllayer/programs",
		"sqllayer/sqlerr", "sqllayer/store", "sqllayer/tabledef", "sqllayer/trees"},
	"sqllayer/planner": {"sqllayer", "sqllayer/collation", "sqllayer/expr", "sqllayer/infoschema", "sqllayer/lower", "sqllayer/rules", "sqllayer/run",
		"sqllayer/sqlerr", "sqllayer/store", "sqllayer/tabledef", "sqllayer/trees"},
}

// roomOf finds a package's room and rung. Packages below a room belong to it, except below engine,
// where each is a room of its own and must be on the ladder.
func roomOf(pkg string) (room string, rung int) {
	for i, rooms := range ladder {
		for _, r := range rooms {
			if pkg == r || r != "engine" && strings.HasPrefix(pkg, r+"/") {
				return r, i
			}
		}
	}
	return "", 0
}

// forbiddenImports are the packages outside of the project that a room must not know.
var forbiddenImports = []struct{ room, prefix, why string }{
	{"engine", "github.com/dolthub/", "the engine knows no SQL layer"},
	{"engine", "net", "the engine knows no sockets"},
	{"internal/base", "github.com/", "base stands on the standard library"},
}

// fileCalls are the functions of package os that touch files. Rooms below the server go through
// internal/vfs.
var fileCalls = map[string]bool{
	"Chmod": true, "Chtimes": true, "Create": true, "CreateTemp": true, "Link": true, "Lstat": true, "Mkdir": true,
	"MkdirAll": true, "MkdirTemp": true, "NewFile": true, "Open": true, "OpenFile": true, "OpenRoot": true, "ReadDir": true,
	"ReadFile": true, "Remove": true, "RemoveAll": true, "Rename": true, "Stat": true, "Symlink": true, "Truncate": true,
	"WriteFile": true, "DirFS": true,
}

var vfsOnly = []string{"engine", "binlog", "backup", "replication"}

// forbiddenWords mark unfinished work. Split, so that this file is not found.
var forbiddenWords = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b|(?i)not ` + `implemented`)

type goFile struct {
	path string // from the project's root
	pkg  string // its directory
	test bool
	src  []byte
	ast  *ast.File
	fset *token.FileSet
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	_, err = os.Stat(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	return dir
}

// walk calls f for every file of the project, leaving out what is not source.
func walk(t *testing.T, f func(path string)) {
	t.Helper()
	dir := root(t)
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch rel {
			case ".git", ".cache", "bin", "data", "node_modules":
				return fs.SkipDir
			}
			return nil
		}
		f(rel)
		return nil
	}))
}

var parsed []*goFile // by the first test that asks

func goFiles(t *testing.T) (files []*goFile) {
	t.Helper()
	if parsed != nil {
		return parsed
	}
	dir := root(t)
	walk(t, func(path string) {
		if filepath.Ext(path) != ".go" {
			return
		}
		src, err := os.ReadFile(filepath.Join(dir, path))
		require.NoError(t, err)
		f := &goFile{path: path, pkg: filepath.ToSlash(filepath.Dir(path)), test: strings.HasSuffix(path, "_test.go"),
			src: src, fset: token.NewFileSet()}
		f.ast, err = parser.ParseFile(f.fset, path, src, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, f)
	})
	require.NotEmpty(t, files)
	parsed = files
	return files
}

func (f *goFile) imports() []string {
	var out []string
	for _, i := range f.ast.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			panic(err) // the parser accepted it
		}
		out = append(out, path)
	}
	return out
}

// mayImport reports whether package from may import package to, both of the project.
func mayImport(from, to string) bool {
	fromRoom, fromRung := roomOf(from)
	toRoom, toRung := roomOf(to)
	if fromRoom == "" || toRoom == "" {
		return false
	}
	if fromRoom == toRoom {
		return from == fromRoom || fromRoom != "server" && fromRoom != "sqllayer" || mayImportInside(from, to)
	}
	if allowed, ok := narrower[fromRoom]; ok {
		for _, a := range allowed {
			if toRoom == a {
				return true
			}
		}
		return false
	}
	return toRung < fromRung
}

// mayImportInside reports the same of two packages below one room.
func mayImportInside(from, to string) bool {
	if strings.HasPrefix(to, from+"/") {
		return true
	}
	for _, a := range inner[from] {
		_, named := inner[to]
		if to == a || named && strings.HasPrefix(to, a+"/") && !strings.HasPrefix(from, a+"/") {
			return true
		}
	}
	return false
}

func TestImportsPointDown(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test || strings.HasPrefix(f.pkg, "internal/lint") {
			continue
		}
		if room, _ := roomOf(f.pkg); room == "" {
			t.Errorf("%s: package %s has no place on the ladder", f.path, f.pkg)
			continue
		}
		for _, path := range f.imports() {
			if to, ok := strings.CutPrefix(path, module); ok && !mayImport(f.pkg, to) {
				t.Errorf("%s: %s must not import %s", f.path, f.pkg, to)
			}
			for _, rule := range forbiddenImports {
				inRoom := f.pkg == rule.room || strings.HasPrefix(f.pkg, rule.room+"/")
				if inRoom && (path == rule.prefix || strings.HasPrefix(path, strings.TrimSuffix(rule.prefix, "/")+"/")) {
					t.Errorf("%s: imports %s: %s", f.path, path, rule.why)
				}
			}
		}
	}
}

// TestLadder pins the promises of the ladder that are easy to lose.
func TestLadder(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"engine/buffer", "engine/redo", true},
		{"engine/redo", "engine/pagefile", false},
		{"engine/pagefile", "engine/redo", false},
		{"engine/btree", "engine/txn", false},
		{"engine/lock", "internal/vfs", false},
		{"engine/lock", "internal/base", true},
		{"engine/table", "engine", false},
		{"engine", "engine/table", true},
		{"sqllayer", "engine", true},
		{"engine", "sqllayer", false},
		{"bench/tpcc", "engine", false},
		{"bench/tpcc", "bench", true},
		{"server", "server/wire", true},
		{"server/wire", "server", false},
		{"server/wire", "server/resultset", false},
		{"cmd/emberd", "server", true},
		{"engine/unheard-of", "internal/base", false},
		{"elsewhere", "internal/base", false},
	} {
		require.Equal(t, c.want, mayImport(c.from, c.to), "%s -> %s", c.from, c.to)
	}
}

func TestFilesGoThroughVFS(t *testing.T) {
	for _, f := range goFiles(t) {
		below := false
		for _, room := range vfsOnly {
			below = below || f.pkg == room || strings.HasPrefix(f.pkg, room+"/")
		}
		if f.test || !below {
			continue
		}
		for _, path := range f.imports() {
			if path == "io/ioutil" || path == "syscall" {
				t.Errorf("%s: imports %s", f.path, path)
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "os" && x.Obj == nil && fileCalls[sel.Sel.Name] {
				t.Errorf("%s: os.%s: file work goes through internal/vfs", f.fset.Position(sel.Pos()), sel.Sel.Name)
			}
			return true
		})
	}
}

func TestEveryPackageHasADocComment(t *testing.T) {
	documented, where := map[string]bool{}, map[string]string{}
	for _, f := range goFiles(t) {
		if !f.test {
			where[f.pkg] = f.path
			documented[f.pkg] = documented[f.pkg] || f.ast.Doc != nil
		}
	}
	for pkg, path := range where {
		if !documented[pkg] {
			t.Errorf("package %s (%s) has no doc comment", pkg, path)
		}
	}
}

func TestFileSize(t *testing.T) {
	for _, f := range goFiles(t) {
		if n := bytes.Count(f.src, []byte("\n")); !f.test && n > maxLines {
			t.Errorf("%s: %d lines, at most %d", f.path, n, maxLines)
		}
	}
}

func TestFormatted(t *testing.T) {
	for _, f := range goFiles(t) {
		want, err := format.Source(f.src)
		require.NoError(t, err)
		if !bytes.Equal(want, f.src) {
			t.Errorf("%s: gofmt would change it", f.path)
		}
	}
}

func TestNothingUnfinished(t *testing.T) {
	dir := root(t)
	walk(t, func(path string) {
		switch filepath.Ext(path) {
		case ".go", ".md", ".sh", ".py", ".js", ".java", ".yml", ".txt", "":
		default:
			return
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		require.NoError(t, err)
		for i, line := range bytes.Split(text, []byte("\n")) {
			if m := forbiddenWords.Find(line); m != nil {
				t.Errorf("%s:%d: %s", path, i+1, m)
			}
		}
	})
}

// testWaits are ways to wait in a test that end with a time of the test's own choice, which some
// machine does not keep. The condition of testify's runs on another goroutine, too, where it cannot
// end the test.
var testWaits = regexp.MustCompile(`\b(require|assert)\.(Eventually|EventuallyWithT|WithinDuration)f?\(`)

func TestTestsWaitForStates(t *testing.T) {
	for _, f := range goFiles(t) {
		if !f.test || strings.HasPrefix(f.pkg, "internal/lint") {
			continue
		}
		for i, line := range bytes.Split(f.src, []byte("\n")) {
			if m := testWaits.Find(line); m != nil {
				t.Errorf("%s:%d: %s: testkit.Eventually waits for a state on a machine of any speed", f.path, i+1, m)
			}
		}
	}
}
