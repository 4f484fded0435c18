package planner

import (
	"slices"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sql/ast"
	own "emberdb/sql/types"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/compare"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
)

// datedTextsRule is the id of datedTexts: no rule of GMS has it.
const datedTextsRule = binaryTextsRule + 1

// datedTexts looks at constant texts and times beside dates. Of a text that is no date a comparison
// is an error, 1525; in a list it is equal to nothing beside a DATE, and beside a DATETIME to the
// date of zeros. What follows a date leaves a warning. A TIME is one of the current day.
func datedTexts(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	d := datedText{}
	if s := sqllayer.SessionOf(ctx); s != nil {
		if s.Layer().Opts.Plain {
			return n, transform.SameTree, nil
		}
		switch s.RunningTree(ctx).(type) {
		case *ast.Insert, *ast.Update, *ast.Delete:
			d.strict = store.NewStorer(ctx, false).Strict
		}
	}
	return d.below(ctx, n)
}

// datedText is the rule at work. strict: the warning of a text that is no date is the error.
type datedText struct{ strict bool }

func (d *datedText) below(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeExprsWithOpaque(ctx, n, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		switch e := e.(type) {
		case *plan.Subquery:
			query, same, err := d.below(ctx, e.Query)
			if err != nil || same {
				return e, transform.SameTree, err
			}
			return e.WithQuery(query), transform.NewTree, nil
		case *expression.Equals, *expression.NullSafeEquals, *expression.LessThan, *expression.LessThanOrEqual, *expression.GreaterThan, *expression.GreaterThanOrEqual:
			return d.comparison(ctx, e)
		case *expression.InTuple:
			return d.list(ctx, e)
		case *plan.InSubquery:
			if q, ok := e.Right().(*plan.Subquery); ok {
				if at := compare.Dated(ctx, e.Left(), q); at != nil {
					return plan.NewInSubquery(ctx, at, q), transform.NewTree, nil
				}
			}
		case *expression.Between:
			if dated := between(ctx, e); dated != nil {
				return dated, transform.NewTree, nil
			}
			if operand.IsText(e.Val.Type(ctx)) && compare.DatesAmongTexts(ctx, e.Val, e.Lower, e.Upper) {
				return expression.NewAnd(compare.NewDates(ctx, ">=", e.Val, e.Lower), compare.NewDates(ctx, "<=", e.Val, e.Upper)), transform.NewTree, nil
			}
		}
		return e, transform.SameTree, nil
	})
}

// between is BETWEEN of dates and times as one of dates; nil if there are not both.
func between(ctx *sql.Context, e *expression.Between) sql.Expression {
	of := []sql.Expression{e.Val, e.Lower, e.Upper}
	date := slices.IndexFunc(of, func(e sql.Expression) bool { return e.Resolved() && types.IsTime(e.Type(ctx)) })
	changed := false
	for i, side := range of {
		if date < 0 || !side.Resolved() || !types.IsTime(side.Type(ctx)) && !types.IsTimespan(side.Type(ctx)) {
			return nil
		}
		if at := compare.Dated(ctx, side, of[date]); at != nil {
			of[i], changed = at, true
		}
	}
	if !changed {
		return nil
	}
	return expression.NewBetween(of[0], of[1], of[2])
}

func (d *datedText) comparison(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	sides := slices.Clone(e.Children())
	for i, side := range sides {
		if at := compare.Dated(ctx, side, sides[1-i]); at != nil {
			sides[i] = at
			out, err := e.WithChildren(ctx, sides...)
			return out, transform.NewTree, err
		}
		read, same, err := d.read(ctx, sides[1-i], side, true)
		if err != nil {
			return e, transform.SameTree, err
		}
		if !same {
			sides[i] = read
			out, err := e.WithChildren(ctx, sides...)
			return out, transform.NewTree, err
		}
	}
	return e, transform.SameTree, nil
}

func (d *datedText) list(ctx *sql.Context, e *expression.InTuple) (sql.Expression, transform.TreeIdentity, error) {
	items, ok := e.Right().(expression.Tuple)
	if !ok {
		return e, transform.SameTree, nil
	}
	if slices.ContainsFunc(items, func(item sql.Expression) bool {
		return compare.Dated(ctx, e.Left(), item) != nil || compare.Dated(ctx, item, e.Left()) != nil
	}) {
		equals := make([]sql.Expression, len(items))
		for i, item := range items {
			equal, _, err := d.comparison(ctx, expression.NewEquals(e.Left(), item))
			if err != nil {
				return e, transform.SameTree, err
			}
			equals[i] = equal
		}
		return expression.JoinOr(equals...), transform.NewTree, nil
	}
	if !e.Left().Resolved() || !types.IsTime(e.Left().Type(ctx)) {
		return e, transform.SameTree, nil
	}
	var out expression.Tuple
	unchanged, unreal := true, false
	for _, item := range items {
		read, same, err := d.read(ctx, e.Left(), item, len(items) == 1)
		if err != nil {
			return e, transform.SameTree, err
		}
		if unchanged = unchanged && bool(same); read != nil {
			out, unreal = append(out, read), unreal || isUnreal(ctx, read)
		}
	}
	if unreal { // GMS makes keys of what it finds, and has none for these
		equals := make([]sql.Expression, len(out))
		for i, item := range out {
			equals[i] = expression.NewEquals(e.Left(), item)
		}
		return expression.JoinOr(equals...), transform.NewTree, nil
	}
	if unchanged || len(out) == 0 {
		return e, transform.SameTree, nil
	}
	return expression.NewInTuple(e.Left(), out), transform.NewTree, nil
}

// isUnreal tells a constant date, or the text of one, that the calendar lacks.
func isUnreal(ctx *sql.Context, e sql.Expression) bool {
	l, ok := e.(*expression.Literal)
	if !ok {
		return false
	}
	at, _ := l.Value().(time.Time)
	if text, isText := l.Value().(string); isText {
		at, _, _ = operand.ReadMoment(text, operand.DatesOf(ctx), time.UTC)
	}
	return operand.Unreal(at)
}

// read looks at a constant text beside a date. It gives the date that the text begins with, if more
// follows, and nil for a text that is none, of which only an only one is an error.
func (d *datedText) read(ctx *sql.Context, date, e sql.Expression, only bool) (sql.Expression, transform.TreeIdentity, error) {
	l, constant := e.(*expression.Literal)
	if _, both := date.(*expression.Literal); !constant || both || !date.Resolved() || !types.IsTime(date.Type(ctx)) {
		return e, transform.SameTree, nil
	}
	text, isText := l.Value().(string)
	if !isText {
		return e, transform.SameTree, nil
	}
	at, clock, is := operand.ReadMoment(text, operand.DatesOf(ctx), operand.Zone(ctx))
	switch {
	case is == operand.AMoment && operand.DatesOf(ctx).Take(operand.MomentOf(at)):
		operand.WarnOfDelimiter(ctx, text, 1)
		if _, _, usual := own.ParseMoment(text); usual || operand.Unreal(at) {
			return e, transform.SameTree, nil
		}
		return dateLiteral(at, clock), transform.NewTree, nil // GMS does not read all other forms
	case is == operand.CutMoment && operand.DatesOf(ctx).Take(operand.MomentOf(at)):
		ctx.Warn(1292, "%s", told(ctx, date, text, only))
		return dateLiteral(at, clock), transform.NewTree, nil
	case only && d.strict:
		return nil, transform.SameTree, sqlerr.NewError(1292, "%s", told(ctx, date, text, true))
	}
	ctx.Warn(1292, "%s", told(ctx, date, text, only))
	if only {
		kind := "DATETIME"
		if types.IsDateType(date.Type(ctx)) {
			kind = "DATE"
		}
		return nil, transform.SameTree, sqlerr.NewError(1525, "Incorrect %s value: '%s'", kind, text)
	}
	if types.IsDateType(date.Type(ctx)) {
		return nil, transform.NewTree, nil
	}
	return expression.NewLiteral(types.ZeroTime, types.Datetime), transform.NewTree, nil // as MySQL has it
}

func dateLiteral(at time.Time, clock bool) sql.Expression {
	if clock {
		return expression.NewLiteral(at, types.DatetimeMaxPrecision)
	}
	return expression.NewLiteral(at, types.Date)
}

// told is what a warning says of a text. Only the only one beside a column names the column.
func told(ctx *sql.Context, date sql.Expression, text string, only bool) string {
	kind := "datetime"
	if types.IsDateType(date.Type(ctx)) {
		kind = "date"
	}
	if f, ok := date.(*expression.GetField); ok && (only || kind == "datetime") {
		return "Incorrect " + kind + " value: '" + text + "' for column '" + f.Name() + "' at row 1"
	}
	return "Truncated incorrect " + kind + " value: '" + text + "'"
}
