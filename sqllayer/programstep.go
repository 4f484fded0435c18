package sqllayer

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

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
)

// StepSource is a statement to make a step of.
type StepSource struct {
	Database string
	Tree     ast.Statement // as it was read, but for the parameters
	Schema   sql.Schema    // of its rows
	Columns  []ResultColumn
}

// StepValue is the value of a parameter.
type StepValue struct {
	Value any
	Type  sql.Type
}

// StepEnd tells how the run of a step has ended.
type StepEnd uint8

// The ends of runs. In all but the first nothing has happened.
const (
	StepDone  StepEnd = iota
	StepOther         // GMS has to run the statement this time
	StepStale         // the step is not valid any more
)

// StepResult is what a step has done.
type StepResult struct {
	Rows      []sql.Row
	Affected  uint64
	Generated uint64 // LAST_INSERT_ID() from now on; 0: it stays
}

// Step is a statement of a program that runs straight on the engine, in the session it was made in.
type Step interface {
	Writes() bool
	Run(ctx *sql.Context, s *Session, values []StepValue) (StepResult, StepEnd, error)
}

// directStatement is a statement of a program.
type directStatement struct {
	tree   ast.Statement // with its parameters; nil: GMS runs it always
	params []stepParam
	step   Step // nil: GMS runs it the next time
	tries  int  // to make a step
	schema sql.Schema
	shown  []ResultColumn
}

// stepParam is a variable, or an expression.
type stepParam struct {
	expr ast.Expr // nil: the variable
	slot slot
}

// mostSteps is how often a step is made of a statement: definitions change.
const mostSteps = 16

// direct runs a statement as a step; done is false if GMS has to.
func (a *activation) direct(ctx *sql.Context, stmt ast.Statement) (schema sql.Schema, iter sql.RowIter, done bool, err error) {
	d := a.current().steps[stmt]
	if d == nil || d.step == nil || d.step.Writes() && a.s.layer.mayWrite(ctx) != nil {
		return nil, nil, false, nil
	}
	values, ok := a.stepValues(d)
	if !ok {
		return nil, nil, false, nil
	}
	r, end, err := d.step.Run(ctx, a.s, values)
	switch {
	case end == StepStale:
		d.step = nil
		return nil, nil, false, nil
	case end == StepOther:
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
func (a *activation) stepValues(d *directStatement) (values []StepValue, ok bool) {
	values = make([]StepValue, len(d.params))
	for i := range d.params {
		p := &d.params[i]
		if p.expr != nil {
			v, t, err := a.value(p.expr)
			if err != nil || a.s.WarningCount() > 0 {
				a.s.ClearWarnings()
				return nil, false
			}
			values[i] = StepValue{v, t}
			continue
		}
		if p.slot.frame != a.frame {
			v := a.named(p.slot.name)
			if v == nil {
				return nil, false
			}
			p.slot.frame, p.slot.found = a.frame, v
		}
		values[i] = StepValue{p.slot.found.value, p.slot.found.column.Type}
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
		tree := treeCopy(reflect.ValueOf(read)).Interface().(ast.Statement)
		if p.statement(tree) {
			d.tree, d.params = tree, p.params
		}
	}
	if d.tree == nil || d.step != nil || d.tries == mostSteps {
		return
	}
	d.tries++
	root := a.s.Root()
	if a.s.inTrigger() { // the plan is the caller's
		root = nil
	}
	d.schema, d.shown = schema, ResultColumns(ctx, root, schema)
	tree := treeCopy(reflect.ValueOf(d.tree)).Interface().(ast.Statement)
	d.step = make(ctx, a.s, &StepSource{Database: a.s.GetCurrentDatabase(), Tree: tree, Schema: schema, Columns: d.shown})
}

// inTrigger tells whether what runs is a part of a trigger or function.
func (s *Session) inTrigger() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stmt.depth > 0
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
	if into := intoOf(stmt); into != nil {
		*into = nil
	}
	w := &visitor{seen: make(map[uintptr]bool), look: p.look, field: p.field}
	w.value(reflect.ValueOf(stmt))
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
	p.add(v, stepParam{expr: replaced(e)})
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
			columns = columns || changing[n.Name.Lowered()] && !p.values
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
	return computes && !columns && mayCompute(e)
}

// changing are functions whose value is another one for each row.
var changing = map[string]bool{"rand": true, "uuid": true, "uuid_short": true, "uuid_to_bin": true, "random_bytes": true}

// replaced is an expression as the layer runs it.
func replaced(e ast.Expr) ast.Expr {
	s := &ast.Select{SelectExprs: ast.SelectExprs{&ast.AliasedExpr{Expr: e}}}
	expr.Replace(s)
	return s.SelectExprs[0].(*ast.AliasedExpr).Expr
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
				out[stmt] = treeCopy(reflect.ValueOf(stmt)).Interface().(ast.Statement)
			}
			return false
		}
		_, expression := v.Interface().(ast.Expr)
		return !expression
	}
	(&visitor{seen: make(map[uintptr]bool), look: look}).value(reflect.ValueOf(body))
	return out
}

// treeCopy copies a tree: what it points to is the copy's own.
func treeCopy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return v
		}
		inner := treeCopy(v.Elem())
		if v.Kind() == reflect.Interface {
			out := reflect.New(v.Type()).Elem()
			out.Set(inner)
			return out
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(inner)
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && holdsNodes(v.Field(i).Kind()) {
				out.Field(i).Set(treeCopy(v.Field(i)))
			}
		}
		return out
	case reflect.Slice:
		if v.IsNil() || !holdsNodes(v.Type().Elem().Kind()) {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(treeCopy(v.Index(i)))
		}
		return out
	}
	return v
}
