package fn

import (
	"slices"

	"emberdb/sql/types"
)

// extracted is JSON_EXTRACT of a document at one simple path, which is found in its text; nil: it is
// the library's.
func extracted(args []Expr) Expr {
	if len(args) != 2 || !args[0].Type().Document() {
		return nil
	}
	c, ok := args[1].(*Const)
	if !ok || c.IsNull() || c.T.Kind != types.String || c.T.Document() {
		return nil
	}
	path, ok := types.ParsePath(string(c.V.S[0]))
	if !ok {
		return nil
	}
	e := call("json_extract"+string(c.V.S[0]), func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			found, ok := types.FindInDocument(args[0].S[i], path)
			if out.S[i] = found; !ok {
				out.SetNull(i)
			}
		}
		return nil
	}, types.DocumentType(true), args[0])
	return listed(e, [][]Expr{{c}})
}

// unquoted is JSON_UNQUOTE of a document.
func unquoted(a Expr) Expr {
	return call("json_unquote", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		var all []byte
		for i := range n {
			if out.IsNull(i) {
				continue
			}
			from, ok := len(all), false
			if all, ok = types.AppendUnquoted(all, args[0].S[i]); !ok {
				return Refuse(ByRow, "a document that is not written as MySQL writes it")
			}
			out.S[i] = all[from:len(all):len(all)]
		}
		return nil
	}, types.DocumentTextType(0), a)
}

// arrayOf is JSON_ARRAY of a document.
func arrayOf(a Expr) Expr {
	return call("json_array", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		for i := range n {
			out.S[i] = []byte("[null]")
			if !args[0].IsNull(i) {
				out.S[i] = slices.Concat([]byte("["), args[0].S[i], []byte("]"))
			}
		}
		return nil
	}, types.DocumentType(false), a)
}
