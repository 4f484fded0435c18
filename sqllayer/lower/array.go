package lower

import (
	"encoding/hex"
	"strings"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	"emberdb/sqllayer/expr/operand"
)

// Marked gives the text of a stored CAST to an array the name of its index, for errors to tell.
func Marked(cast, index string) string {
	return strings.TrimSuffix(cast, ")") + " /*" + hex.EncodeToString([]byte(index)) + "*/)"
}

// markedIndex is the name that Marked has put behind a type.
func markedIndex(rest string) string {
	_, rest, ok := strings.Cut(rest, "/*")
	word, _, _ := strings.Cut(rest, "*/")
	name, err := hex.DecodeString(word)
	if !ok || err != nil {
		return ""
	}
	return string(name)
}

// arrayCast lowers CAST to an array, which is the whole of a part of a key.
func (l *lowerer) arrayCast(n *ast.Cast) vt.Expr {
	if !l.Stored && l.inKey != ast.Expr(n) {
		l.notYet("Use of CAST( .. AS .. ARRAY) outside of functional index in CREATE(non-SELECT)/ALTER TABLE or in general expressions")
	}
	l.checkPrecision(n.Type, n.X)
	t := &vt.ConvertType{Type: l.elementType(n.Type) + operand.ArrayWord}
	if l.Stored {
		t.Type += markedIndex(l.text[n.Type.End():n.End()])
	}
	return &vt.ConvertExpr{Name: "cast", Expr: l.expr(n.X), Type: t}
}

func (l *lowerer) notYet(what string) {
	l.raise(erNotSupportedYet, "42000", "This version of MySQL doesn't yet support '%s'", what)
}

// elementType is the type of an array's elements.
func (l *lowerer) elementType(n *ast.CastType) string {
	digits := func(word, of string) string {
		if of == "" {
			return word
		}
		return word + "(" + of + ")"
	}
	switch n.Kind {
	case ast.TypeSigned:
		return "signed"
	case ast.TypeUnsigned:
		return "unsigned"
	case ast.TypeDecimal:
		length := n.Length
		if n.Scale != "" {
			length += "," + n.Scale
		}
		return digits("decimal", length)
	case ast.TypeDate:
		return "date"
	case ast.TypeDatetime:
		return digits("datetime", n.Length)
	case ast.TypeTime:
		return digits("time", n.Length)
	case ast.TypeChar:
		if n.Charset.Given() || n.Shorthand != ast.NoCharsetWord || n.National {
			l.notYet("specifying charset for multi-valued index")
		}
		return l.textElements(n, "char")
	case ast.TypeBinary:
		return l.textElements(n, "binary")
	}
	name, ok := castTypes[n.Kind]
	l.refuseIf(!ok, "type of a CAST")
	l.notYet("CAST-ing data to array of " + strings.ToUpper(name))
	return ""
}

// textElements is the type of texts or bytes that a key can hold.
func (l *lowerer) textElements(n *ast.CastType, word string) string {
	if n.Length == "" || len(n.Length) > 3 || len(n.Length) == 3 && n.Length > "512" {
		l.notYet("CAST-ing data to array of char/binary BLOBs")
	}
	return word + "(" + n.Length + ")"
}

// checkArrays refuses what a key with elements of an array cannot be.
func (l *lowerer) checkArrays(parts []ast.KeyPart) {
	arrays := 0
	for i := range parts {
		if c, ok := parts[i].X.(*ast.Cast); !ok || !c.Array {
			continue
		}
		if arrays++; arrays > 1 {
			l.notYet("more than one multi-valued key part per index")
		}
		if parts[i].Direction != ast.NoDirection {
			l.raise(1221, "HY000", "Incorrect usage of %s and %s", "multi-valued index", "explicit index order")
		}
	}
}

// checkFunctional refuses elements of an array in keys that hold no values.
func (l *lowerer) checkFunctional(n *ast.KeyDef) {
	for i := range n.Parts {
		c, ok := n.Parts[i].X.(*ast.Cast)
		switch {
		case !ok || !c.Array:
		case n.Kind == ast.FulltextKey:
			l.raise(3759, "HY000", "Fulltext functional index is not supported.")
		case n.Kind == ast.SpatialKey:
			l.raise(3760, "HY000", "Spatial functional index is not supported.")
		}
	}
}
