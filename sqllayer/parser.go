package sqllayer

import (
	"context"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/aggregate"
	"emberdb/sqllayer/expr/documents"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/window"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/rules"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// The parser override: GMS plans trees that package lower makes of ours, see read.go. Here they
// become trees that the layer runs: what GMS's planner would drop or misread is moved to where it
// arrives.
//
//	SELECT ... FOR UPDATE / FOR SHARE    the tables get an AS OF that is no time but a lock clause: GetTableInsensitiveAsOf
//	DELETE without WHERE                 gets a LIMIT, or WHERE TRUE, lest GMS run it as TRUNCATE
//	SET TRANSACTION without a scope      sets a user variable that the next transaction uses up
//	RENAME TABLE a.t TO b.u              the planner drops a and b: the names carry them
//	CREATE PROCEDURE                     its body becomes one statement to GMS, see program.go
//	+ - * / % DIV                        become calls of package expr's functions: MySQL's types, errors on overflow
//
// Statements inside CREATE PROCEDURE, TRIGGER and EVENT are treated alike, as GMS parses the stored
// text anew whenever it runs it.

// Parser implements sql.Parser.
type Parser struct {
	Library sql.MysqlParser // for statements of GMS's own suites
	Plain   bool            // GMS's own suites run: operators stay GMS's, and what MySQL refuses is parsed
	asks    bool            // the statements of triggers keep the rights that they need
}

// ParseSimple implements sql.Parser.
func (p *Parser) ParseSimple(query string) (ast.Statement, error) { return p.stored(query) }

// stored reads a SELECT of expressions that definitions keep.
func (p *Parser) stored(query string) (ast.Statement, error) {
	r, err := p.lowered(query, parse.Options{Mode: sqltoken.Prepared}, lower.Options{Plain: p.Plain, Stored: true})
	return p.rewriteRead(context.Background(), query, r, err)
}

// Parse implements sql.Parser.
func (p *Parser) Parse(ctx *sql.Context, query string, multi bool) (ast.Statement, string, string, error) {
	r, err := p.read(ctx, query, multi, operand.Mode(ctx).ParserOptions())
	noteReplaced(ctx, r.Stmt)
	stmt, err := p.rewriteRead(ctx, query, r, err)
	return stmt, r.Text, r.Rest, err
}

// ParseWithOptions implements sql.Parser.
func (p *Parser) ParseWithOptions(ctx context.Context, query string, _ rune, multi bool, o ast.ParserOptions) (ast.Statement, string, string, error) {
	text, schema := CutFired(query)
	r, err := p.read(ctx, text, multi, o)
	if c, ok := ctx.(*sql.Context); ok && SessionOf(c) != nil && err == nil {
		if err = SessionOf(c).openedView(c, text, r.Stmt); schema != "" {
			inSchema(c, r.Stmt, schema)
			r.Text = query
		}
	}
	stmt, err := p.rewriteRead(ctx, query, r, err)
	if c, ok := ctx.(*sql.Context); ok && schema != "" && err != nil {
		SessionOf(c).unreadTrigger(query, err)
	}
	return stmt, r.Text, r.Rest, err
}

// ParseOneWithOptions implements sql.Parser.
func (p *Parser) ParseOneWithOptions(ctx context.Context, query string, o ast.ParserOptions) (ast.Statement, int, error) {
	r, err := p.read(ctx, query, true, o)
	noteReplaced(ctx, r.Stmt)
	stmt, err := p.rewriteRead(ctx, query, r, err)
	return stmt, r.Next, err
}

// Rewrite walks a statement that was read from query.
func (p *Parser) Rewrite(ctx context.Context, query string, read *trees.ReadStatement) (ast.Statement, error) {
	stmt := read.Stmt
	var err error
	if c, ok := ctx.(*sql.Context); ok && !p.Plain && SessionOf(c) != nil {
		if s := SessionOf(c); s.locked != nil {
			if err := s.checkNames(c, stmt); err != nil {
				return stmt, err
			}
			if err := s.namesLocked(c, stmt); err != nil {
				return stmt, err
			}
		}
		if err := trees.CheckEmptyRows(stmt); err != nil {
			return stmt, err
		}
		if err := SessionOf(c).throughViews(c, stmt); err != nil {
			return stmt, err
		}
		if _, fired := CutFired(read.Text); fired == "" {
			if err := SessionOf(c).alterWay(c, read.Tree); err != nil {
				return stmt, err
			}
		}
		if err := SessionOf(c).nameColumns(c, stmt); err != nil {
			return stmt, err
		}
	}
	if !p.Plain {
		if err := trees.PlacesOfCalls(ctx, stmt); err != nil {
			return stmt, err
		}
		if stmt, err = showEvents(ctx, stmt); err != nil {
			return stmt, err
		}
	}
	r := &rewriterAST{root: stmt, ctx: ctx, query: query, tree: read.Tree, source: programSource{read.Inner, read.Source}, ctes: make(map[string]bool), plain: p.Plain, asks: p.asks}
	switch n := stmt.(type) {
	case *ast.Show:
		if c, ok := ctx.(*sql.Context); ok && SessionOf(c) != nil {
			SessionOf(c).describes = !strings.HasPrefix(strings.ToLower(n.Type), "create")
		}
	case *ast.LockTables:
		if c, ok := ctx.(*sql.Context); ok && SessionOf(c) != nil {
			if err := SessionOf(c).namesToLock(c, n); err != nil {
				return stmt, err
			}
		}
	case *ast.DDL:
		r.lockless = n.ViewSpec != nil
	case *ast.Explain:
		r.lockless = true
		if !p.Plain {
			if n.ExplainFormat, err = formatOf(ctx, n); err != nil {
				return stmt, err
			}
		}
	}
	if err := r.statement(stmt); err != nil {
		return stmt, err
	}
	if !p.Plain {
		if err := expr.Replace(ctx, stmt); err != nil {
			return stmt, err
		}
		if len(query) >= longText {
			expr.Paced(stmt)
		}
		stmt = ownDrop(stmt)
	}
	return stmt, nil
}

// rewriterAST is the state of one walk.
type rewriterAST struct {
	root    ast.SQLNode // the statement
	ctx     context.Context
	query   string
	tree    sqlast.Statement   // ours; nil of a statement of GMS's own suites that MySQL refuses
	source  programSource      // of the stored program that is defined
	ctes    map[string]bool    // names that are no tables
	unnamed []*ast.AliasedExpr // columns of UNIONs that are to have aliases, see NamedForOrder
	owned   window.Owners      // aggregates and columns of queries around the subqueries in which they stand

	nested   bool // there is a subquery
	lockless bool // EXPLAIN, or a view's text: clauses there lock nothing

	plain bool // GMS's own test suites run statements that MySQL refuses
	asks  bool
}

func (r *rewriterAST) statement(node ast.SQLNode) error {
	if node == nil {
		return nil
	}
	if err := r.walk(r.collect, node); err != nil {
		return err
	}
	if !r.plain {
		var err error
		if r.owned, err = r.owners(node); err != nil {
			return err
		}
		if err := r.knownIndexes(); err != nil {
			return err
		}
		if err := r.viewOverTemporary(); err != nil {
			return err
		}
	}
	if err := r.walk(r.visit, node); err != nil {
		return err
	}
	if r.plain {
		return nil
	}
	if r.nested {
		expr.SeparateAggregates(node)
	}
	return trees.ScopeDefaults(node, nil)
}

// walk visits the nodes of a tree as long as somebody waits for the statement.
func (r *rewriterAST) walk(visit func(ast.SQLNode) (bool, error), node ast.SQLNode) error {
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		if err := r.ctx.Err(); err != nil {
			return false, err
		}
		return visit(n)
	}, node)
}

// collect notes the names of common table expressions and refuses AS OF.
func (r *rewriterAST) collect(node ast.SQLNode) (bool, error) {
	switch n := node.(type) {
	case *ast.CommonTableExpr:
		if n.AliasedTableExpr != nil {
			r.ctes[strings.ToLower(n.As.String())] = true
		}
	case *ast.AliasedTableExpr:
		if n != nil && n.AsOf != nil {
			return false, sqlerr.NewError(1064, "You have an error in your SQL syntax: AS OF is not supported")
		}
	}
	return true, nil
}

func (r *rewriterAST) visit(node ast.SQLNode) (bool, error) {
	r.tellTargets(node)
	if err := r.systemTarget(node); err != nil {
		return false, err
	}
	switch n := node.(type) {
	case *ast.Explain: // whose own walk begins below its statement
		return r.visit(n.Statement)
	case *ast.Update:
		if err := r.checkSelfRead(n); err != nil || r.plain {
			return true, err
		}
		if err := r.distinctTargets(n.TableExprs, nil, n.Exprs, n.Where); err != nil {
			return false, err
		}
		return true, r.updateJoin(n)
	case *ast.Insert:
		if len(n.Returning) > 0 {
			return false, sqlerr.NewError(1064, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'returning'")
		}
		if err := r.checkSelfRead(n); err != nil {
			return false, err
		}
		if err := r.rowAlias(n); err != nil {
			return false, err
		}
		if !r.plain {
			return true, r.insertSelect(n)
		}
	case *ast.Select:
		if !r.plain {
			if err := r.groupKeys(n); err != nil {
				return false, err
			}
			window.OverGroups(n, r.owned)
		}
		if err := r.lockSelect(n); err != nil {
			return false, err
		}
		if !r.plain {
			trees.DistinctOrder(n)
			return true, aggregate.RollUp(n)
		}
	case *ast.Where:
		if n != nil {
			n.Expr = trees.LimitRanges(n.Expr)
		}
	case *ast.JoinTableExpr:
		n.Condition.On = trees.LimitRanges(n.Condition.On)
		return true, refuseMatchOn(n)
	case *ast.JSONTableExpr:
		if !r.plain {
			n.Data = &ast.FuncExpr{Name: ast.NewColIdent(documents.TableDocument), Exprs: ast.SelectExprs{&ast.AliasedExpr{Expr: n.Data}}}
		}
	case *ast.Subquery:
		r.nested = true
	case *ast.Show:
		r.systemShow(n)
	case *ast.AliasedTableExpr:
		if name, ok := n.Expr.(ast.TableName); ok {
			n.Expr = r.systemTable(name)
		}
		tabledef.SelectParts(n)
	case *ast.ColName:
		if strings.EqualFold(n.Qualifier.DbQualifier.String(), "mysql") {
			n.Qualifier = r.systemTable(n.Qualifier)
		}
	case *ast.AliasedExpr:
		if slices.Contains(r.unnamed, n) && n.InputExpression != "" {
			n.As = ast.NewColIdent(n.InputExpression)
		}
	case *ast.ComparisonExpr:
		if r.withoutEscape() {
			trees.PlainPattern(n)
		}
		rules.EscapePattern(n)
	case *ast.Prepare:
		markName(&n.Name)
		return true, r.prepared(n)
	case *ast.Execute:
		markName(&n.Name)
	case *ast.Deallocate:
		markName(&n.Name)
	case *ast.SetOp:
		r.unnamed = append(r.unnamed, trees.NamedForOrder(n)...)
		if last, ok := n.Right.(*ast.Select); ok && n.Lock != nil && last.Lock == nil {
			last.Lock = n.Lock // MySQL: the clause belongs to the last SELECT
		}
	case *ast.Delete:
		if err := r.knownTargets(n); err != nil {
			return false, err
		}
		if !r.lockless { // EXPLAIN shows no LIMIT that nobody wrote
			trees.KeepDelete(n)
		}
		if err := r.checkSelfRead(n); err != nil || r.plain {
			return true, err
		}
		return true, r.distinctTargets(n.TableExprs, n.Targets, n.Where)
	case *ast.Set:
		nextTransaction(n)
		return true, nil
	case *ast.DDL:
		if n.ViewSpec != nil && n.ViewSpec.CheckOption == ast.ViewCheckOptionLocal {
			n.ViewSpec.CheckOption = ast.ViewCheckOptionCascaded // GMS checks nothing; the text tells
		}
		r.qualifyRename(n)
		if err := r.keys(n); err != nil {
			return false, err
		}
		if n.Action == ast.CreateStr && n.TableSpec != nil {
			if err := tabledef.CheckTableSpec(n.TableSpec); err != nil {
				return false, err
			}
		}
		if err := r.definitions(n); err != nil {
			return false, err
		}
		if err := tabledef.ResolveColumns(n.TableSpec); err != nil {
			return false, err
		}
		if programs.IsFunction(n) {
			n.SubStatementPositionStart, n.SubStatementPositionEnd = 0, 0 // places in another text than GMS knows
		}
		return true, r.bodies(n)
	case *ast.AlterTable:
		for _, d := range n.Statements {
			if err := tabledef.ResolveColumns(d.TableSpec); err != nil {
				return false, err
			}
			r.qualifyRename(d)
		}
	}
	return true, nil
}

// bodies walks the statements of stored programs, which the parser's walk leaves out.
func (r *rewriterAST) bodies(n *ast.DDL) error {
	if n.ProcedureSpec != nil {
		body := n.ProcedureSpec.Body
		n.ProcedureSpec.Body = &program{Statement: body, read: r.readStatements(body), source: r.source}
		if err := r.statement(body); err != nil {
			return err
		}
		return programs.CheckProgram(n.ProcedureSpec, body)
	}
	if n.TriggerSpec != nil {
		read := r.readStatements(n.TriggerSpec.Body)
		if err := r.statement(n.TriggerSpec.Body); err != nil {
			return err
		}
		return r.asProgram(n, read)
	}
	if n.EventSpec != nil && n.EventSpec.Body != nil {
		return r.eventBody(n.EventSpec)
	}
	return nil
}

// nextTransaction turns SET TRANSACTION without a scope into user variables.
func nextTransaction(n *ast.Set) {
	for _, e := range n.Exprs {
		v, ok := e.Expr.(*ast.SQLVal)
		if !ok || e.Scope != ast.SetScope_None || !strings.EqualFold(e.Name.Name.String(), ast.TransactionStr) {
			continue
		}
		what := strings.ToLower(string(v.Val))
		variable, value := nextIsolation, trees.Levels[what]
		switch what {
		case "read only":
			variable, value = nextReadOnly, "1"
		case "read write":
			variable, value = nextReadOnly, "0"
		}
		if value != "" {
			e.Name = &ast.ColName{Name: ast.NewColIdent("@" + variable)}
			e.Expr = ast.NewStrVal([]byte(value))
		}
	}
}

// commandComment begins the comments that are XtraDB's commands.
const commandComment = "/*!XTRA_"

// PlainText makes a text of a session one whose comments all readers take alike, see token.Plain.
// Backslashes are escapes in it: EscapeBackslashes has been applied.
func PlainText(s sql.Session, text string) string {
	o := sqltoken.PlainOptions{Version: tabledef.VersionNumber, Keep: commandComment}
	if trees.AnsiQuotes(s) {
		o.Mode = sqltoken.AnsiQuotes
	}
	return sqltoken.Plain(text, o)
}

// Functions finds the functions that GMS lacks or that differ from MySQL's, before GMS looks for
// its own, and stored functions.
type Functions struct{}

// NUL in texts that clients write. The layer's own names hold one (ViewMark, functionMark,
// SystemSchema, ...), so a client's text may hold it in strings and comments alone.

// RefuseNUL is MySQL's error of a client's text with a NUL outside of its strings and comments; nil
// if there is none.
func RefuseNUL(text string, o ast.ParserOptions) *mysql.SQLError {
	switch {
	case strings.IndexByte(text, 0) < 0:
		return nil
	case strings.HasSuffix(text, firedMark): // also of a comment
		return errNear(text, len(text)-1, "")
	}
	l := sqltoken.NewLexer(text, readMode(context.Background(), o), nil)
	l.SetVersion(tabledef.VersionNumber)
	for {
		t := l.Next()
		from, to := int(t.From), int(t.To)
		if t.Kind == sqltoken.Invalid && to < len(text) {
			to++
		}
		written := text[from:to]
		nul := strings.IndexByte(written, 0)
		switch {
		case t.Kind == sqltoken.EOF:
			return nil
		case nul >= 0 && !isString(t.Kind):
			return errNear(text, from, written[:nul])
		case t.Kind == sqltoken.Invalid: // a syntax error behind which nothing is read
			return errNear(text, from, text[from:])
		}
	}
}

func isString(k sqltoken.Kind) bool {
	return k == sqltoken.String || k == sqltoken.NString || k == sqltoken.DollarString
}

// errNear is the error of a text that goes wrong at a place, of which MySQL shows what stands
// there.
func errNear(text string, at int, near string) *mysql.SQLError {
	return sqlerr.NewError(1064, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '%.80s' at line %d",
		near, 1+strings.Count(text[:at], "\n"))
}
