package programs

import (
	"context"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/library"
)

// UserVariable is one of the session with the type for which an expression was planned.
type UserVariable struct {
	Name string
	Typ  sql.Type
}

// CodeSettings are the variables that planning depends on.
var CodeSettings = []string{"sql_mode", "character_set_client", "character_set_connection", "collation_connection", "character_set_results", "div_precision_increment", "lc_time_names", "default_week_format",
	"sql_auto_is_null"}

// MostPlans is how often an expression is planned in vain: it fails, or the types of what it reads
// change.
const MostPlans = 8

// impure are functions of which a call is more than a value of its arguments, or that are about
// rows.
var impure = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`sleep benchmark get_lock release_lock release_all_locks is_free_lock is_used_lock load_file
		source_pos_wait master_pos_wait wait_for_executed_gtid_set values name_const default setval nextval
		count sum avg min max bit_and bit_or bit_xor std stddev stddev_pop stddev_samp variance var_pop var_samp group_concat json_arrayagg
		json_objectagg any_value grouping st_collect first last row_number rank dense_rank percent_rank ntile lag lead cume_dist
		first_value last_value nth_value`) {
		m[name] = true
	}
	return m
}()

// MayCompute tells whether the value of an expression may come without a plan. What a plan has made
// of it is looked at, too.
func MayCompute(e ast.Expr) bool {
	ok := true
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery, *ast.ExistsExpr, *ast.AssignmentExpr, *ast.MatchExpr, *ast.Default, *ast.ValuesFuncExpr, *ast.GroupConcatExpr:
			ok = false
		case *ast.FuncExpr:
			name := n.Name.Lowered()
			if n.Over != nil || !n.Qualifier.IsEmpty() || impure[name] || name == "last_insert_id" && len(n.Exprs) > 0 {
				ok = false
			} else if _, ok = operand.Lookup(name); !ok {
				_, ok = library.BuiltIn.Function(nil, "", name)
			}
		}
		return ok, nil
	}, e)
	return ok
}

// PlacedValue stands for a variable in an expression that GMS plans for the first time.
type PlacedValue struct {
	expression.Literal
	Slot int
}

var (
	_ ast.Injectable         = (*PlacedValue)(nil)
	_ sql.Expression         = (*PlacedValue)(nil)
	_ sql.CollationCoercible = (*PlacedValue)(nil)
)

// WithResolvedChildren implements ast.Injectable.
func (p *PlacedValue) WithResolvedChildren(context.Context, []any) (any, error) { return p, nil }

// WithChildren implements sql.Expression.
func (p *PlacedValue) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(p, len(children), 0)
	}
	return p, nil
}

// String implements sql.Expression. GMS prints what it plans again and again, so that the value,
// which may be long, is not printed.
func (p *PlacedValue) String() string { return fmt.Sprintf("@\x00%d", p.Slot) }

// IsNullable implements sql.Expression.
func (*PlacedValue) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible: that of a variable is a column's.
func (p *PlacedValue) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if !types.IsText(p.Typ) {
		return sql.Collation_binary, 5
	}
	collation, _ := p.Typ.CollationCoercibility(ctx)
	return collation, 2
}

// CodeType tells types whose values are to GMS in a row what they are in a variable.
func CodeType(t sql.Type) bool {
	switch {
	case types.IsYear(t), types.IsBit(t), types.IsTimestampType(t), types.IsEnum(t), types.IsSet(t), types.IsJSON(t), types.IsGeometry(t):
		return false
	}
	return types.IsInteger(t) || types.IsDecimal(t) || types.IsFloat(t) || types.IsText(t) || types.IsTime(t) || types.IsTimespan(t)
}
