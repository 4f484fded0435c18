package trees

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/catalog"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer/tabledef"
)

// NextPlace is where the next token of a text begins from a place on.
func NextPlace(text string, from int) int {
	for w := range tabledef.WordsOf(text, from) {
		return w.From
	}
	return len(text)
}

// StoredTree reads the text of a view, a routine, a trigger or an event; nil if it is none of
// MySQL's statements. The quotes of names, which are the only part of sql_mode that texts still
// depend on, tell themselves.
func StoredTree(text string) sqlast.Statement {
	for _, mode := range []sqltoken.Mode{0, sqltoken.AnsiQuotes} {
		if found, err := parse.Parse(text, parse.Options{Mode: mode, Version: tabledef.VersionNumber}); err == nil {
			return found.Statement
		}
	}
	return nil
}

func QuoteText(text string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), "'", "''") + "'"
}

// BareName takes the quotes off a name.
func BareName(name string) string {
	if len(name) < 2 || name[0] != '`' && name[0] != '"' {
		return name
	}
	return strings.ReplaceAll(name[1:len(name)-1], name[:1]+name[:1], name[:1])
}

// DeletesFromItself tells a DELETE of rows that refer to rows of their own table.
func DeletesFromItself(root sql.Node, def *catalog.Table) bool {
	if _, deletes := root.(*plan.DeleteFrom); !deletes {
		return false
	}
	return slices.ContainsFunc(def.ForeignKeys, func(fk catalog.ForeignKey) bool {
		return strings.EqualFold(fk.ParentSchema, def.Schema) && strings.EqualFold(fk.ParentTable, def.Name)
	})
}

// Rename is the new name of a table in the references to it.
type Rename struct {
	Target
	Alias string
}

// Aliased reports whether the table is shown by another name than its own.
func (t Target) Aliased() bool { return t.Shown != t.Name.Name.String() }

func Clash(a, b Target) bool {
	return strings.EqualFold(a.Shown, b.Shown) || strings.EqualFold(a.Shown, b.Name.Name.String()) || strings.EqualFold(a.Name.Name.String(), b.Shown)
}
