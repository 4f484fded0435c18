package server

// PREPARE, EXECUTE and DEALLOCATE PREPARE. EXECUTE becomes the statement that it names, and goes
// its way.

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/server/commands"
	"emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sqllayer"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/sqlerr"
)

// prepareNamed is PREPARE. Whatever becomes of the new statement, one of the same name is gone.
func (x *execution) prepareNamed(ctx *sql.Context, n *ast.Prepare) error {
	x.w.tally(commands.Com("stmt_prepare"))
	name := strings.ToLower(n.Name.Name)
	x.w.closeNamed(name)
	text, err := x.preparedText(ctx, n.From)
	if err != nil {
		return err
	}
	st, err := x.w.readPrepared(ctx.Session, text)
	if err != nil {
		return err
	}
	defer warnWritten(ctx.Session, st) // planning clears warnings
	if err := x.h.s.mayPrepare(); err != nil {
		return err
	}
	sub := *x
	sub.set(st)
	if !x.program {
		if err := sub.permittedToPrepare(ctx); err != nil {
			return err
		}
	}
	defer planning(ctx)()
	inner := ctx.WithQuery(sub.query)
	ready, _, err := sub.ready(inner, st, sub.query)
	if err != nil {
		return sqllayer.Detail(inner, err)
	}
	if err := x.w.keepPrepared(ready); err != nil {
		return err
	}
	if x.w.named == nil {
		x.w.named = make(map[string]*preparedStatement)
	}
	x.w.named[name] = ready
	return nil
}

// permittedToPrepare refuses statements that LOCK TABLES and READ ONLY transactions forbid already
// when they are prepared.
func (x *execution) permittedToPrepare(ctx *sql.Context) error {
	if x.w.inside {
		return nil
	}
	if x.stmt.Has(effect.Changes) && !x.stmt.Has(effect.Commits) && x.inReadOnlyTransaction() && !x.changesOnly(ctx, (*sqllayer.Session).IsTemporary) {
		return errReadOnlyTransaction
	}
	return x.locksForbid(ctx)
}

// preparedText is the text that PREPARE names.
func (x *execution) preparedText(ctx *sql.Context, from ast.Expr) (string, error) {
	if n, ok := from.(*ast.Literal); ok {
		return n.Text, nil
	}
	v, ok := from.(*ast.UserVar)
	if !ok {
		return "", x.unsupported()
	}
	_, value, err := ctx.GetUserVariable(ctx, strings.ToLower(v.Name.Name))
	if err != nil || value == nil {
		return "NULL", err
	}
	if b, ok := value.([]byte); ok {
		return string(b), nil
	}
	return fmt.Sprint(value), nil
}

// closeNamed forgets a statement of PREPARE.
func (w *wireConn) closeNamed(name string) (known bool) {
	p := w.named[name]
	if p == nil {
		return false
	}
	delete(w.named, name)
	w.dropPrepared(p)
	w.tally(commands.Com("stmt_close"))
	return true
}

// deallocate is DEALLOCATE PREPARE.
func (x *execution) deallocate(_ *sql.Context, n *ast.Deallocate) error {
	if !x.w.closeNamed(strings.ToLower(n.Name.Name)) {
		return unknownName(n.Name.Name, "DEALLOCATE PREPARE")
	}
	return nil
}

func unknownName(name, where string) error {
	return sqlerr.NewError(1243, "Unknown prepared statement handler (%s) given to %s", name, where)
}

// executeNamed makes the statement that EXECUTE names the execution's.
func (x *execution) executeNamed(ctx *sql.Context, n *ast.Execute) error {
	p := x.w.named[strings.ToLower(n.Name.Name)]
	if p == nil {
		return unknownName(n.Name.Name, "EXECUTE")
	}
	if p.Params != len(n.Vars) {
		return sqlerr.NewError(1210, "Incorrect arguments to EXECUTE")
	}
	x.values, x.using, x.outs = nil, nil, nil
	known, kept := true, memory.Keep(ctx)
	for i, v := range n.Vars {
		t, value, err := ctx.GetUserVariable(ctx, strings.ToLower(v.Name.Name))
		if err != nil {
			return err
		}
		if x.values == nil {
			x.values = make(map[string]sqlparser.Expr, len(n.Vars))
		}
		if err := kept.Add(2 * memory.ValueSize(value)); err != nil { // each way to run has a copy
			return err
		}
		x.values[fmt.Sprintf("v%d", i+1)] = sqllayer.ValueExpr(ctx, t, value)
		e, err := valueOfVariable(t, value)
		x.using, known = append(x.using, e), known && err == nil
	}
	if !known {
		x.using = nil
	}
	if _, calls := p.Tree.(*ast.Call); calls {
		x.outs = outVariables(n)
	}
	x.w.tally(comExecute)
	x.set(p.Statement)
	x.w.tally(x.counter)
	x.prepared = p
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		x.known(s)
	}
	return x.permitted(ctx)
}
