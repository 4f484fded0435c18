package sqllayer

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/table"
	"emberdb/sql/ast"
	"emberdb/sql/bind"
	"emberdb/sql/fn"
	sqltype "emberdb/sql/types"
	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/library"
	"emberdb/sqllayer/rules"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

// CREATE TABLE ... SELECT. The table has the columns that are declared and not selected, then those
// of the query, in its order. A column that is declared and selected is of the declared type. The
// rows go into the columns by name, the others get their defaults.

// SelectedColumns are the columns of the query as those of a table; bound are their types as far as
// package bind knows them.
func SelectedColumns(ctx *sql.Context, query sql.Node, bound []*sqltype.Type) sql.Schema {
	schema := query.Schema(ctx)
	behind := behindColumns(ctx, query, len(schema))
	origins, exprs := ResultColumns(ctx, query, schema), ResultExprs(ctx, query, len(schema))
	out := make(sql.Schema, len(schema))
	for i, c := range schema {
		if base := origins[i].Base; base != nil {
			out[i] = likeColumn(base, origins[i].Nullable)
		} else if b := behind[i]; b != nil && b.through > 0 && !b.extreme {
			out[i] = b.selected()
		} else if bound != nil && bound[i] != nil {
			out[i] = tabledef.ColumnOfType(*bound[i])
		}
		if out[i] == nil {
			var e sql.Expression
			if i < len(exprs) {
				e = exprs[i]
			}
			out[i] = tabledef.ColumnOfExpression(ctx, c, e)
		}
		if b := behind[i]; b != nil && b.extreme {
			out[i].Comment = b.base.Comment
		}
		out[i].Name = c.Name
	}
	return out
}

// likeColumn is a column like one that is selected: its type and default, but no key.
func likeColumn(c *sql.Column, nullable bool) *sql.Column {
	out := &sql.Column{Type: c.Type, Nullable: c.Nullable || nullable, Comment: c.Comment}
	switch {
	case c.Default == nil:
	case !types.IsBit(c.Type):
		out.Default, out.OnUpdate = c.Default, c.OnUpdate
	case !out.Nullable:
		out.Default = tabledef.NoBits(c.Type)
	}
	if strings.HasPrefix(c.Extra, store.AttributeMark) {
		out.Extra = c.Extra
	}
	if c.AutoIncrement {
		out.Default = tabledef.ZeroDefault(out.Type)
	}
	return out
}

// Types of the columns that CREATE TABLE ... SELECT makes of expressions: as package bind describes
// them, or, where it does not know the query, by the types of GMS.

// QueryTypes are the types of the n columns of a query, nil for those that package bind does not
// know. The collation is that of the connection of a view; empty: the query is the session's, and a
// table is made of it.
func QueryTypes(ctx *sql.Context, made *ast.Query, text, connection string, n int) []*sqltype.Type {
	o, ok := describing(ctx, text, connection)
	if !ok {
		return nil
	}
	if o.Setting.Collation == uint16(sql.Collation_binary) && isASCII(text) {
		return bytesOf(made, o, n, connection != "")
	}
	return queryTypes(made, o, n, connection != "")
}

// describing are the options with which package bind describes a query.
func describing(ctx *sql.Context, text, connection string) (o bind.Options, ok bool) {
	s := SessionOf(ctx)
	if s == nil || numbers.DivisionScale(ctx) != numbers.UsualScale { // package bind knows the usual one
		return o, false
	}
	collation, err := sql.ParseCollation("", cmp.Or(connection, s.Text("collation_connection")), false)
	if err != nil {
		return o, false
	}
	longest, _ := s.GetSessionVariable(ctx, "group_concat_max_len")
	most, _, _ := types.Int64.Convert(ctx, longest)
	bytes, _ := most.(int64)
	set := fn.Setting{Collation: uint16(collation), Library: &library.Library{Context: ctx}, Describes: true}
	now := ctx.QueryTime()
	set.Clock = sqltype.Pack(sqltype.Moment{Year: now.Year(), Month: int(now.Month()), Day: now.Day(), Hour: now.Hour()})
	set.UTC = set.Clock
	return bind.Options{Catalog: definitions{ctx, s}, Text: text, Setting: set, Longest: int(bytes), CollationID: namedCollation, CharsetID: usualCollation}, true
}

// GroupsFollow tells that the columns of the running query are the same for all rows of a group, as
// package bind knows it, which finds more than GMS.
func GroupsFollow(ctx *sql.Context) bool {
	s := SessionOf(ctx)
	if s == nil {
		return false
	}
	st := s.RunningStatement(ctx)
	if st == nil {
		return false
	}
	q, ok := st.Tree.(*ast.Query)
	if !ok {
		return false
	}
	o, ok := describing(ctx, st.Text, "")
	if !ok {
		return false
	}
	o.FullGroups, o.Setting.Describes = true, false // what is described only forgets its columns
	_, err := bind.Bind(q, o)
	return err == nil
}

func queryTypes(made *ast.Query, o bind.Options, n int, listed bool) []*sqltype.Type {
	if bound := tabledef.ItemTypes(made, o, listed); len(bound) == n {
		return bound
	}
	body, ok := made.Body.(*ast.Select)
	if !ok || len(body.Items) != n {
		return nil
	}
	out := make([]*sqltype.Type, n)
	for i := range body.Items { // each alone
		own, q := *body, *made
		own.Items, own.Having, own.Where = body.Items[i:i+1], nil, nil
		if g := own.GroupBy; g != nil && g.Rollup == ast.NoRollup {
			own.GroupBy = nil
		}
		q.Body, q.OrderBy, q.Limit = &own, nil, nil
		if bound := tabledef.ItemTypes(&q, o, listed); len(bound) == 1 {
			out[i] = bound[0]
		}
	}
	return out
}

func namedCollation(name string) (uint16, bool) {
	id, err := sql.ParseCollation("", name, false)
	return uint16(id), err == nil
}

func usualCollation(name string) (uint16, bool) {
	charset, err := sql.ParseCharacterSet(name)
	if err != nil {
		return 0, false
	}
	return uint16(charset.DefaultCollation()), true
}

// byteTexts are collations that take the place of that of a connection whose texts are bytes:
// package bind makes no texts of bytes. Their characters have one byte.
var byteTexts = [...]uint16{uint16(sql.Collation_ascii_bin), uint16(sql.Collation_ascii_general_ci)}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// bytesOf are the types of a query on a connection whose texts are bytes. What changes with the
// collation of the connection is bytes.
func bytesOf(made *ast.Query, o bind.Options, n int, listed bool) []*sqltype.Type {
	o.Setting.Collation = byteTexts[0]
	out := queryTypes(made, o, n, listed)
	o.Setting.Collation = byteTexts[1]
	others := queryTypes(made, o, n, listed)
	for i, t := range out {
		if t != nil && i < len(others) && others[i] != nil && t.Kind == sqltype.String && t.Collation == byteTexts[0] && others[i].Collation == byteTexts[1] {
			t.Collation = sqltype.Binary
		}
	}
	return out
}

// definitions shows package bind the definitions of tables; it opens none.
type definitions struct {
	ctx *sql.Context
	s   *Session
}

// Open implements bind.Catalog.
func (c definitions) Open(schema, name string, _ table.LockMode) (*bind.Table, error) {
	if schema == "" {
		schema = c.ctx.GetCurrentDatabase()
	}
	refused := fn.Refuse(fn.ByTable, name)
	db, err := c.s.layer.Provider.Database(c.ctx, schema)
	if err != nil {
		return nil, refused
	}
	own, ok := db.(*Database)
	if !ok {
		return nil, refused
	}
	if _, v, err := c.s.viewForBind(c.ctx, schema, name); err == nil && v != nil {
		v.Catalog = c
		return &bind.Table{View: v}, nil
	}
	found, ok, err := own.GetTableInsensitive(c.ctx, name)
	t, is := found.(*Table)
	if err != nil || !ok || !is {
		return nil, refused
	}
	return t.Def.Described(), nil
}

// WITH RECURSIVE, ended by cte_max_recursion_depth: GMS has a limit of its own.

func AsCount(v any) uint64 {
	switch v := v.(type) {
	case int64:
		return uint64(max(v, 0))
	case uint64:
		return v
	}
	return 1000
}

// UnderForeignKeys is an INSERT whose rows need their parents. The analyzer knows no keys of a table
// that was not there when the statement was planned.
func (l *Layer) UnderForeignKeys(ctx *sql.Context, insert *plan.InsertInto) (sql.Node, error) {
	a := l.Engine.Analyzer
	rule, err := rules.Rule(a, "applyForeignKeys")
	if err != nil {
		return nil, err
	}
	out, _, err := rule.Apply(ctx, a, insert, nil, analyzer.DefaultRuleSelector, nil)
	return out, err
}
