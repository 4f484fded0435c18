package sqllayer

// Statements of stored programs that only the server can run: they stand in the body as a CALL of
// their own text, see lower.TextCall, and are run as if a client had sent it. What stands behind
// the text are expressions, which may have variables of the program.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/programs"
)

// runText runs a statement by its text.
func (a *activation) runText(called *lower.Text, operands []ast.Expr) error {
	text := string(called.Val)
	if strings.EqualFold(text, "do") {
		n := &ast.Select{}
		for _, e := range operands {
			n.SelectExprs = append(n.SelectExprs, &ast.AliasedExpr{Expr: e})
		}
		return a.attempt(func(ctx *sql.Context) error {
			a.s.noWarnings()
			err := a.evaluate(ctx, n, nil)
			a.counted(0, 0)
			return err
		})
	}
	for _, e := range operands {
		v, t, err := a.Value(e)
		if err != nil {
			return err
		}
		text += " " + ast.String(literal(a.parent, t, v))
	}
	a.s.Mu.Lock()
	run, nested := a.s.texts, a.s.Stmt.Depth > 0
	a.s.Mu.Unlock()
	if nested {
		if err := programs.RefusedStatement(text, called.Tree, "function"); err != nil {
			return err
		}
	}
	err := a.attempt(func(ctx *sql.Context) error {
		a.s.noWarnings()
		if n, ok := called.Tree.(*sqlast.Show); ok && programs.ShowsConditions[n.Kind] {
			a.s.told()
		}
		a.s.inProcedure(ctx)
		a.s.nextDefinition()
		if effect.Of(called.Tree).Has(effect.Defines) {
			a.s.SetStatement(text)
		}
		var stands programs.Bound
		if run != nil {
			served, other, err := run(ctx, text, a.receive != nil)
			if served || err != nil {
				rows := int64(0)
				if other.Sent {
					rows = -1
				}
				a.counted(0, rows)
				a.s.leave()
				return err
			}
			if stands = other; stands.Text != "" {
				text, ctx = stands.Text, ctx.WithQuery(stands.Text)
				defer stands.Done()
			}
		}
		if len(stands.Outs) > 0 {
			a.s.passTargets(stands.Outs.Targets(a.s.readCall(ctx, text)))
			defer a.s.EndCall()
		}
		schema, iter, _, err := a.runner.QueryWithBindings(ctx, text, nil, stands.Values, nil)
		if err == nil {
			err = a.deliver(ctx, nil, nil, schema, iter)
		}
		if err == nil && !nested {
			err = a.s.LogUnchanged(ctx, called.Tree, text)
		}
		a.s.leave()
		return err
	})
	if err != nil {
		err = Detail(a.context().WithQuery(text), err)
	}
	return err
}

// told puts the warnings of the last statement that has left some where SHOW WARNINGS finds them.
func (s *Session) told() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for _, c := range s.diagnostics.Current {
		s.BaseSession.Warn(&sql.Warning{Level: c.Level, Code: c.Num, Message: c.Message})
	}
}

// committing refuses it in a procedure that a function or trigger calls. Elsewhere a definition
// commits the open transaction, even if it fails.
func (a *activation) committing(stmt ast.Statement) error {
	a.s.Mu.Lock()
	defer a.s.Mu.Unlock()
	switch {
	case a.s.Stmt.Depth > 0:
		return (&programs.Checker{Routine: "function"}).EndsTransaction(stmt)
	case a.s.branch.state != noBranch || !programs.Commits(stmt):
		return nil
	}
	return a.s.commitOpen(a.context())
}
