package sqllayer

// A client's CALL whose arguments are literals, parameters and variables of the session runs
// without GMS's planner. Any other goes to GMS, which comes to the same procedure (builder.call).

import (
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Call runs a CALL; mine is false if GMS has to run it: nothing has happened then. binds are the
// values of parameters.
func (s *Session) Call(ctx *sql.Context, text string, binds map[string]ast.Expr) (schema sql.Schema, iter sql.RowIter, mine bool, err error) {
	n := s.readCall(ctx, text)
	if n == nil {
		return nil, nil, false, nil
	}
	args := make([]callArgument, len(n.Params))
	for i, e := range n.Params {
		var ok bool
		if args[i], ok = s.plainArgument(e, binds); !ok {
			return nil, nil, false, nil
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
		s.done(p, false)
		return nil, nil, true, err
	}
	c := &calling{p: p, ctx: ctx}
	for i := range args {
		if err = c.pass(args[i].to, func() (any, error) { return args[i].value, nil }); err != nil {
			s.done(p, true)
			return nil, nil, true, err
		}
	}
	a, err := s.runProcedure(c, s.layer.Engine)
	if err != nil {
		return nil, nil, true, err
	}
	schema, iter = a.outcome()
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
	stmt, _, _, err := new(parser).Parse(ctx, text, false)
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

// callArgument is one of a client's CALL.
type callArgument struct {
	value any
	to    callTarget // nil: it takes no value
}

// plainArgument reads an argument that needs no planner.
func (s *Session) plainArgument(e ast.Expr, binds map[string]ast.Expr) (a callArgument, ok bool) {
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
		a.value, ok = plainLiteral(n)
		return a, ok
	case *ast.ColName:
		if a.to = userTarget(n); a.to == nil {
			return a, false
		}
		_, v, err := s.GetUserVariable(nil, strings.TrimPrefix(n.Name.String(), "@"))
		a.value = v
		return a, err == nil
	}
	return a, false
}

// plainLiteral is the value of a literal as an expression would have it.
func plainLiteral(n *ast.SQLVal) (v any, ok bool) {
	text := string(n.Val)
	switch n.Type {
	case ast.StrVal:
		return text, true
	case ast.IntVal:
		i, err := strconv.ParseInt(text, 10, 64)
		return i, err == nil
	case ast.FloatVal:
		if strings.ContainsAny(text, "eE") {
			return nil, false
		}
		d, _, err := apd.NewFromString(text)
		return d, err == nil
	}
	return nil, false
}
