package sqllayer

// DEFAULT(c). The grammar takes a bare name in it, and GMS cannot run what it makes of that; so
// package lower makes it a call of a function, scopeDefaults tells the function the tables that the
// name may be a column of, and the function is the default's value.

import (
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
)

func init() { expr.ColumnDefault = columnDefault }

// defaultScopes are the blocks around a place of a statement, the innermost one first.
type defaultScopes [][]target

// scopeDefaults adds their tables to the calls of DEFAULT(c): a list for each block, parted by
// empty texts. A bare DEFAULT stands only for a whole value; elsewhere GMS's node for it has no
// type to give.
func scopeDefaults(n ast.SQLNode, around defaultScopes) error {
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		within := func(parts []ast.SQLNode, from ast.TableExprs) (bool, error) {
			scopes := append(defaultScopes{tablesOf(from)}, around...)
			for _, p := range parts {
				if err := scopeDefaults(p, scopes); err != nil {
					return false, err
				}
			}
			return false, nil
		}
		whole := func(e ast.Expr) error {
			if _, ok := e.(*ast.Default); ok {
				return nil
			}
			return scopeDefaults(e, around)
		}
		switch n := n.(type) {
		case *ast.AliasedValues:
			for _, row := range n.Values {
				for _, e := range row {
					if err := whole(e); err != nil {
						return false, err
					}
				}
			}
			return false, nil
		case *ast.AssignmentExpr:
			return false, whole(n.Expr)
		case *ast.SetVarExpr:
			return false, whole(n.Expr)
		case *ast.Default:
			return false, NewError(mysql.ERParseError, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'default'")
		case *ast.Select:
			return within([]ast.SQLNode{n.SelectExprs, n.From, n.Where, n.GroupBy, n.Having, n.OrderBy, n.Limit}, ast.TableExprs(n.From))
		case *ast.Update:
			return within([]ast.SQLNode{n.TableExprs, n.Exprs, n.Where, n.OrderBy}, n.TableExprs)
		case *ast.Delete:
			return within([]ast.SQLNode{n.TableExprs, n.Where, n.OrderBy}, n.TableExprs)
		case *ast.Insert:
			return within([]ast.SQLNode{n.Rows, n.OnDup}, ast.TableExprs{&ast.AliasedTableExpr{Expr: n.Table}})
		case *ast.FuncExpr:
			if n.Name.Lowered() == expr.DefaultOf && len(n.Exprs) == 1 {
				around.fill(n)
			}
		}
		return true, nil
	}, n)
}

func (s defaultScopes) fill(call *ast.FuncExpr) {
	arg, ok := call.Exprs[0].(*ast.AliasedExpr)
	if !ok {
		return
	}
	c, ok := arg.Expr.(*ast.ColName)
	if !ok {
		return
	}
	call.Exprs = nil
	add := func(texts ...string) {
		for _, t := range texts {
			call.Exprs = append(call.Exprs, &ast.AliasedExpr{Expr: ast.NewStrVal([]byte(t))})
		}
	}
	add(c.Qualifier.DbQualifier.String(), c.Qualifier.Name.String(), c.Name.String())
	for _, block := range s {
		for _, t := range block {
			add(t.shown, t.name.DbQualifier.String(), t.name.Name.String())
		}
		add("", "", "")
	}
}

// columnDefault finds the column that scopeDefaults tells of, and its default.
func columnDefault(ctx *sql.Context, args []string) (none expr.Default, _ error) {
	db, table, column := args[0], args[1], args[2]
	var found *tableDef
	for at := 3; at+3 <= len(args); at += 3 {
		shown, schema, name := args[at], args[at+1], args[at+2]
		if name == "" { // the end of a block
			if found != nil {
				break
			}
			continue
		}
		if schema == "" {
			schema = ctx.GetCurrentDatabase()
		}
		if table != "" && !strings.EqualFold(shown, table) || db != "" && !strings.EqualFold(schema, db) {
			continue
		}
		def, err := definitionOf(ctx, schema, name)
		if err != nil {
			return none, err
		}
		if def == nil || def.find(column) < 0 {
			continue
		}
		if found != nil {
			return none, sql.ErrAmbiguousColumnName.New(column, "")
		}
		found = def
	}
	if found == nil {
		shown := strings.TrimLeft(db+"."+table+"."+column, ".")
		return none, NewError(mysql.ERBadFieldError, "Unknown column '%s' in 'field list'", shown)
	}
	at := found.find(column)
	if err := mayReadDefault(ctx, found, at); err != nil {
		return none, err
	}
	v, err := found.defaultValue(ctx, at)
	return expr.Default{Value: v, Typ: found.columns[at].Type, Stored: &found.cols[at]}, err
}

// mayReadDefault refuses who may not read the column.
func mayReadDefault(ctx *sql.Context, d *tableDef, at int) error {
	s, column := sessionOf(ctx), d.columns[at].Name
	if _, own := s.temps.lookup(d.def.Schema, d.def.Name); own || privilegesOf(ctx).onColumn(d.def.Schema, d.def.Name, column, sql.PrivilegeType_Select) {
		return nil
	}
	return s.viewError(s.columnDenied(sql.PrivilegeType_Select, column, d.def.Name))
}

func definitionOf(ctx *sql.Context, schema, name string) (*tableDef, error) {
	s := sessionOf(ctx)
	if s == nil {
		return nil, nil
	}
	db, err := s.Layer().Provider.Database(ctx, schema)
	if err != nil {
		return nil, err
	}
	found, ok, err := db.GetTableInsensitive(ctx, name)
	if own, is := found.(*Table); ok && is {
		return own.def, err
	}
	return nil, err
}

// defaultValue is the default of column i as DEFAULT(c) gives it: a clock time is none.
func (d *tableDef) defaultValue(ctx *sql.Context, i int) (any, error) {
	c, t := &d.def.Columns[i], d.columns[i].Type
	switch {
	case c.HasDefault && c.Generated == "" && isCurrentTime(currentTime(c.Default)):
		if c.Nullable {
			return nil, nil
		}
		return t.Zero(), nil
	case c.HasDefault && !c.Literal:
		return nil, NewError(erDefaultAsValue, "DEFAULT function cannot be used with default value expressions")
	case c.HasDefault:
		return d.literalDefault(ctx, i)
	case c.Generated == "" && d.columns[i].AutoIncrement:
		return t.Zero(), nil
	case c.Generated != "" || !c.Nullable:
		return nil, NewError(mysql.ERNoDefaultForField, "Field '%s' doesn't have a default value", c.Name)
	}
	return nil, nil
}

const erDefaultAsValue = 3773

func (d *tableDef) literalDefault(ctx *sql.Context, i int) (any, error) {
	c, t := &d.def.Columns[i], d.columns[i].Type
	text, ok := literalValue(ctx, c.Default, t, &c.Column)
	if !ok {
		return nil, nil
	}
	var given any = text
	if types.IsBit(t) {
		bits, err := strconv.ParseUint(strings.Trim(text, "b'"), 2, 64)
		if err != nil {
			return nil, err
		}
		given = bits
	}
	v, _, err := t.Convert(ctx, given)
	return v, err
}
