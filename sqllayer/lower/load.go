package lower

import (
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
)

var loadConflicts = [...]string{ast.LoadFails: "", ast.LoadIgnores: vt.IgnoreStr, ast.LoadReplaces: vt.ReplaceStr}

// load lowers LOAD DATA.
func (l *lowerer) load(n *ast.Load) *vt.Load {
	l.refuseIf(n.Source != ast.LoadInfile || n.Files != nil || n.KeyOrder || n.Compression != nil || n.Parallel != nil || n.Memory != "" || n.Bulk,
		"LOAD in bulk")
	out := &vt.Load{
		Local: vt.BoolVal(n.Local), Infile: infile(n), IgnoreOrReplace: loadConflicts[n.Conflict], Table: tableName(n.Table),
		Partition: vt.Partitions(colIdents(n.Partitions)), Charset: n.Charset.Name, Fields: l.fields(n.Fields), Lines: l.lines(n.Lines),
		SetExprs: l.assigns(n.Set), Auth: globally(vt.AuthType_FILE),
	}
	if n.Skip != nil {
		out.IgnoreNum = number(l.written(n.Skip))
	}
	for _, c := range n.Columns {
		switch c := c.(type) {
		case *ast.Column:
			out.Columns = append(out.Columns, colIdent(c.Name))
		case *ast.UserVar:
			out.Columns = append(out.Columns, vt.NewColIdent("@"+c.Name.Name))
		}
	}
	return out
}

// infile is the name of the file, which a client may have without a name.
func infile(n *ast.Load) string {
	if n.Local {
		return n.File.Bytes()
	}
	return fileName(n.File)
}
