package expr

import "github.com/dolthub/go-mysql-server/sql"

// functions are asked before go-mysql-server's own.
var functions = map[string]sql.Function{}

// register adds functions of our own.
func register(fns ...sql.Function) {
	for _, f := range fns {
		functions[f.FunctionName()] = f
	}
}

// layer is what surrounds functions of a kind, ours and go-mysql-server's, from the innermost out.
type layer int

const (
	overDates  layer = iota // arguments are read as dates
	overCounts              // arguments are read as whole numbers
	overFlat                // documents among the arguments do not nest too deep
	measuring               // a document or geometry that is made is not too large
	bounding                // any other result is not too large
	manyLayers
)

// surrounding tells of which functions a layer is, and puts it around one of them.
type surrounding struct {
	of   func(name string) bool
	over func(name string, f sql.Function) sql.Function
}

var layers [manyLayers]surrounding

// surround registers a layer.
func surround(l layer, of func(name string) bool, over func(name string, f sql.Function) sql.Function) {
	layers[l] = surrounding{of, over}
}

// families find functions whose names hold more than a name.
var families []func(name string) (sql.Function, bool)

// family registers functions whose names begin alike.
func family(find func(name string) (sql.Function, bool)) { families = append(families, find) }

// Lookup finds a function by its lower-case name. It does not find those of go-mysql-server that
// need nothing of ours.
func Lookup(name string) (sql.Function, bool) {
	f, ok := functions[name]
	for _, l := range layers {
		if !l.of(name) {
			continue
		}
		if f == nil {
			if f, ok = builtin(name); !ok {
				break
			}
		}
		f = l.over(name, f)
	}
	for _, find := range families {
		if !ok {
			f, ok = find(name)
		}
	}
	return f, ok
}
