package sqllayer

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
)

// SQL statements of stored programs that run straight on the engine. GMS runs such a statement for
// the first time; by then its tables and columns are known, and Layer.Steps, which is package
// compiled behind package server, may make a step of it. A step is run with the values of the
// variables as its parameters. What it does not take, for its values or the state of the session,
// GMS runs as if nothing had been.
//
// What becomes a parameter:
//
//	a variable                         its value
//	an expression that names no column its value, computed before the statement; one that may be
//	                                   another for each row only among the values of INSERT

// Step is a statement of a program that runs straight on the engine, in the session it was made in.
type Step interface {
	Writes() bool
	Run(ctx *sql.Context, s *Session, values []programs.StepValue) (programs.StepResult, programs.StepEnd, error)
}

// directStatement is a statement of a program.
type directStatement struct {
	tree   ast.Statement // with its parameters; nil: GMS runs it always
	params []stepParam
	step   Step // nil: GMS runs it the next time
	tries  int  // to make a step
	schema sql.Schema
	shown  []programs.ResultColumn
}

// stepParam is a variable, or an expression.
type stepParam struct {
	expr ast.Expr // nil: the variable
	slot slot
}

// direct runs a statement as a step; done is false if GMS has to.
func (a *activation) direct(ctx *sql.Context, stmt ast.Statement) (schema sql.Schema, iter sql.RowIter, done bool, err error) {
	d := a.current().steps[stmt]
	if d == nil || d.step == nil || d.step.Writes() && a.s.layer.CheckWrite(ctx) != nil {
		return nil, nil, false, nil
	}
	values, ok := a.stepValues(d)
	if !ok {
		return nil, nil, false, nil
	}
	r, end, err := d.step.Run(ctx, a.s, values)
	switch {
	case end == programs.StepStale:
		d.step = nil
		return nil, nil, false, nil
	case end == programs.StepOther:
		return nil, nil, false, nil
	}
	info := a.s.GetLastQueryInfo()
	if r.Generated > 0 {
		info.LastInsertId.Store(int64(r.Generated))
	}
	if err != nil {
		return nil, nil, true, err
	}
	if d.step.Writes() {
		return types.OkResultSchema, sql.RowsToRowIter(sql.NewRow(types.NewOkResult(int(r.Affected)))), true, nil
	}
	info.FoundRows.Store(int64(len(r.Rows)))
	a.shown = d.shown
	return d.schema, sql.RowsToRowIter(r.Rows...), true, nil
}

// stepValues are the values of the parameters. ok is false where one of them is an error: GMS tells
// it.
func (a *activation) stepValues(d *directStatement) (values []programs.StepValue, ok bool) {
	values = make([]programs.StepValue, len(d.params))
	for i := range d.params {
		p := &d.params[i]
		if p.expr != nil {
			v, t, err := a.Value(p.expr)
			if err != nil || a.s.WarningCount() > 0 {
				a.s.ClearWarnings()
				return nil, false
			}
			values[i] = programs.StepValue{Value: v, Type: t}
			continue
		}
		if p.slot.frame != a.frame {
			v := a.named(p.slot.name)
			if v == nil {
				return nil, false
			}
			p.slot.frame, p.slot.found = a.frame, v
		}
		values[i] = programs.StepValue{Value: p.slot.found.Value, Type: p.slot.found.Column.Type}
	}
	return values, true
}

// learnStatement makes a step of a statement that GMS has just begun to run.
func (a *activation) learnStatement(ctx *sql.Context, stmt ast.Statement, schema sql.Schema) {
	make := a.s.layer.Steps
	if make == nil || a.learns != nil {
		return
	}
	steps := a.current().steps
	d := steps[stmt]
	if d == nil {
		read, ok := a.body.read[stmt]
		if !ok {
			return
		}
		d = &directStatement{}
		steps[stmt] = d
		// The copy is the code's own: other settings need another one.
		p := &parameters{a: a}
		tree := programs.TreeCopy(reflect.ValueOf(read)).Interface().(ast.Statement)
		if p.statement(tree) {
			d.tree, d.params = tree, p.params
		}
	}
	if d.tree == nil || d.step != nil || d.tries == programs.MostSteps {
		return
	}
	d.tries++
	root := a.s.Root()
	if a.s.inTrigger() { // the plan is the caller's
		root = nil
	}
	d.schema, d.shown = schema, ResultColumns(ctx, root, schema)
	tree := programs.TreeCopy(reflect.ValueOf(d.tree)).Interface().(ast.Statement)
	d.step = make(ctx, a.s, &programs.StepSource{Database: a.s.GetCurrentDatabase(), Tree: tree, Schema: schema, Columns: d.shown})
}

// inTrigger tells whether what runs is a part of a trigger or function.
func (s *Session) inTrigger() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Stmt.Depth > 0
}

// parameters puts parameters in the places of variables and of what needs no row.
type parameters struct {
	a       *activation
	params  []stepParam
	values  bool // among the values of INSERT
	refused bool
}

// statement changes a statement; false if it is none that steps are made of.
func (p *parameters) statement(stmt ast.Statement) bool {
	if into := programs.IntoOf(stmt); into != nil {
		*into = nil
	}
	w := &programs.Visitor{Seen: make(map[uintptr]bool), Look: p.look, Field: p.field}
	w.Value(reflect.ValueOf(stmt))
	return !p.refused
}

// field is visitor.field.
func (p *parameters) field(name string, walk func()) {
	before, known := p.values, len(p.params)
	p.values = before || name == "Rows"
	walk()
	p.values = before
	switch name {
	case "OrderBy", "GroupBy": // a number there is a column
		p.refused = p.refused || len(p.params) > known
	}
}

// look is visitor.look.
func (p *parameters) look(v reflect.Value) (within bool) {
	if v.Type() != exprInterface || !v.CanSet() {
		return true
	}
	e := v.Interface().(ast.Expr)
	if c, ok := e.(*ast.ColName); ok {
		if p.a.named(c) == nil && !strings.HasPrefix(c.Name.String(), "@") {
			return false
		}
		if p.a.named(c) != nil {
			p.add(v, stepParam{slot: slot{name: c}})
			return false
		}
	}
	if !p.free(e) {
		return true
	}
	p.add(v, stepParam{expr: programs.Replaced(e)})
	return false
}

func (p *parameters) add(v reflect.Value, param stepParam) {
	p.params = append(p.params, param)
	v.Set(reflect.ValueOf(ast.NewValArg(fmt.Appendf(nil, ":v%d", len(p.params)))))
}

// free tells expressions that name no column and are more than a literal.
func (p *parameters) free(e ast.Expr) bool {
	computes, columns := false, false
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			user := strings.HasPrefix(n.Name.String(), "@")
			computes = computes || user
			columns = columns || !user && p.a.named(n) == nil
		case *ast.FuncExpr:
			computes = true
			columns = columns || programs.Changing[n.Name.Lowered()] && !p.values
		case *ast.BinaryExpr, *ast.CaseExpr, *ast.SubstrExpr, *ast.TrimExpr, *ast.ConvertExpr, *ast.ConvertUsingExpr, *ast.CharExpr, *ast.TimestampFuncExpr,
			*ast.ExtractFuncExpr:
			computes = true
		case *ast.SQLVal:
			columns = columns || n.Type == ast.ValArg
		case *ast.ComparisonExpr, *ast.AndExpr, *ast.OrExpr, *ast.NotExpr, *ast.IsExpr, *ast.RangeCond, *ast.IntervalExpr, ast.ValTuple:
			columns = true // conditions and lists are the statement's
		}
		return !columns, nil
	}, e)
	return computes && !columns && programs.MayCompute(e)
}

// readStatements copies the statements of a body that may become steps.
func (r *rewriterAST) readStatements(body ast.Statement) map[ast.Statement]ast.Statement {
	if r.plain {
		return nil
	}
	out := make(map[ast.Statement]ast.Statement)
	look := func(v reflect.Value) (within bool) {
		switch n := v.Interface().(type) {
		case *ast.Select, *ast.Insert, *ast.Update, *ast.Delete:
			stmt := n.(ast.Statement)
			if out[stmt] == nil {
				out[stmt] = programs.TreeCopy(reflect.ValueOf(stmt)).Interface().(ast.Statement)
			}
			return false
		}
		_, expression := v.Interface().(ast.Expr)
		return !expression
	}
	(&programs.Visitor{Seen: make(map[uintptr]bool), Look: look, Ended: r.ctx}).Value(reflect.ValueOf(body))
	return out
}

// Cursors of stored programs.

func (a *activation) cursor(name string) (*programs.Cursor, error) {
	for f := a.frame; f != nil; f = f.outer {
		if c := f.cursors[strings.ToLower(name)]; c != nil {
			return c, nil
		}
	}
	return nil, sqlerr.NewError(1324, "Undefined CURSOR: %s", name)
}

func (a *activation) open(n *ast.OpenCursor) error {
	c, err := a.cursor(n.Name)
	if err != nil {
		return err
	}
	if c.IsOpen {
		return sqlerr.NewError(1325, "Cursor is already open")
	}
	return a.attempt(func(ctx *sql.Context) error {
		a.s.noWarnings()
		schema, iter, err := a.query(ctx, c.Stmt)
		if err != nil {
			return err
		}
		c.Kept = memory.Keep(ctx)
		rows, err := c.Kept.Rows(ctx, iter)
		for _, row := range rows {
			for i := range row {
				if err == nil {
					row[i], err = sql.UnwrapAny(ctx, row[i]) // the transaction may end before the cursor does
				}
			}
		}
		a.s.leave()
		if err != nil {
			c.Kept.Release()
			return err
		}
		c.IsOpen, c.Rows, c.Schema = true, rows, schema
		return nil
	})
}

func (a *activation) fetch(n *ast.FetchCursor) error {
	c, err := a.cursor(n.Name)
	switch {
	case err != nil:
		return err
	case !c.IsOpen:
		return sqlerr.NewError(1326, "Cursor is not open")
	case len(c.Schema) != len(n.Variables):
		return sqlerr.NewError(1328, "Incorrect number of FETCH variables")
	case len(c.Rows) == 0:
		return sqlerr.NewError(1329, "No data - zero rows fetched, selected, or processed")
	}
	row := c.Rows[0]
	c.Rows = c.Rows[1:]
	a.s.noWarnings()
	ctx := a.context()
	for i, name := range n.Variables {
		if err := a.Put(ctx, name, row[i], c.Schema[i].Type); err != nil {
			return err
		}
	}
	a.s.leave()
	return nil
}

func (a *activation) close(n *ast.CloseCursor) error {
	c, err := a.cursor(n.Name)
	if err != nil {
		return err
	}
	if !c.IsOpen {
		return sqlerr.NewError(1326, "Cursor is not open")
	}
	a.s.afresh()
	c.IsOpen, c.Rows = false, nil
	c.Kept.Release()
	return nil
}
