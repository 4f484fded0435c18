package lower

import (
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
)

func (l *lowerer) createDatabase(n *ast.CreateDatabase) *vt.DBDDL {
	return &vt.DBDDL{
		Action: vt.CreateStr, SchemaOrDatabase: "database", DBName: n.Name.Name, IfNotExists: n.IfNotExists,
		CharsetCollate: l.databaseOptions(n.Options), Auth: globally(vt.AuthType_CREATE),
	}
}

func (l *lowerer) alterDatabase(n *ast.AlterDatabase) *vt.DBDDL {
	return &vt.DBDDL{
		Action: vt.AlterStr, SchemaOrDatabase: "database", DBName: n.Name.Name,
		CharsetCollate: l.databaseOptions(n.Options), Auth: onDatabases(vt.AuthType_ALTER, n.Name.Name),
	}
}

func dropDatabase(n *ast.DropDatabase) *vt.DBDDL {
	return &vt.DBDDL{
		Action: vt.DropStr, SchemaOrDatabase: "database", DBName: n.Name.Name, IfExists: n.IfExists, Auth: globally(vt.AuthType_DROP),
	}
}

func (l *lowerer) databaseOptions(list []ast.DatabaseOption) (out []*vt.CharsetAndCollate) {
	for i := range list {
		o := &list[i]
		c := &vt.CharsetAndCollate{Value: o.Name.Name, IsDefault: o.Default}
		switch o.Kind {
		case ast.DatabaseCharset:
			c.Type = "character set"
		case ast.DatabaseCollate:
			c.Type = "collate"
		case ast.DatabaseEncryption:
			c.Type, c.Value = "encryption", o.Text.Bytes()
		default:
			l.refuse("READ ONLY database")
		}
		l.refuseIf(o.IsDefault || o.Kind != ast.DatabaseEncryption && !o.Name.Given(), "default option of a database")
		out = append(out, c)
	}
	return out
}
