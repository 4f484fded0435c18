package tabledef

import (
	"fmt"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
)

// ExprPlace is where such an expression stands: the codes and texts of MySQL's errors.
type ExprPlace struct {
	what                          string // of the column, check or key
	function, subquery, variables int
	contains, refers              string // the texts of the errors
}

const (
	ofColumn    = "Default value expression of column '%s'"
	noVariables = ofColumn + " cannot refer user or system variables." // of all but checks
)

var (
	ofGenerated = &ExprPlace{"Expression of generated column '%s'", 3763, 3102, 3772, "contains a disallowed function", noVariables}
	ofDefault   = &ExprPlace{ofColumn, 3770, 3769, 3772, "contains a disallowed function", noVariables}
	ofCheck     = &ExprPlace{"An expression of a check constraint '%s'", 3814, 3815, 3816, "contains disallowed function",
		"An expression of a check constraint '%s' cannot refer to a user or system variable."}
	ofKey = &ExprPlace{"Expression of functional index '%s'", erFunctionalDisallowed, erFunctionalDisallowed, 3772, "contains a disallowed function", noVariables}
)

// varying are the functions that depend on more than the row, and how MySQL calls them; true if a
// default may call them.
var varying = map[string]bool{
	"rand": true, "uuid": true, "uuid_short": true, "random_bytes": true, "now": true, "sysdate": true, "curdate": true, "curtime": true, "unix_timestamp": true,
	"utc_timestamp": true, "utc_date": true, "utc_time": true, "user": true, "current_user": true, "current_role": true, "roles_graphml": true, "database": true,
	"connection_id": true, "version()": false, "icu_version()": false, "last_insert_id": false, "row_count": false, "found_rows": false, "sleep": false, "benchmark": false,
	"get_lock": false, "release_lock": false, "is_free_lock": false, "is_used_lock": false, "release_all_locks": false, "load_file": false, "source_pos_wait": false,
	"updatexml": false, "values": false, "match": false, "mysql_query_attribute_string": false,
}

// otherNames are names of such functions that MySQL does not call them by.
var otherNames = map[string]string{
	"current_timestamp": "now", "localtime": "now", "localtimestamp": "now", "current_date": "curdate", "current_time": "curtime", "session_user": "user", "system_user": "user",
	"schema": "database", "version": "version()", "icu_version": "icu_version()", "master_pos_wait": "source_pos_wait",
}

// allows tells whether a function, in small letters, may be called, and how MySQL calls it.
func (p *ExprPlace) allows(name string) (string, bool) {
	if other := otherNames[name]; other != "" {
		name = other
	}
	inDefaults, varies := varying[name]
	switch {
	case !varies || p == ofDefault && inDefaults:
		return name, true
	case p == ofCheck:
		return name, name == "sysdate" || name == "random_bytes" // MySQL's choice
	}
	return name, false
}

// Refuse is the error of an expression at the place; nil if it may stand there. A function that is
// not built in is a stored one.
func (p *ExprPlace) Refuse(name string, e ast.SQLNode, builtIn func(function string) bool) error {
	function := func(called string) error {
		if called, ok := p.allows(called); !ok && p != ofKey {
			return sqlerr.NewError(p.function, p.what+" %s: %s.", name, p.contains, called)
		} else if !ok {
			return sqlerr.NewError(p.function, p.what+" %s.", name, p.contains)
		}
		return nil
	}
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.FuncExpr:
			if !n.Qualifier.IsEmpty() {
				return false, p.stored(name, QuoteName(n.Qualifier.String())+"."+QuoteName(n.Name.String()))
			}
			err := function(n.Name.Lowered())
			if err == nil && !builtIn(n.Name.Lowered()) {
				err = p.stored(name, QuoteName(n.Name.String()))
			}
			return err == nil, err
		case *ast.ValuesFuncExpr:
			return true, function("values")
		case *ast.MatchExpr:
			return true, function("match")
		case *ast.Subquery:
			return false, sqlerr.NewError(p.subquery, p.what+" %s.", name, p.contains)
		case *ast.ColName:
			if strings.HasPrefix(n.Name.String(), "@") {
				return false, sqlerr.NewError(p.variables, p.refers, name)
			}
		}
		return true, nil
	}, e)
}

// stored is the error of a stored function, which no definition may call.
func (p *ExprPlace) stored(name, function string) error {
	if p == ofKey {
		return sqlerr.NewError(p.function, p.what+" %s.", name, p.contains)
	}
	return sqlerr.NewError(p.function, p.what+" %s: %s.", name, p.contains, function)
}

// definedExpr is an expression of a definition.
type definedExpr struct {
	*ExprPlace
	Name   string                // of the column or check
	of     *ast.ColumnDefinition // nil: a check of the table
	number int                   // of the column
	Expr   ast.Expr
}

// DefinedExprs are the expressions of a CREATE TABLE, or of a part of an ALTER TABLE; of it, named
// are the checks of the table that are there.
func DefinedExprs(n *ast.DDL, named []string) (out []definedExpr) {
	if n.TableSpec == nil {
		return nil
	}
	taken := map[string]bool{}
	for _, name := range named {
		taken[strings.ToLower(name)] = true
	}
	constraints := make([]*ast.ConstraintDefinition, 0, len(n.TableSpec.Constraints))
	for _, c := range n.TableSpec.Columns {
		if c.Type.Constraint != nil {
			constraints = append(constraints, c.Type.Constraint)
		}
	}
	constraints = append(constraints, n.TableSpec.Constraints...)
	for _, c := range constraints {
		taken[strings.ToLower(c.Name)] = true
	}
	check := func(c *ast.ConstraintDefinition, of *ast.ColumnDefinition) {
		k, ok := c.Details.(*ast.CheckConstraintDefinition)
		if !ok {
			return
		}
		name := c.Name
		for i := 1; name == ""; i++ {
			if next := fmt.Sprintf("%s_chk_%d", n.Table.Name.String(), i); !taken[strings.ToLower(next)] {
				name, taken[strings.ToLower(next)] = next, true
			}
		}
		out = append(out, definedExpr{ofCheck, name, of, 0, k.Expr})
	}
	for i, c := range n.TableSpec.Columns {
		if e := c.Type.GeneratedExpr; e != nil {
			out = append(out, definedExpr{ofGenerated, c.Name.String(), c, i, e})
		}
		if e, ok := c.Type.Default.(*ast.ParenExpr); ok {
			out = append(out, definedExpr{ofDefault, c.Name.String(), c, i, e})
		}
		if c.Type.Constraint != nil {
			check(c.Type.Constraint, c)
		}
	}
	for _, c := range n.TableSpec.Constraints {
		check(c, nil)
	}
	return out
}

// Fits checks what an expression is and the columns that it has; known are those of a new table,
// nil of one that is there.
func (d *definedExpr) Fits(known []*ast.ColumnDefinition) error {
	switch d.ExprPlace {
	case ofCheck:
		if !isCondition(d.Expr) {
			return sqlerr.NewError(3812, "An expression of non-boolean type specified to a check constraint '%s'.", d.Name)
		}
	case ofDefault, ofGenerated:
		if _, row := Unwrapped(d.Expr).(ast.ValTuple); row {
			code := map[*ExprPlace]int{ofDefault: 3771, ofGenerated: 3764}[d.ExprPlace]
			return sqlerr.NewError(code, d.what+" cannot refer to a row value.", d.Name)
		}
	}
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.ColName); ok {
			return true, d.column(c, known)
		}
		return true, nil
	}, d.Expr)
}

// column checks a column of the expression.
func (d *definedExpr) column(c *ast.ColName, known []*ast.ColumnDefinition) error {
	own := d.of != nil && d.of.Name.Equal(c.Name)
	switch {
	case d.ExprPlace == ofCheck && d.of != nil && !own:
		return sqlerr.NewError(3813, "Column check constraint '%s' references other column.", d.Name)
	case d.ExprPlace == ofGenerated && own:
		return sqlerr.NewError(3107, "Generated column can refer only to generated columns defined prior to it.")
	case known == nil:
		return nil
	}
	for i, k := range known {
		if !k.Name.Equal(c.Name) {
			continue
		}
		t := &k.Type
		_, computed := t.Default.(*ast.ParenExpr)
		switch {
		case d.ExprPlace == ofCheck && bool(t.Autoincrement):
			return sqlerr.NewError(3818, "Check constraint '%s' cannot refer to an auto-increment column.", d.Name)
		case d.ExprPlace == ofGenerated && bool(t.Autoincrement):
			return sqlerr.NewError(3109, "Generated column '%s' cannot refer to auto-increment column.", d.Name)
		case d.ExprPlace == ofDefault && bool(t.Autoincrement):
			return sqlerr.NewError(3768, d.what+" cannot refer to an auto-increment column.", d.Name)
		case d.ExprPlace == ofGenerated && t.GeneratedExpr != nil && i > d.number:
			return sqlerr.NewError(3107, "Generated column can refer only to generated columns defined prior to it.")
		case d.ExprPlace == ofDefault && (t.GeneratedExpr != nil || computed) && i >= d.number:
			return sqlerr.NewError(3767, d.what+" cannot refer to a column defined after it if that column is a generated column or has an expression as default value.", d.Name)
		}
		return nil
	}
	if d.ExprPlace == ofCheck {
		return sqlerr.NewError(3820, "Check constraint '%s' refers to non-existing column '%s'.", d.Name, c.Name.String())
	}
	return sqlerr.NewError(1054, "Unknown column '%s' in '%s'", c.Name.String(), d.Clause())
}

// Clause is what MySQL calls the expression where a column is missing.
func (d *definedExpr) Clause() string {
	switch d.ExprPlace {
	case ofCheck:
		return "check constraint " + d.Name + " expression"
	case ofGenerated:
		return "generated column function"
	}
	return "default value expression"
}

// isCondition tells whether an expression is true or false, as far as that is seen without the
// types of functions.
func isCondition(e ast.Expr) bool {
	switch e := Unwrapped(e).(type) {
	case *ast.ColName, *ast.SQLVal, *ast.NullVal, *ast.BinaryExpr, *ast.CaseExpr, ast.ValTuple:
		return false
	case *ast.UnaryExpr:
		return e.Operator == ast.BangStr
	case *ast.FuncExpr:
		switch e.Name.Lowered() {
		case "abs", "if", "ifnull", "coalesce", "nullif", "length", "char_length", "lower", "upper", "mod", "floor", "ceiling", "round", "concat", "interval":
			return false
		}
	}
	return true
}
