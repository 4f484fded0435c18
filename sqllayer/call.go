package sqllayer

// CALL. GMS runs a procedure while it builds the CALL and keeps the result set of the last SELECT. MySQL sends every result set when its statement has run,
// and after them an OK packet with the count of the last statement. So the statements of a procedure run through caller, which hands result sets to
// the session's receiver. Without a receiver (events, internal sessions) the last result set is the CALL's.

import (
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/procedures"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// ResultReceiver takes a result set of a procedure; it reads iter to its end or an error, and leaves closing it to the caller.
type ResultReceiver func(ctx *sql.Context, schema sql.Schema, columns []ResultColumn, iter sql.RowIter) error

// ReceiveResults sets who gets the result sets of the procedures that the command calls, to the command's end.
func (s *Session) ReceiveResults(r ResultReceiver) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.receiver = r
}

func (s *Session) results() ResultReceiver {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stmt.depth > 0 {
		return nil // a trigger's statements have no results
	}
	return s.receiver
}

// call runs a procedure and tells the session so.
func (b *builder) call(ctx *sql.Context, n *plan.Call, r sql.Row) (sql.RowIter, error) {
	s := sessionOf(ctx)
	before, known := s.enterCall(n)
	if known {
		return nil, nil // this is the builder's own call below
	}
	defer s.leaveCall(before)
	c := &caller{s: s, runner: n.GetRunner(), receive: s.results()}
	if n.Procedure == nil || n.Procedure.ExternalProc != nil || c.runner == nil {
		return b.base.Build(ctx, n, r)
	}
	defer c.release()
	c.names = declaredIn(n, n.GetStatements())
	c.learn(n.GetStatements())
	running := n.SetStatementRunner(ctx, c).(*plan.Call)
	s.continueCall(running)
	iter, err := b.base.Build(ctx, running, r)
	if err != nil {
		return nil, err
	}
	if c.receive == nil {
		n.SetSchema(running.Schema(ctx))
		return iter, nil
	}
	if err := iter.Close(ctx); err != nil {
		return nil, err
	}
	n.SetSchema(types.OkResultSchema)
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(int(c.affected)))), nil
}

// enterCall notes that n runs; known tells that this was noted already.
func (s *Session) enterCall(n sql.Node) (before sql.Node, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.call = s.call, n
	return before, before == n
}

// continueCall notes that the CALL goes on as n.
func (s *Session) continueCall(n sql.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.call = n
}

func (s *Session) leaveCall(before sql.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.call = before
}

// into is where the row of a SELECT goes.
type into struct {
	clause    *ast.Into
	variables ast.Variables
}

// caller is the sql.StatementRunner of one CALL.
type caller struct {
	s        *Session
	runner   sql.StatementRunner
	receive  ResultReceiver
	shown    map[*ast.Select][]string // SELECTs whose rows are a result set, with the names of their columns; the others are conditions and the like
	into     map[*ast.Select]into     // what GMS takes off a SELECT ... INTO before it runs it
	notFound bool                     // there is a handler for NOT FOUND
	cursors  map[ast.Statement]bool   // what cursors are for
	names    map[string]sql.Type      // of parameters and variables
	places   map[ast.Statement]*variablePlaces
	affected uint64 // by the last statement

	sets   map[*ast.Select]*sql.Column // values on their way into a variable
	args   map[string]any              // of a function, until they are asked for
	result *functionValue              // of a function
}

// learn finds out what the SELECTs of the procedure are for.
func (c *caller) learn(ops []*procedures.InterpreterOperation) {
	if c.shown == nil {
		c.shown, c.into, c.cursors = make(map[*ast.Select][]string), make(map[*ast.Select]into), make(map[ast.Statement]bool)
		c.places, c.sets = make(map[ast.Statement]*variablePlaces), make(map[*ast.Select]*sql.Column)
	}
	for _, op := range ops {
		switch n := op.PrimaryData.(type) {
		case *ast.Select:
			if op.OpCode == procedures.OpCode_Set {
				c.sets[n] = c.variable(op.Target)
			}
			if op.OpCode != procedures.OpCode_Select {
				continue
			}
			if n.Into != nil {
				c.into[n] = into{n.Into, n.Into.Variables}
			} else {
				c.shown[n] = columnNames(n)
			}
		case *ast.Declare:
			if n.Cursor != nil {
				c.cursors[n.Cursor.SelectStmt] = true
			}
			if n.Handler == nil {
				continue
			}
			for _, v := range n.Handler.ConditionValues {
				c.notFound = c.notFound || v.ValueType == ast.DeclareHandlerCondition_NotFound
			}
			c.learn(handlerBody(n.Handler))
		}
	}
	for _, op := range ops {
		c.look(op.PrimaryData)
		if d, ok := op.PrimaryData.(*ast.Declare); ok && d.Cursor != nil {
			c.look(d.Cursor.SelectStmt)
		}
	}
}

// look notes where the variables of a statement stand.
func (c *caller) look(stmt ast.Statement) {
	if c.places[stmt] != nil {
		return
	}
	if v := findVariables(stmt, c.names); v != nil {
		c.places[stmt] = v
	}
}

// release leaves the statements as they were: a trigger calls the procedure again for the next row.
func (c *caller) release() {
	for _, v := range c.places {
		v.release()
	}
}

// variable describes a variable; nil if its type is not known.
func (c *caller) variable(name string) *sql.Column {
	t := c.names[strings.ToLower(name)]
	if t == nil {
		return nil
	}
	return &sql.Column{Name: name, Type: t, Nullable: true}
}

// argument gives a parameter of a function its value, the first time it is set.
func (c *caller) argument(ctx *sql.Context, stmt ast.Statement) (sql.RowIter, error) {
	sel, ok := stmt.(*ast.Select)
	if !ok || c.sets[sel] == nil {
		return nil, nil
	}
	to := c.sets[sel]
	v, ok := c.args[to.Name]
	if !ok {
		return nil, nil
	}
	delete(c.args, to.Name)
	v, err := plainText(ctx, to.Type, v)
	return sql.RowsToRowIter(sql.Row{v}), err
}

// kept reads the value on its way into a variable and makes it one of the variable's type.
func (c *caller) kept(ctx *sql.Context, iter sql.RowIter, to *sql.Column) (sql.RowIter, error) {
	rows, err := sql.RowIterToRows(ctx, iter)
	if err != nil || len(rows) != 1 || len(rows[0]) != 1 {
		return sql.RowsToRowIter(rows...), err
	}
	store := newStorer(ctx, false)
	store.row = 1
	v, err := store.kept(ctx, to, rows[0][0])
	if err != nil {
		return nil, err
	}
	if c.result != nil && to.Name == functionResult {
		c.result.value, c.result.set = v, true
	}
	v, err = plainText(ctx, to.Type, v)
	return sql.RowsToRowIter(sql.Row{v}), err
}

// QueryWithBindings implements sql.StatementRunner.
func (c *caller) QueryWithBindings(ctx *sql.Context, query string, stmt ast.Statement, binds map[string]ast.Expr, flags *sql.QueryFlags) (sql.Schema, sql.RowIter, *sql.QueryFlags, error) {
	schema, iter, flags, err := c.run(ctx, query, stmt, binds, flags)
	if err != nil {
		c.s.caught(err)
	}
	return schema, iter, flags, err
}

func (c *caller) run(ctx *sql.Context, query string, stmt ast.Statement, binds map[string]ast.Expr, flags *sql.QueryFlags) (sql.Schema, sql.RowIter, *sql.QueryFlags, error) {
	if iter, err := c.argument(ctx, stmt); iter != nil || err != nil {
		return nil, iter, flags, err
	}
	if v := c.places[stmt]; v != nil {
		v.resolve()
		defer v.show() // a loop comes back to it
	}
	c.s.inProcedure(ctx, stmt)
	schema, iter, flags, err := c.runner.QueryWithBindings(ctx, query, stmt, binds, flags)
	sel, isSelect := stmt.(*ast.Select)
	if target, ok := c.into[sel]; ok && isSelect {
		sel.Into = target.clause // a loop comes back to it
		if err == nil {
			iter, err = c.assign(ctx, iter, target)
		}
		return schema, iter, flags, err
	}
	if isSelect && err == nil && c.sets[sel] != nil {
		iter, err = c.kept(ctx, iter, c.sets[sel])
	}
	if err != nil || c.receive == nil {
		return schema, iter, flags, err
	}
	switch {
	case types.IsOkResultSchema(schema):
		iter, err = c.count(ctx, iter)
	case isSelect && c.shown[sel] != nil, !isSelect && !c.cursors[stmt] && len(schema) > 0:
		c.affected = 0
		shown, columns := c.described(ctx, schema, c.shown[sel])
		err = c.receive(ctx, shown, columns, iter)
		if cerr := iter.Close(ctx); err == nil {
			err = cerr
		}
		iter = sql.RowsToRowIter()
	}
	return schema, iter, flags, err
}

// columnNames gives the names that columns have by the variables they show, "" for the others: GMS puts values in the place of variables.
func columnNames(n *ast.Select) []string {
	names := make([]string, len(n.SelectExprs))
	for i, e := range n.SelectExprs {
		if a, ok := e.(*ast.AliasedExpr); ok && a.As.String() == "" {
			if c, ok := a.Expr.(*ast.ColName); ok {
				names[i] = c.Name.String()
			}
		}
	}
	return names
}

// described is the schema with those names. A whole number has the type of its variable, not of its value.
func (c *caller) described(ctx *sql.Context, schema sql.Schema, names []string) (sql.Schema, []ResultColumn) {
	columns := c.s.ResultColumns(ctx, schema)
	if len(names) != len(schema) {
		return schema, columns // a star
	}
	out := schema.Copy()
	for i, name := range names {
		if name == "" {
			continue
		}
		out[i].Name = name
		if t := c.names[strings.ToLower(name)]; t != nil && types.IsInteger(t) && types.IsInteger(out[i].Type) {
			out[i].Type, columns[i].Computed = t, false
		}
	}
	return out, columns
}

// assign reads the row of a SELECT ... INTO. GMS starts the procedure anew when there is none, or more than one.
func (c *caller) assign(ctx *sql.Context, iter sql.RowIter, target into) (sql.RowIter, error) {
	row, err := iter.Next(ctx)
	empty := err == io.EOF
	if err == nil {
		if _, err = iter.Next(ctx); err == nil {
			err = NewError(1172, "Result consisted of more than one row")
		}
	}
	if err == io.EOF {
		err = nil
	}
	if cerr := iter.Close(ctx); err == nil {
		err = cerr
	}
	target.clause.Variables = target.variables
	switch {
	case err != nil:
		return nil, err
	case empty && c.notFound:
		return nil, expression.FetchEOF
	case empty:
		ctx.Warn(1329, "No data - zero rows fetched, selected, or processed")
		target.clause.Variables, row = nil, sql.Row{}
	}
	return sql.RowsToRowIter(row), nil
}

// count notes how many rows a statement has changed.
func (c *caller) count(ctx *sql.Context, iter sql.RowIter) (sql.RowIter, error) {
	var rows []sql.Row
	for {
		row, err := iter.Next(ctx)
		if err == io.EOF {
			return sql.RowsToRowIter(rows...), iter.Close(ctx)
		}
		if err != nil {
			_ = iter.Close(ctx) // the error to tell is the first
			return nil, err
		}
		if ok, is := row[0].(types.OkResult); is {
			c.affected = ok.RowsAffected
		}
		rows = append(rows, row)
	}
}
