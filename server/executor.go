package server

// The door of the executor (packages sql/bind, sql/plan, sql/exec): a SELECT that comes this far is
// read by our own parser, bound, planned and run on the engine. What bind or plan refuses, and what
// is short and has a program, goes on to go-mysql-server as if nothing had been. Queries of
// procedures and events come here, too (programquery.go), but not those of functions and triggers.
//
// ember_executor   OFF   nothing
//                  ON    statements without a compiled program, and those with one the first time
//                  ALL   whatever has no program yet
//
// Invariants:
//
//	(1) A statement that is refused leaves nothing behind. That may be found while it runs: rows
//	    are held back, heldBytes of them, before the first is sent, or all where one may be
//	    refused. Afterwards it can only fail.
//	(2) Rights are asked for at every table, as those on the table as a whole. Whoever has not
//	    them is go-mysql-server's to decide.

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/compiled"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/sql/ast"
	"emberdb/sql/bind"
	executor "emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/plan"
	"emberdb/sql/types"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/library"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
)

// executorCounters count what the executor ran and refused.
type executorCounters struct {
	ran     atomic.Int64
	refused [32]atomic.Int64 // by fn.Reason
	threads *executor.Threads
}

const (
	// shortCost is how many rows a statement looks at, about, to be worth the executor's while.
	shortCost = 3000
	heldBytes = 1 << 20
	// longStatement is the length of a text from which the executor leaves it alone.
	longStatement = 32 << 10
)

// viaExecutor runs the statement if it is the executor's.
func (x *execution) viaExecutor(ctx *sql.Context) (taken bool, err error) {
	defer func() {
		if p := x.w.compiled.report; p != nil && !taken {
			p.Keep()
		}
	}()
	s, ok := ctx.Session.(*sqllayer.Session)
	if e, told := x.stmt.Tree.(*ast.Explain); ok && told {
		return x.explain(ctx, s, e)
	}
	if ok && (is[*ast.Update](x) || is[*ast.Delete](x)) {
		return x.tallied(x.changeRows(ctx, s))
	}
	if n, inserts := x.stmt.Tree.(*ast.Insert); ok && inserts {
		return x.tallied(x.insertRows(ctx, s, n))
	}
	q, reads := x.stmt.Tree.(*ast.Query)
	if !ok || !reads || x.cursor || x.w.inside {
		return false, nil
	}
	if q.Into != nil {
		return x.tallied(x.intoVariables(ctx, s, q))
	}
	return x.tallied(x.executeShort(ctx, s, q))
}

// tallied counts what the executor ran and refused.
func (x *execution) tallied(taken bool, err error) (bool, error) {
	if why, refused := fn.IsRefusal(err); refused && !x.sent {
		x.h.s.executor.refused[why].Add(1)
		return false, nil
	} else if refused {
		err = sqlerr.NewError(1105, "The statement met a value that it cannot go on with")
	}
	if taken {
		x.h.s.executor.ran.Add(1)
	}
	return taken, err
}

// executeShort is execute for all that the executor is to run. Where ember_executor is ON, a
// statement that has a compiled program, or will have one, comes here once, and when its program
// cannot go on with its values: the executor takes it unless it has constants alone.
func (x *execution) executeShort(ctx *sql.Context, s *sqllayer.Session, q *ast.Query) (taken bool, err error) {
	mode := strings.ToUpper(s.Text("ember_executor"))
	if mode != "ON" && mode != "ALL" {
		return false, nil
	}
	if x.values != nil { // EXECUTE: it has no program
		return x.execute(ctx, s, q, true)
	}
	var compile func() compiled.Reason
	program := compiled.Mine
	if mode == "ON" {
		program, compile = x.programOf(ctx)
	}
	taken, err = x.execute(ctx, s, q, mode == "ALL" || program != compiled.Mine && program != compiled.ByFirst)
	if why, _ := fn.IsRefusal(err); why == fn.ByShort && program == compiled.ByFirst && compile() != compiled.Mine {
		taken, err = x.execute(ctx, s, q, true)
	}
	if taken && err == nil {
		x.learn(ctx)
	}
	return taken, err
}

// leavesShort tells a statement with a program that the executor does not take. EXPLAIN describes
// what runs from the second execution on.
func (x *execution) leavesShort(q *ast.Query, p *plan.Plan) bool {
	if x.explaining != nil {
		return p.Cost < shortCost || p.Simple
	}
	return ofConstants(q)
}

// ofConstants tells a SELECT without tables of nothing but literals, system variables and functions
// of the session's state.
func ofConstants(q *ast.Query) bool {
	s, ok := q.Body.(*ast.Select)
	if !ok || len(s.From) > 0 || s.Where != nil || s.Having != nil {
		return false
	}
	return !slices.ContainsFunc(s.Items, func(it ast.SelectItem) bool {
		switch e := it.X.(type) {
		case *ast.Literal, *ast.SystemVar:
			return false
		case *ast.Func:
			return len(e.Args) > 0 || fn.Varying(e.Name.Name)
		}
		return true
	})
}

// usualSession refuses sessions whose settings give statements another meaning.
func usualSession(s *sqllayer.Session) error {
	for _, name := range []string{"character_set_client", "character_set_connection", "character_set_results"} {
		if !asciiCharset(s.Text(name)) {
			return fn.Refuse(fn.BySession, name)
		}
	}
	if !treeMode(s.Text("sql_mode")) || !usualLimits(s) {
		return fn.Refuse(fn.BySession, "sql_mode or limits")
	}
	return nil
}

// treeMode tells SQL modes that mean nothing behind a statement's tree. Others tell how it is read,
// which the parser knows.
func treeMode(mode string) bool {
	for _, m := range strings.Split(strings.ToUpper(mode), ",") {
		if m == "PAD_CHAR_TO_FULL_LENGTH" || m == "NO_BACKSLASH_ESCAPES" { // the latter: patterns of LIKE have no escapes
			return false
		}
	}
	return true
}

// lastByte is the highest byte that a character set shares with UTF-8: all but the first ones of
// four-byte characters, or those of ASCII.
func lastByte(charset string) byte {
	switch charset {
	case "utf8mb4":
		return 0xFF
	case "utf8mb3", "utf8":
		return 0xEF
	}
	return 0x7F
}

// within tells whether no byte is above last.
func within[T string | []byte](text T, last byte) bool {
	for i := range len(text) {
		if text[i] > last {
			return false
		}
	}
	return true
}

// usualText refuses statements whose characters or length the executor leaves alone.
func (x *execution) usualText(s *sqllayer.Session) error {
	if err := usualSession(s); err != nil {
		return err
	}
	if len(x.stmt.Text) > longStatement {
		return fn.Refuse(fn.ByStatement, "a long text") // its tree is not accounted, and binding it does not end with the statement
	}
	if !within(x.stmt.Text, min(lastByte(s.Text("character_set_client")), lastByte(s.Text("character_set_connection")))) {
		return fn.Refuse(fn.BySession, "a text of another character set")
	}
	return nil
}

// bindOptions are what a query of the statement is bound with.
func (x *execution) bindOptions(ctx *sql.Context, s *sqllayer.Session, cat *executorCatalog) (o bind.Options, err error) {
	collation, err := sql.ParseCollation(s.Text("character_set_connection"), s.Text("collation_connection"), false)
	if err != nil || types.CollatorOf(uint16(collation)) == nil {
		return o, fn.Refuse(fn.BySession, "collation_connection")
	}
	params, err := x.executorParams(uint16(collation))
	if err != nil {
		return o, err
	}
	began := ctx.QueryTime().UnixMicro()
	return bind.Options{Catalog: cat, Text: x.stmt.Text, Params: params, Longest: setting(s, "group_concat_max_len"), Packet: setting(s, "max_allowed_packet"), CollationID: collationNamed, FullGroups: fullGroups(s), Ended: ctx.Err,
		Local:    x.local,
		Variable: func(name string) (fn.Expr, error) { return userVariable(s, name, uint16(collation)) },
		System:   func(n *ast.SystemVar) (fn.Expr, error) { return systemVariable(ctx, n, uint16(collation)) },
		Setting:  fn.Setting{Collation: uint16(collation), Library: &library.Library{Context: ctx}, Dates: operand.DatesOf(ctx), Locale: s.Locale(), UTC: types.FromUnix(began), Clock: types.FromUnix(store.LocalMicros(s.Zone(), began))}}, nil
}

// execute binds, plans and runs the statement.
func (x *execution) execute(ctx *sql.Context, s *sqllayer.Session, q *ast.Query, short bool) (taken bool, err error) {
	if err := x.usualText(s); err != nil {
		return false, err
	}
	if !s.BeginReads() {
		return false, fn.Refuse(fn.BySession, "state")
	}
	ended := false
	defer func() {
		if !ended { // refused, or a panic: the session goes on without the statement
			s.RetreatDirect()
		}
	}()
	cat := &executorCatalog{ctx: ctx, s: s, explains: is[*ast.Explain](x), mayLock: true}
	lib := &library.Library{Context: ctx}
	o, err := x.bindOptions(ctx, s, cat)
	if err != nil {
		return false, err
	}
	o.Setting.Library, o.Setting.Varies = lib, x.explaining == nil
	if x.explaining == nil && x.local == nil {
		o.Variables = assignable{ctx, s, o.Setting.Collation}
	}
	bound, err := bind.Bind(q, o)
	if fault := (*fn.Fault)(nil); errors.As(err, &fault) {
		ended = true
		return true, s.FinishDirect(ctx, sqlerr.NewError(fault.Code, "%s", fault.Text))
	}
	if err != nil && ctx.Err() != nil {
		ended = true
		return true, s.FinishDirect(ctx, ctx.Err())
	}
	if err != nil {
		return false, cat.failed(err)
	}
	short = short || bind.Involved(bound)
	var names *plan.Names
	if x.explaining != nil {
		names = plan.NamesOf(bound)
	}
	c := cat.context()
	x.limit(c, s)
	defer c.Scratch.Close()
	switch {
	case cat.locks: // rows are locked by one goroutine
		c.OneByOne = bound.Ends() || cat.trx.Isolation() < txn.RepeatableRead
		c.Still = !c.OneByOne
	case bound.Varies: // so that a sequence goes on from row to row
	case x.explaining == nil || !x.explaining.analyze:
		c.Helpers = helpers(s)
	}
	c.Tells = x.collect == nil && x.explaining == nil
	p, err := planned(bound, c)
	if err != nil {
		return false, cat.failed(err)
	}
	out, err := x.outputOf(bound, p, s)
	if err != nil {
		return false, err
	}
	if !short && (x.leavesShort(q, p) || x.local != nil && p.Simple && p.Cost < shortCost) {
		return false, fn.Refuse(fn.ByShort, "few rows")
	}
	for _, k := range p.Reads {
		s.Count(k, 1)
	}
	before, err := variablesBefore(s, bound.Assigned)
	if err != nil {
		return false, err
	}
	if names != nil {
		err = x.explaining.run(c, p, names)
	} else {
		err = out.run(ctx, c, p)
	}
	if _, refused := fn.IsRefusal(err); refused && !x.sent {
		return false, cmp.Or(before.restore(ctx), err)
	}
	err = toldFault(err)
	if names != nil && err == nil {
		return false, nil
	}
	ended = true
	for _, w := range lib.Warnings {
		s.Warn(w)
	}
	if err = s.FinishDirect(ctx, memory.OverMemory(err)); err != nil {
		return true, err
	}
	return true, out.end(ctx, s)
}

// executed takes what a plan gives.
type executed interface {
	// run runs the plan; what is the last of it may wait for end, which comes after the statement.
	run(ctx *sql.Context, c *executor.Ctx, p *plan.Plan) error
	end(ctx *sql.Context, s *sqllayer.Session) error
}

// outputOf is what takes the rows of a query. It notes how the columns are described, which a program
// of the statement must do alike.
func (x *execution) outputOf(q *bind.Query, p *plan.Plan, s *sqllayer.Session) (executed, error) {
	if x.collect != nil {
		return x.collect, x.collect.begin(q)
	}
	out := newExecutorOutput(x, q, s.Text("character_set_results"))
	p.MayRefuse = p.MayRefuse || out.last < 0xFF
	return out, nil
}

// limit gives what a plan runs in the session's limits, and a scratch file that is to be closed.
func (x *execution) limit(c *executor.Ctx, s *sqllayer.Session) {
	c.Rounds, c.Limits, c.Scratch, c.Threads = setting(s, "cte_max_recursion_depth"), x.h.s.operatorLimits(s), x.h.s.scratch(), x.h.s.executor.threads
}

// planned plans a query. What the planner reads is not counted as the statement's.
func planned(q *bind.Query, c *executor.Ctx) (*plan.Plan, error) {
	if c.Tx != nil { // else there are no tables
		counts := c.Tx.Counts
		c.Tx.Counts = nil
		defer func() { c.Tx.Counts = counts }()
	}
	return plan.Build(q, c)
}

// toldFault is an error of a statement as clients are told it.
func toldFault(err error) error {
	if fault := (*fn.Fault)(nil); errors.As(err, &fault) {
		return sqlerr.NewError(fault.Code, "%s", fault.Text)
	}
	return err
}

// fullGroups tells sessions that want columns of groups to follow from GROUP BY.
func fullGroups(s *sqllayer.Session) bool {
	return slices.Contains(strings.Split(strings.ToUpper(s.Text("sql_mode")), ","), "ONLY_FULL_GROUP_BY")
}

// collationNamed finds a collation.
func collationNamed(name string) (uint16, bool) {
	c, err := sql.ParseCollation("", name, false)
	return uint16(c), err == nil
}

// setting is a number among the session's variables; 0 if it is none.
func setting(s *sqllayer.Session, name string) int {
	v, err := s.GetSessionVariable(nil, name)
	if err != nil {
		return 0
	}
	switch n := v.(type) {
	case int64:
		return int(n)
	case uint64:
		return int(min(n, 1<<62))
	}
	return 0
}

// helpers are how many goroutines the statement may have beside its own.
func helpers(s *sqllayer.Session) int {
	if n := setting(s, "ember_parallel_threads"); n > 0 {
		return n - 1
	}
	return base.Processors - 1
}

// operatorLimits are how much memory an operator takes before it goes on in tmpdir: what its variable
// says, or an eighth of what the statement may hold if that is more.
func (s *Server) operatorLimits(of *sqllayer.Session) executor.Limits {
	all := setting(of, "ember_statement_memory")
	if all == 0 {
		all = usualStatement
	}
	if s.cfg.Memory != nil {
		all = int(min(int64(all), s.cfg.Memory.Limit()))
	}
	limit := func(variable string) int {
		return max(min(max(setting(of, variable), all/8), all/2), leastOperator)
	}
	return executor.Limits{Sort: limit("sort_buffer_size"), Join: limit("join_buffer_size"), Table: limit("tmp_table_size")}
}

const (
	usualStatement = 1 << 30  // the memory of a statement without a limit
	leastOperator  = 16 << 10 // which every operator takes
)

// scratch is the file of a statement.
func (s *Server) scratch() *executor.Scratch {
	dir := s.cfg.Settings.String("tmpdir")
	if dir == "" {
		dir = os.TempDir()
	}
	return &executor.Scratch{FS: s.files, Dir: dir, Background: s.background.Go}
}
