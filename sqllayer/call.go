package sqllayer

// CALL. GMS runs a procedure while it builds the CALL and keeps the result set of the last SELECT.
// MySQL sends every result set when its statement has run, and after them an OK packet with the
// count of the last statement. So result sets go to the session's receiver. Without a receiver
// (events, internal sessions) the last result set is the CALL's.

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
)

// ResultReceiver takes a result set of a procedure; it reads iter to its end or an error, and
// leaves closing it to the caller.
type ResultReceiver func(ctx *sql.Context, schema sql.Schema, columns []ResultColumn, iter sql.RowIter) error

// Serve sets who gets the result sets of the procedures that the command calls, and who runs their
// statements that are the server's, to the command's end.
func (s *Session) Serve(r ResultReceiver, t TextRunner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.receiver, s.texts = r, t
}

func (s *Session) results() ResultReceiver {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stmt.depth > 0 {
		return nil // a trigger's statements have no results
	}
	return s.receiver
}

// callTarget takes the value of an OUT or INOUT parameter.
type callTarget func(ctx *sql.Context, v any, t sql.Type) error

// targets are those arguments of a CALL in a program that are its variables.
func (a *activation) targets(n *ast.Call) []callTarget {
	out := make([]callTarget, len(n.Params))
	for i, p := range n.Params {
		c, ok := p.(*ast.ColName)
		if !ok {
			continue
		}
		if to := a.named(c); to != nil && !to.fixed {
			out[i] = func(ctx *sql.Context, v any, _ sql.Type) error { return a.assign(ctx, to, v) }
		}
	}
	return out
}

// NewStoredProcParam implements sql.Session: GMS is not to keep parameters by their names, which a
// procedure within may have too.
func (s *Session) NewStoredProcParam(_ string, p *sql.StoredProcParam) *sql.StoredProcParam { return p }

// passTargets is for the CALL that is run next.
func (s *Session) passTargets(t []callTarget) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passed = t
}

func (s *Session) takeTargets() []callTarget {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.passed
	s.passed = nil
	return t
}

// call runs a procedure.
func (b *builder) call(ctx *sql.Context, n *plan.Call, r sql.Row) (sql.RowIter, error) {
	s := sessionOf(ctx)
	passed := s.takeTargets()
	body, ok := programOf(n.Procedure)
	d, known := ownDatabase(n.Database())
	if !ok || !known || n.GetRunner() == nil {
		return nil, nil
	}
	store := newKeeper(ctx)
	targets := make([]callTarget, len(n.Params))
	params := make(map[string]*variable, len(n.Params))
	for i, p := range n.Procedure.Params {
		t, err := d.textsOf(p.Type)
		if err != nil {
			return nil, err
		}
		v := &variable{column: &sql.Column{Name: p.Name, Type: t, Nullable: true}}
		params[strings.ToLower(p.Name)] = v
		if p.Direction != plan.ProcedureParamDirection_In {
			if targets[i] = targetOf(n.Params[i]); i < len(passed) && passed[i] != nil {
				targets[i] = passed[i]
			}
			if targets[i] == nil {
				return nil, NewError(1414, "OUT or INOUT argument %d for routine %s.%s is not a variable or NEW pseudo-variable in BEFORE trigger", i+1, d.name, n.Procedure.Name)
			}
		}
		if p.Direction == plan.ProcedureParamDirection_Out {
			continue
		}
		given, err := n.Params[i].Eval(ctx, r)
		if err != nil {
			return nil, err
		}
		if v.value, err = store.kept(ctx, v.column, given); err != nil {
			return nil, err
		}
	}
	if err := b.mayRecurse(ctx, s, tableName{d.name, strings.ToLower(n.Procedure.Name)}); err != nil {
		return nil, err
	}
	stored, _, err := find[storedProcedure](ctx, d, catalog.KindProcedure, n.Procedure.Name)
	if err != nil {
		return nil, err
	}
	restore, err := s.inMode(ctx, stored.SqlMode)
	if err != nil {
		return nil, err
	}
	defer restore()
	if n.Procedure.SecurityContext == plan.ProcedureSecurityContext_Definer {
		leave, err := s.runAs(ctx, roleOf(stored.completed(d, n.Procedure.Definer).Definer), d.name, stored.Name, true)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	a := s.newActivation(ctx, d, n.Procedure.Name, n.GetRunner())
	defer a.end()
	a.receive, a.frame.variables = s.results(), params
	if err := a.run(body); err != nil {
		return nil, err
	}
	for i, p := range n.Procedure.Params {
		if targets[i] == nil {
			continue
		}
		if err := targets[i](ctx, params[strings.ToLower(p.Name)].value, p.Type); err != nil {
			return nil, err
		}
	}
	if a.schema != nil {
		n.SetSchema(a.schema)
		return sql.RowsToRowIter(a.rows...), nil
	}
	n.SetSchema(types.OkResultSchema)
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(int(a.affected)))), nil
}

// targetOf is an argument that takes a value; nil: it is none.
func targetOf(arg sql.Expression) callTarget {
	switch arg := arg.(type) {
	case *expression.UserVar:
		return func(ctx *sql.Context, v any, t sql.Type) error { return ctx.SetUserVariable(ctx, arg.Name, v, t) }
	case *expression.ProcedureParam: // a variable of a trigger
		return func(ctx *sql.Context, v any, t sql.Type) error { return arg.Set(ctx, v, t) }
	}
	return nil
}

// mayRecurse refuses a procedure that calls itself deeper than max_sp_recursion_depth.
func (b *builder) mayRecurse(ctx *sql.Context, s *Session, name tableName) error {
	if b.layer.opts.Plain {
		return nil
	}
	s.mu.Lock()
	running := uint64(0)
	for a := s.program; a != nil; a = a.outer {
		if a.name == name && a.result == nil {
			running++
		}
	}
	s.mu.Unlock()
	if running == 0 {
		return nil
	}
	v, err := ctx.GetSessionVariable(ctx, "max_sp_recursion_depth")
	if err != nil {
		return err
	}
	if limit := asCount(v); running > limit {
		return NewError(1456, "Recursive limit %d (as set by the max_sp_recursion_depth variable) was exceeded for routine %s", limit, name.name)
	}
	return nil
}

// shownColumn is a column of a result set.
type shownColumn struct {
	name  string    // as written; "": GMS knows it
	shown *variable // nil: it shows something else
}

// shownColumns finds what the columns of a SELECT show: values are in the places of the names when
// GMS describes them.
func (a *activation) shownColumns(stmt ast.Statement) (out []shownColumn) {
	n, ok := stmt.(*ast.Select)
	if !ok {
		return nil
	}
	for _, e := range n.SelectExprs {
		item, ok := e.(*ast.AliasedExpr)
		if !ok {
			return nil // a star: the columns are counted otherwise
		}
		var column shownColumn
		c, ok := item.Expr.(*ast.ColName)
		if ok && c.Qualifier.IsEmpty() {
			column.shown = a.variable(c.Name.String())
		}
		if column.shown != nil && item.As.IsEmpty() {
			column.name = c.Name.String()
		}
		out = append(out, column)
	}
	return out
}

// described gives a result set as the client is to see it: a column that shows a variable has its
// name, its type and its value.
func (a *activation) described(ctx *sql.Context, schema sql.Schema, shown []shownColumn, iter sql.RowIter) (sql.Schema, []ResultColumn, sql.RowIter) {
	columns := slices.Clone(a.shown)
	if !a.straight {
		columns = a.s.ResultColumns(ctx, schema)
	}
	if len(shown) != len(schema) {
		return schema, columns, iter
	}
	schema = schema.Copy()
	for i, c := range shown {
		if c.name != "" {
			schema[i].Name = c.name
		}
		if c.shown != nil {
			schema[i].Type, schema[i].Nullable, columns[i].Computed = c.shown.column.Type, true, false
		}
	}
	return schema, columns, &showing{RowIter: iter, shown: shown}
}

// showing puts the values of variables into rows.
type showing struct {
	sql.RowIter
	shown []shownColumn
}

// Next implements sql.RowIter.
func (i *showing) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	row = row.Copy()
	for at, c := range i.shown {
		if c.shown != nil {
			row[at] = c.shown.value
		}
	}
	return row, nil
}
