package bind

import (
	"slices"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/sql/ast"
	"emberdb/sql/fn"
)

// Hints are what USE, FORCE and IGNORE INDEX leave of a table's indexes.
type Hints struct {
	Rows, Order []string // indexes that do not find rows, and those that do not give their order
	Forced      bool     // the whole table is the last choice
}

// hintsOf reads index hints. A name that is none is refused.
func hintsOf(def *catalog.Table, list []ast.IndexHint) (out Hints, err error) {
	for i := range list {
		if list[i].Kind != ast.IgnoreIndex && slices.ContainsFunc(list, func(h ast.IndexHint) bool { return h.Kind == ast.UseIndex }) &&
			slices.ContainsFunc(list, func(h ast.IndexHint) bool { return h.Kind == ast.ForceIndex }) {
			return out, &fn.Fault{Code: 1221, Text: "Incorrect usage of USE INDEX and FORCE INDEX"}
		}
		for _, n := range list[i].Names {
			if !slices.ContainsFunc(def.Indexes, func(ix *catalog.Index) bool { return strings.EqualFold(ix.Name, n.Name) && !ix.Invisible }) {
				return out, fn.Refuse(fn.ByName, "an index of a hint")
			}
		}
	}
	out.Rows, out.Order = barred(def, list, ast.ForJoin), barred(def, list, ast.ForOrderBy)
	out.Forced = slices.ContainsFunc(list, func(h ast.IndexHint) bool { return h.Kind == ast.ForceIndex && concerns(h, ast.ForJoin) })
	return out, nil
}

func concerns(h ast.IndexHint, what ast.IndexHintFor) bool {
	return h.For == ast.ForAny || h.For == what
}

// barred are the indexes that hints take away from what they are for.
func barred(def *catalog.Table, list []ast.IndexHint, what ast.IndexHintFor) (out []string) {
	named := func(ix *catalog.Index, ignored bool) (is, any bool) {
		for _, h := range list {
			if concerns(h, what) && (h.Kind == ast.IgnoreIndex) == ignored {
				any = true
				is = is || slices.ContainsFunc(h.Names, func(n ast.Ident) bool { return strings.EqualFold(n.Name, ix.Name) })
			}
		}
		return is, any
	}
	for _, ix := range def.Indexes {
		ignored, _ := named(ix, true)
		if used, some := named(ix, false); ignored || some && !used {
			out = append(out, ix.Name)
		}
	}
	return out
}
