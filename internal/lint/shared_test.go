package lint

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// registries are filled while packages are initialised or before the first engine is opened, and
// only read afterwards. Caches of pure functions stand here, too: what one engine finds in them
// another would have computed.
var registries = map[string]string{
	"engine/redo.ops":       "redo operations",
	"engine/row.collations": "collations",
	"binlog.charsets":       "character sets",
	"engine/lock.metaNames": "names of metadata locks, a function of schema and table",
	"engine/lock.metaSeed":  "of the hash of that cache",
}

// TestEnginesShareNothing: two engines in one process have no variable in common that one of them
// changes. A variable of a package must be an error, a constant in all but name (it has a value
// that holds no lock, counter or channel), or a pool of memory.
func TestEnginesShareNothing(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test || f.pkg != "binlog" && f.pkg != "engine" && !strings.HasPrefix(f.pkg, "engine/") {
			continue
		}
		for _, d := range f.ast.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				for i, n := range v.Names {
					if n.Name != "_" && registries[f.pkg+"."+n.Name] == "" && changes(v, i) {
						t.Errorf("%s: variable %s: engines in one process would share it", f.fset.Position(n.Pos()), n.Name)
					}
				}
			}
		}
	}
}

// changes tells whether a variable may change: it has no value yet, or one that is made to be
// changed.
func changes(v *ast.ValueSpec, i int) bool {
	if i >= len(v.Values) {
		return true
	}
	text := types.ExprString(v.Values[i])
	if v.Type != nil {
		text += " " + types.ExprString(v.Type)
	}
	if strings.HasPrefix(text, "sync.Pool{") {
		return false
	}
	for _, word := range []string{"sync.", "atomic.", "chan ", "make(", "new(", "invariants."} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
