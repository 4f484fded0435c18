package tabledef

import (
	"fmt"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/vectors"
	"emberdb/sqllayer/store"
)

// TypeText writes a column type the way CREATE TABLE takes it, always with its collation, so that
// it means the same whatever the defaults of the reader. ParseType is its inverse.
func TypeText(t sql.Type) string {
	switch t := t.(type) {
	case types.EnumType:
		return "enum(" + quoteAll(t.Values()) + ")" + collateText(t.Collation())
	case types.SetType:
		return "set(" + quoteAll(t.Values()) + ")" + collateText(t.Collation())
	case sql.StringType:
		text := t.(sql.TypeWithCollation).StringWithTableCollation(t.Collation())
		if t.CharacterSet() == sql.CharacterSet_binary {
			return text
		}
		return text + collateText(t.Collation())
	case types.TimespanType_:
		return store.TimeText(0)
	}
	return t.String()
}

func collateText(c sql.CollationID) string {
	return " CHARACTER SET " + c.CharacterSet().Name() + " COLLATE " + c.Name()
}

var quoteMember = strings.NewReplacer(`\`, `\\`, `'`, `''`, "\x00", `\0`, "\n", `\n`, "\r", `\r`)

func quoteAll(members []string) string {
	quoted := make([]string, len(members))
	for i, m := range members {
		quoted[i] = "'" + quoteMember.Replace(m) + "'"
	}
	return strings.Join(quoted, ",")
}

// parsedTypes keeps types by their text: definitions repeat them.
var parsedTypes sync.Map // string -> sql.Type

// ParseType makes the type of a text that TypeText wrote. srid is that of a geometry column, nil if
// it has none.
func ParseType(text string, srid *uint32) (sql.Type, error) {
	if t, ok := parsedTypes.Load(text); ok {
		return withSRID(t.(sql.Type), srid), nil
	}
	stmt, err := sqlparser.Parse("CREATE TABLE t (c " + text + ")")
	if err != nil {
		return nil, fmt.Errorf("column type %q: %w", text, err)
	}
	ddl, ok := stmt.(*sqlparser.DDL)
	if !ok || ddl.TableSpec == nil || len(ddl.TableSpec.Columns) != 1 {
		return nil, fmt.Errorf("column type %q: not a type", text)
	}
	if err := resolveAttributes(ddl.TableSpec.Columns[0]); err != nil {
		return nil, err
	}
	t, err := types.ColumnTypeToType(&ddl.TableSpec.Columns[0].Type)
	if err != nil {
		return nil, fmt.Errorf("column type %q: %w", text, err)
	}
	if v, ok := t.(types.VectorType); ok {
		t = vectors.Of(v.Dimensions)
	}
	parsedTypes.Store(text, t)
	return withSRID(t, srid), nil
}

func withSRID(t sql.Type, srid *uint32) sql.Type {
	if spatial, ok := t.(sql.SpatialColumnType); ok && srid != nil {
		return spatial.SetSRID(*srid)
	}
	return t
}

// SameSRID tells whether two columns are bound to one SRID, or to none.
func SameSRID(a, b *uint32) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// SridOf is the SRID a geometry column is bound to.
func SridOf(t sql.Type) *uint32 {
	if spatial, ok := t.(sql.SpatialColumnType); ok {
		if srid, defined := spatial.GetSpatialTypeSRID(); defined {
			return &srid
		}
	}
	return nil
}

// ShownType is the type of a table's column as MySQL shows it.
func (d *TableDef) ShownType(i int) string {
	if a := store.AttributesIn(d.Def.Columns[i].SQLType); a != (store.Attributes{}) {
		return a.Text(d.Columns[i].Type.String())
	}
	return ShownType(d.Columns[i].Type)
}
