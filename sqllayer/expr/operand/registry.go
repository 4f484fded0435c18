package operand

import "github.com/dolthub/go-mysql-server/sql"

// Functions are asked before go-mysql-server's own.
var Functions = map[string]sql.Function{}

// Register adds functions of our own. Each has one definition.
func Register(fns ...sql.Function) {
	for _, f := range fns {
		if _, ok := Functions[f.FunctionName()]; ok {
			panic("two functions of the name " + f.FunctionName())
		}
		Functions[f.FunctionName()] = f
	}
}

// layer is what surrounds functions of a kind, ours and go-mysql-server's, from the innermost out.
type layer int

const (
	takingTexts layer = iota // arguments are texts as MySQL writes them
	makingTexts              // a text that is made has the collation of what it is made of
	OverDates                // arguments are read as dates
	OverCounts               // arguments are read as whole numbers
	OverFlat                 // documents among the arguments do not nest too deep
	OverMembers              // arguments of JSON functions that are texts, and names of members
	Measuring                // a document or geometry that is made is not too large
	Bounding                 // any other result is not too large
	OverVectors              // vectors among the arguments are refused
	manyLayers
)

// surrounding tells of which functions a layer is, and puts it around one of them.
type surrounding struct {
	of   func(name string) bool
	over func(name string, f sql.Function) sql.Function
}

var layers [manyLayers]surrounding

// Surround registers a layer.
func Surround(l layer, of func(name string) bool, over func(name string, f sql.Function) sql.Function) {
	layers[l] = surrounding{of, over}
}

// families find functions whose names hold more than a name.
var families []func(name string) (sql.Function, bool)

// Family registers functions whose names begin alike.
func Family(find func(name string) (sql.Function, bool)) { families = append(families, find) }

// Lookup finds a function by its lower-case name. It does not find those of go-mysql-server that
// need nothing of ours.
func Lookup(name string) (sql.Function, bool) {
	f, ok := Functions[name]
	for _, l := range layers {
		if !l.of(name) {
			continue
		}
		if f == nil {
			if f, ok = Builtin(name); !ok {
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
