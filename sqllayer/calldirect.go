package sqllayer

// A client's CALL whose arguments are literals, parameters and variables of the session runs
// without GMS's planner. Any other goes to GMS, which comes to the same procedure (builder.call).

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/programs"
)

// Call runs a CALL; mine is false if GMS has to run it: nothing has happened then. binds are the
// values of the statement's parameters, outs take those that the procedure gives them; GMS, too,
// gives them there until EndCall.
func (s *Session) Call(ctx *sql.Context, text string, binds map[string]ast.Expr, outs programs.Outs) (schema sql.Schema, iter sql.RowIter, mine bool, err error) {
	n := s.readCall(ctx, text)
	if n == nil {
		return nil, nil, false, nil
	}
	defer func() {
		if !mine && err == nil {
			s.passTargets(outs.Targets(n))
		}
	}()
	args := make([]programs.CallArgument, len(n.Params))
	for i, e := range n.Params {
		var ok bool
		if args[i], ok = s.plainArgument(e, binds); !ok {
			return nil, nil, false, nil
		}
		if to := outs.Target(e); to != nil {
			args[i].To = to
		}
	}
	if n.ProcName.Qualifier.IsEmpty() {
		n.ProcName.Qualifier = ast.NewTableIdent(ctx.GetCurrentDatabase())
	}
	p, err := s.called(ctx, n)
	if p == nil || err != nil {
		return nil, nil, err != nil, err
	}
	defer func() {
		if err != nil && !ctx.GetIgnoreAutoCommit() && s.settings().autocommit {
			ctx.SetTransaction(nil)
		}
	}()
	if err = s.beginCall(ctx); err != nil {
		s.Done(p, false)
		return nil, nil, true, err
	}
	c := &Calling{P: p, Ctx: ctx}
	for i := range args {
		if err = c.Pass(args[i].To, func() (any, error) { return args[i].Value, nil }); err != nil {
			s.Done(p, true)
			return nil, nil, true, err
		}
	}
	a, err := s.RunProcedure(c, s.layer.Engine)
	if err != nil {
		return nil, nil, true, err
	}
	schema, iter = a.Outcome()
	iter, err = rowexec.AddTransactionCommittingIter(ctx, &sql.QueryFlags{}, iter)
	return schema, iter, true, err
}

// readCall is the tree of a CALL that is about to run; nil if it cannot be read.
func (s *Session) readCall(ctx *sql.Context, text string) *ast.Call {
	if stmt, ok := s.GetPreparedQuery(sql.RemoveSpaceAndDelimiter(text, ';')); ok {
		n, _ := stmt.(*ast.Call)
		if n != nil {
			copied := *n // the tree is run again
			n = &copied
		}
		return n
	}
	stmt, _, _, err := new(Parser).Parse(ctx, text, false)
	if err != nil {
		return nil
	}
	n, _ := stmt.(*ast.Call)
	return n
}

// beginCall begins the statement as GMS begins one.
func (s *Session) beginCall(ctx *sql.Context) error {
	if err := s.ValidateSession(ctx); err != nil {
		return err
	}
	if ctx.GetTransaction() != nil {
		return nil
	}
	t, err := s.StartTransaction(ctx, sql.ReadWrite)
	if err != nil {
		return err
	}
	ctx.SetTransaction(t)
	return nil
}

// plainArgument reads an argument that needs no planner.
func (s *Session) plainArgument(e ast.Expr, binds map[string]ast.Expr) (a programs.CallArgument, ok bool) {
	switch n := e.(type) {
	case *ast.NullVal:
		return a, true
	case *ast.SQLVal:
		if n.Type == ast.ValArg {
			given, ok := binds[strings.TrimPrefix(string(n.Val), ":")]
			if _, again := given.(*ast.SQLVal); !ok || again && given.(*ast.SQLVal).Type == ast.ValArg {
				return a, false
			}
			return s.plainArgument(given, nil)
		}
		a.Value, ok = programs.PlainLiteral(n)
		return a, ok
	case *ast.ColName:
		if a.To = programs.UserTarget(n); a.To == nil {
			return a, false
		}
		_, v, err := s.GetUserVariable(nil, strings.TrimPrefix(n.Name.String(), "@"))
		a.Value = v
		return a, err == nil
	}
	return a, false
}
