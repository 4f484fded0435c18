package lower

import (
	vt "github.com/dolthub/vitess/go/vt/sqlparser"
	"slices"
	"strings"

	"emberdb/sql/ast"
)

// The keys of a column, which GMS's grammar does not name outside of its package.
const (
	keyNone vt.ColumnKeyOption = iota
	keyPrimary
	keySpatial
	keyUnique
)

// keyWords are the words before a key's name.
var keyWords = [...]string{ast.PlainKey: "key", ast.PrimaryKey: "primary key", ast.UniqueKey: "unique key", ast.FulltextKey: "fulltext key",
	ast.SpatialKey: "spatial key"}

func (l *lowerer) keyDef(n *ast.KeyDef) *vt.IndexDefinition {
	l.checkFunctional(n)
	x := &vt.IndexInfo{
		Type: keyWords[n.Kind], Name: colIdent(n.Name), Unique: n.Kind == ast.UniqueKey, Fulltext: n.Kind == ast.FulltextKey,
		Spatial: n.Kind == ast.SpatialKey,
	}
	switch {
	case n.Kind == ast.PrimaryKey:
		x.Name, x.Primary, x.Unique = vt.NewColIdent("PRIMARY"), true, true
	case !n.Name.Given():
		x.Name = colIdent(n.Symbol)
	}
	return &vt.IndexDefinition{Info: x, Fields: l.keyParts(n.Parts), Options: l.declaredOptions(n)}
}

func (l *lowerer) keyParts(parts []ast.KeyPart) []*vt.IndexField {
	out := make([]*vt.IndexField, len(parts))
	l.checkArrays(parts)
	for i := range parts {
		p := &parts[i]
		l.inKey = p.X
		out[i] = &vt.IndexField{Column: colIdent(p.Column), Length: number(p.Length), Order: vt.AscScr}
		if p.X != nil {
			out[i].Expression = l.definition(p.X)
		}
		if p.Direction == ast.Descending {
			out[i].Order = vt.DescScr
		}
	}
	return out
}

var keyAlgorithms = [...]string{ast.BtreeAlgorithm: "btree", ast.RtreeAlgorithm: "rtree", ast.HashAlgorithm: "hash"}

// declaredOptions are the options of a key of CREATE TABLE, where GMS has the algorithm among them.
func (l *lowerer) declaredOptions(n *ast.KeyDef) []*vt.IndexOption {
	out := l.keyOptions(n.Parts, n.Options)
	if n.Using != ast.NoKeyAlgorithm {
		out = slices.Insert(out, 0, &vt.IndexOption{Name: "using", Using: keyAlgorithms[n.Using]})
	}
	return out
}

// OrderedOption is the option of a key whose parts are written with an order that they have anyway.
const OrderedOption = "ordered"

func (l *lowerer) keyOptions(parts []ast.KeyPart, list []ast.KeyOption) (out []*vt.IndexOption) {
	if slices.ContainsFunc(parts, func(p ast.KeyPart) bool { return p.Direction == ast.Ascending }) {
		out = append(out, &vt.IndexOption{Name: OrderedOption})
	}
	for i := range list {
		o := &list[i]
		switch o.Kind {
		case ast.KeyUsing:
			out = append(out, &vt.IndexOption{Name: "using", Using: keyAlgorithms[o.Algorithm]})
		case ast.KeyComment:
			out = append(out, &vt.IndexOption{Name: "comment", Value: literalString(o.Text)})
		case ast.KeyBlockSize:
			out = append(out, &vt.IndexOption{Name: "key_block_size", Value: number(o.Number)})
		case ast.KeyVisible:
			out = append(out, &vt.IndexOption{Name: "visible"})
		case ast.KeyInvisible:
			out = append(out, &vt.IndexOption{Name: "invisible"})
		case ast.KeyParser:
			if !strings.EqualFold(o.Parser.Name, "ngram") {
				l.raise(1128, "HY000", "Function '%s' is not defined", o.Parser.Name)
			}
			out = append(out, &vt.IndexOption{Name: "ngram"})
		default:
			l.refuse("option of a key")
		}
	}
	return out
}
