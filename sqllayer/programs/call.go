package programs

import (
	"strconv"
	"strings"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
)

// ResultReceiver takes a result set of a procedure; it reads iter to its end or an error, and
// leaves closing it to the caller.
type ResultReceiver func(ctx *sql.Context, schema sql.Schema, columns []ResultColumn, iter sql.RowIter) error

// CallTarget takes the value of an OUT or INOUT parameter.
type CallTarget func(ctx *sql.Context, v any, of ParameterOf) error

// ParameterOf is a parameter of a procedure.
type ParameterOf struct {
	*sql.Column
	Database, Procedure string
}

// UserTarget is a variable of the session that takes a value; nil: the name is none.
func UserTarget(c *ast.ColName) CallTarget {
	name, ok := strings.CutPrefix(c.Name.String(), "@")
	if !ok || strings.HasPrefix(name, "@") || !c.Qualifier.IsEmpty() {
		return nil
	}
	return func(ctx *sql.Context, v any, of ParameterOf) error { return ctx.SetUserVariable(ctx, name, v, of.Type) }
}

// ShownColumn is a column of a result set.
type ShownColumn struct {
	Name  string    // as written; "": GMS knows it
	Shown *Variable // nil: it shows something else
}

// Showing puts the values of variables into rows.
type Showing struct {
	sql.RowIter
	Shown []ShownColumn
}

// Next implements sql.RowIter.
func (i *Showing) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	row = row.Copy()
	for at, c := range i.Shown {
		if c.Shown != nil {
			row[at] = c.Shown.Value
		}
	}
	return row, nil
}

// CallArgument is one of a client's CALL.
type CallArgument struct {
	Value any
	To    CallTarget // nil: it takes no value
}

// PlainLiteral is the value of a literal as an expression would have it.
func PlainLiteral(n *ast.SQLVal) (v any, ok bool) {
	text := string(n.Val)
	switch n.Type {
	case ast.StrVal:
		return text, true
	case ast.IntVal:
		i, err := strconv.ParseInt(text, 10, 64)
		return i, err == nil
	case ast.FloatVal:
		if strings.ContainsAny(text, "eE") {
			return nil, false
		}
		d, _, err := apd.NewFromString(text)
		return d, err == nil
	}
	return nil, false
}

// ResultColumn tells where a column of a result comes from.
type ResultColumn struct {
	Table    string // name or alias in the statement
	OrgTable string
	OrgName  string
	// Base is the table's column; nil for an expression.
	Base *sql.Column
	// Stored is the storage of a column of one of the engine's tables, nil of others.
	Stored *row.Column
	// Nullable tells that the statement may make a column NULL that the table does not.
	Nullable bool
	// Computed tells that the value is the result of an operation: MySQL widens integers there.
	Computed bool
	// Seconds is one more than the digits of the second of a time that is the result of an operation;
	// 0: they are not known.
	Seconds uint8
	// Shown tells that the column is of a statement that has no select list, like SHOW.
	Shown bool
}
