package sqllayer

// What a stored program leaves to GMS: its statements, the expressions of its branches and
// variables, the SELECTs of its cursors.

import (
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/txn"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/trees"
)

// query runs a statement with the values of the variables; the caller reads and closes the rows,
// and calls done.
func (a *activation) query(ctx *sql.Context, stmt ast.Statement) (schema sql.Schema, iter sql.RowIter, err error) {
	a.stmt, a.shown = stmt, nil
	if a.current().safe {
		if err := a.s.CheckSafeUpdate(ctx, a.body.source.of[stmt]); err != nil {
			return nil, nil, err
		}
	}
	schema, iter, a.straight, err = a.direct(ctx, stmt)
	if a.straight {
		return schema, iter, err
	}
	if rows, err := a.queried(ctx, stmt); rows != nil || err != nil {
		return rows.parts(err)
	}
	read := stmt
	release, err := a.bind(stmt)
	defer release()
	if err != nil {
		return nil, nil, err
	}
	a.s.inProcedure(ctx)
	if err = trees.CheckEmptyRows(stmt); err != nil {
		return nil, nil, err
	}
	if stmt, err = a.s.copyThroughViews(ctx, stmt); err != nil {
		return nil, nil, err
	}
	if stmt, err = a.s.copyNamed(ctx, stmt); err != nil {
		return nil, nil, err
	}
	if text := a.body.source.definition(stmt); text != "" && !a.s.inTrigger() {
		a.s.SetStatement(text)
	}
	if schema, iter, _, err = a.runner.QueryWithBindings(ctx, "", ownDrop(stmt), nil, nil); err == nil {
		a.learnStatement(ctx, read, schema)
	}
	return schema, iter, err
}

// attempt runs a statement of which nothing is left if it fails.
func (a *activation) attempt(run func(ctx *sql.Context) error) error {
	began := a.s.beginStep()
	ctx := a.context()
	err := run(ctx)
	a.s.endStep(began, err)
	return err
}

// stepBegin is where a statement of a program begins.
type stepBegin struct {
	nested bool     // in a trigger or function: a part of the statement that runs it
	trx    *txn.Trx // which it is a part of, if it is; nil: none yet
	Bound
	failed bool // that statement had failed
}

func (s *Session) beginStep() stepBegin {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	b := stepBegin{nested: s.Stmt.Depth > 0, failed: s.Stmt.Failed}
	if b.nested && s.Trx != nil {
		b.trx, b.Bound = s.Trx, s.savepoint(s.Trx)
	}
	return b
}

// endStep undoes a statement that has failed. A handler may go on: what runs the program has not
// failed yet.
func (s *Session) endStep(b stepBegin, err error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if b.trx != nil && b.trx == s.Trx {
		defer s.release(b.Bound)
	}
	switch {
	case err == nil:
	case !b.nested:
		s.Stmt.Failed = true // the next one finds it
	case s.Trx != nil && s.Stmt.dead == nil:
		if s.Undo(b.Mark) == nil {
			s.Stmt.Failed = b.failed
		}
	}
}

// execute runs a statement that is no part of the language of programs.
func (a *activation) execute(stmt ast.Statement) error {
	if text, operands, ok := programs.CalledText(stmt); ok {
		return a.runText(text, operands)
	}
	if err := a.committing(stmt); err != nil {
		return err
	}
	err := a.attempt(func(ctx *sql.Context) error {
		before := a.s.leftBefore()
		a.s.noWarnings()
		a.s.before = before
		into := programs.IntoOf(stmt)
		if into != nil && len((*into).Variables) == 0 {
			into = nil // a file
		}
		if into != nil {
			clause := *into
			*into = nil
			defer func() { *into = clause }() // a loop comes back to it
			err := a.selectInto(ctx, stmt, clause.Variables)
			a.s.leave()
			return err
		}
		if n, ok := stmt.(*ast.Call); ok {
			n.ProcName.Qualifier = a.qualified(n.ProcName.Qualifier)
			if done, err := a.call(ctx, n); done || err != nil {
				return err
			}
			a.s.passTargets(a.targets(n))
		}
		shown := a.shownColumns(stmt)
		a.sends = a.receive != nil
		schema, iter, err := a.query(ctx, stmt)
		a.sends = false
		a.s.passTargets(nil) // a CALL that was refused has not taken them
		if err == nil {
			err = a.deliver(ctx, stmt, shown, schema, iter)
		}
		if _, calls := stmt.(*ast.Call); !calls {
			a.s.leave()
		}
		return err
	})
	if err != nil {
		err = Detail(a.context().WithQuery(ast.String(stmt)), err)
	}
	return err
}

func (a *activation) qualified(t ast.TableIdent) ast.TableIdent {
	if t.IsEmpty() {
		return ast.NewTableIdent(a.database.name)
	}
	return t
}

// deliver reads what a statement gives: a count, or rows that the client is to have.
func (a *activation) deliver(ctx *sql.Context, stmt ast.Statement, shown []programs.ShownColumn, schema sql.Schema, iter sql.RowIter) error {
	if iter == nil {
		return nil
	}
	if rows, ok := iter.(*ProgramRows); ok {
		return a.queriedRows(ctx, rows)
	}
	_, calls := stmt.(*ast.Call)
	if calls && a.receive != nil || types.IsOkResultSchema(schema) || len(schema) == 0 {
		return a.count(ctx, calls, iter)
	}
	defer a.counted(0, -1)
	schema, columns, iter := a.described(ctx, schema, shown, iter)
	var err error
	if a.receive != nil {
		err = a.receive(ctx, schema, columns, iter)
	} else {
		a.schema = schema
		a.rows, err = a.held.Rows(ctx, iter)
		return err
	}
	if cerr := iter.Close(ctx); err == nil {
		err = cerr
	}
	return err
}

// count reads how many rows a statement has changed.
func (a *activation) count(ctx *sql.Context, calls bool, iter sql.RowIter) error {
	rows, err := sql.RowIterToRows(ctx, iter)
	a.counted(0, 0)
	for _, row := range rows {
		if len(row) > 0 {
			if ok, is := row[0].(types.OkResult); is {
				if !calls && !a.straight {
					ok = a.s.rightCounts(ctx, ok)
				}
				a.counted(ok.RowsAffected, int64(ok.RowsAffected))
			}
		}
	}
	return err
}

// counted notes how many rows the last statement has changed; rows is what ROW_COUNT() says.
func (a *activation) counted(affected uint64, rows int64) {
	a.affected = affected
	a.s.GetLastQueryInfo().RowCount.Store(rows)
}

// selectInto gives variables the values of the only row.
func (a *activation) selectInto(ctx *sql.Context, stmt ast.Statement, to ast.Variables) error {
	schema, iter, err := a.query(ctx, stmt)
	if err != nil {
		return err
	}
	row, err := iter.Next(ctx)
	several := false
	if err == nil {
		_, more := iter.Next(ctx)
		if several = more == nil; !several && more != io.EOF {
			err = more
		}
	}
	empty := err == io.EOF
	if empty {
		err = nil
	}
	if cerr := iter.Close(ctx); err == nil {
		err = cerr
	}
	switch {
	case err != nil:
		return err
	case len(schema) != len(to):
		return sqlerr.NewError(1222, "The used SELECT statements have a different number of columns")
	case empty:
		ctx.Warn(1329, "No data - zero rows fetched, selected, or processed")
		a.counted(0, 0)
		return nil
	}
	for i, name := range to {
		if err := a.Put(ctx, name.String(), row[i], schema[i].Type); err != nil {
			return err
		}
	}
	if several { // the first of them is in the variables
		return sqlerr.NewError(1172, "Result consisted of more than one row")
	}
	a.counted(1, 1)
	return nil
}

// Put gives a variable of the program or of the session a value.
func (a *activation) Put(ctx *sql.Context, name string, v any, t sql.Type) error {
	if user, ok := strings.CutPrefix(name, "@"); ok {
		return ctx.SetUserVariable(ctx, user, v, t)
	}
	to := a.variable(name)
	if to == nil {
		return sqlerr.NewError(1327, "Undeclared variable: %s", name)
	}
	return a.assign(ctx, to, v)
}

// assign stores a value as the variable's type has it.
func (a *activation) assign(ctx *sql.Context, to *programs.Variable, v any) error {
	store := newKeeper(ctx)
	v, err := store.Kept(ctx, to.Column, v)
	if err != nil {
		return err
	}
	return a.take(to, v)
}

// hold puts a value into a variable.
func (a *activation) hold(to *programs.Variable, v any) error {
	size := memory.ValueSize(v)
	if err := a.held.Add(size - to.Held); err != nil {
		return err
	}
	to.Value, to.Held = v, size
	return nil
}

// take gives a variable a value of its type.
func (a *activation) take(to *programs.Variable, v any) error {
	if err := a.hold(to, v); err != nil {
		return err
	}
	to.Changed = true
	a.large = a.large || isLarge(v)
	if a.result != nil && a.result.variable == to {
		a.result.set = true
	}
	return nil
}

// set runs SET.
func (a *activation) set(n *ast.Set) error {
	for _, e := range n.Exprs {
		to, before := a.variableAt(e), a.s.leftBefore()
		if !operand.IsDiagnostic(e.Expr) {
			a.s.afresh()
		}
		if to == nil {
			a.s.before = before
			one := &ast.Set{Comments: n.Comments, Exprs: ast.SetVarExprs{e}}
			if err := a.attempt(func(ctx *sql.Context) error { return a.evaluate(ctx, one, nil) }); err != nil {
				return err
			}
			if !operand.IsDiagnostic(e.Expr) {
				a.counted(0, 0)
			}
			continue
		}
		v, err := a.assigned(e.Expr)
		if err == nil {
			err = a.kept(to, v)
		}
		if err != nil {
			if e.Name.Qualifier.IsEmpty() { // it is no column of a trigger's row
				_ = a.hold(to, nil) // never fails
			}
			return err
		}
	}
	return nil
}

// kept assigns, and notes the warnings.
func (a *activation) kept(to *programs.Variable, v any) error {
	if n, ok := v.(int64); ok {
		if held := programs.HeldInteger(to.Column.Type, n); held != nil {
			return a.take(to, held)
		}
	}
	before := a.s.noWarnings()
	err := a.assign(a.context(), to, v)
	a.s.keep(before)
	return err
}

// variableAt is the variable that a part of a SET is about; nil: it is none of the program's.
func (a *activation) variableAt(e *ast.SetVarExpr) *programs.Variable {
	if e.Scope != ast.SetScope_None {
		return nil
	}
	return a.named(e.Name)
}

// assigned computes the value of an assignment, a first value or an argument. Strict mode makes
// warnings of it errors, as for values of columns.
func (a *activation) assigned(e ast.Expr) (v any, err error) {
	defer func(before bool) { a.strict = before }(a.strict)
	a.strict = true
	v, _, err = a.Value(e)
	return v, err
}

// warned is the error that strict mode makes of the warnings of such a value.
func (a *activation) warned(ctx *sql.Context) error {
	if !a.strict || a.s.WarningCount() == 0 {
		return nil
	}
	store := newKeeper(ctx)
	return store.Warned(ctx, 0)
}

// Value computes an expression.
func (a *activation) Value(e ast.Expr) (v any, t sql.Type, err error) {
	if c, ok := e.(*ast.ColName); ok {
		if known := a.named(c); known != nil {
			return known.Value, known.Column.Type, nil
		}
	}
	c, learn := a.computed(e)
	switch {
	case learn:
		if v, t, err = a.planned(e, c); err == nil || c.slots == nil {
			return v, t, err
		}
		c.slots = nil // with a literal in the place of each variable there may be no error
	case c != nil && c.expr != nil:
		v, err = c.evaluate(a)
		return v, c.typ, err
	}
	return a.planned(e, nil)
}

// planned has GMS plan and compute an expression; c is to be completed by its plan if it is not
// nil.
func (a *activation) planned(e ast.Expr, c *computed) (v any, t sql.Type, err error) {
	stmt := &ast.Select{SelectExprs: ast.SelectExprs{&ast.AliasedExpr{Expr: e}}}
	if a.learns = c; c != nil {
		defer a.s.ownPlan()()
	}
	defer func() { a.learns = nil }()
	err = a.attempt(func(ctx *sql.Context) error {
		return a.evaluate(ctx, stmt, func(ctx *sql.Context, schema sql.Schema, rows []sql.Row) error {
			if len(rows) != 1 || len(rows[0]) != 1 {
				return sqlerr.NewError(1241, "Operand should contain 1 column(s)")
			}
			t = schema[0].Type
			v, err = sql.UnwrapAny(ctx, rows[0][0])
			if c != nil && err == nil {
				c.learned(ctx, a)
			}
			return err
		})
	})
	return v, t, err
}

// ownPlan lets Root tell the plan of an expression that is computed next. What it gives is called
// when that is done: in a trigger or function, the statement's plan is that of the caller.
func (s *Session) ownPlan() (done func()) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	before, nested := s.Stmt.root, s.Stmt.Depth > 0
	s.Stmt.root = nil
	return func() {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		if nested {
			s.Stmt.root = before
		}
	}
}

// evaluate runs what is no statement to a client: the counts and warnings of the statement before
// stay.
func (a *activation) evaluate(ctx *sql.Context, stmt ast.Statement, take func(ctx *sql.Context, schema sql.Schema, rows []sql.Row) error) error {
	info := a.s.GetLastQueryInfo()
	changed, found := info.RowCount.Load(), info.FoundRows.Load()
	before := a.s.noWarnings()
	schema, iter, err := a.query(ctx, stmt)
	if err == nil {
		var rows []sql.Row
		if rows, err = sql.RowIterToRows(ctx, iter); err == nil && take != nil {
			err = take(ctx, schema, rows)
		}
	}
	if err == nil {
		err = a.warned(ctx)
	}
	a.s.keep(before)
	info.RowCount.Store(changed)
	info.FoundRows.Store(found)
	return err
}

// holds computes a condition.
func (a *activation) holds(e ast.Expr) (bool, error) {
	a.s.afresh()
	v, _, err := a.Value(e)
	if err != nil || v == nil {
		return false, err
	}
	if n, ok := v.(int64); ok {
		return n != 0, nil
	}
	return sql.ConvertToBool(a.evaluating(), v)
}

// noWarnings puts the warnings aside.
func (s *Session) noWarnings() []*sql.Warning {
	before := s.BaseSession.Warnings()
	s.ClearWarnings()
	return before
}

// leave notes the warnings that a statement has left in the place of those before.
func (s *Session) leave() {
	left := warningsOf(s)
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.diagnostics.Current, s.diagnostics.Fresh = left, left
}

// keep notes them too, behind those before.
func (s *Session) keep(before []*sql.Warning) {
	if len(before) > 0 {
		slices.Reverse(before)
		s.warnBehind(before)
	}
	left := warningsOf(s)
	if len(left) == len(before) {
		return
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.diagnostics.Current, s.diagnostics.Fresh = left, append(s.diagnostics.Fresh, left[len(before):]...)
}
