package sqllayer

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

import (
	"context"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/rules"
)

// parser implements sql.Parser.
type parser struct {
	library sql.MysqlParser // for statements of GMS's own suites
	plain   bool            // GMS's own suites run: operators stay GMS's, and what MySQL refuses is parsed
	asks    bool            // the statements of triggers keep the rights that they need
}

// ParseSimple implements sql.Parser.
func (p *parser) ParseSimple(query string) (ast.Statement, error) {
	r, err := p.lowered(query, parse.Options{Mode: sqltoken.Prepared}, lower.Options{Plain: p.plain, Stored: true})
	return p.rewriteRead(context.Background(), query, r, err)
}

// Parse implements sql.Parser.
func (p *parser) Parse(ctx *sql.Context, query string, multi bool) (ast.Statement, string, string, error) {
	r, err := p.read(ctx, query, multi, expr.Mode(ctx).ParserOptions())
	noteReplaced(ctx, r.stmt)
	stmt, err := p.rewriteRead(ctx, query, r, err)
	return stmt, r.text, r.rest, err
}

// ParseWithOptions implements sql.Parser.
func (p *parser) ParseWithOptions(ctx context.Context, query string, _ rune, multi bool, o ast.ParserOptions) (ast.Statement, string, string, error) {
	text, schema := cutFired(query)
	r, err := p.read(ctx, text, multi, o)
	if c, ok := ctx.(*sql.Context); ok && sessionOf(c) != nil && err == nil {
		if err = sessionOf(c).openedView(c, text, r.stmt); schema != "" {
			inSchema(c, r.stmt, schema)
			r.text = query
		}
	}
	stmt, err := p.rewriteRead(ctx, query, r, err)
	return stmt, r.text, r.rest, err
}

// ParseOneWithOptions implements sql.Parser.
func (p *parser) ParseOneWithOptions(ctx context.Context, query string, o ast.ParserOptions) (ast.Statement, int, error) {
	r, err := p.read(ctx, query, true, o)
	noteReplaced(ctx, r.stmt)
	stmt, err := p.rewriteRead(ctx, query, r, err)
	return stmt, r.next, err
}

// treeSize estimates what a text takes when it is planned: its copies, and nodes of trees for its
// words.
func treeSize(text string) int64 {
	const copies, nodes = 4, 96
	words := int64(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', ',', '(', ')', '=', '+', '-', '*':
			words++
		case '\'', '"', '`':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' && c != '`' {
					i++
				}
			}
		}
	}
	return copies*int64(len(text)) + nodes*words
}

// limited refuses a statement that nests too deep.
func limited(stmt ast.Statement, text string, err error) (ast.Statement, error) {
	if err == nil {
		err = CheckDepth(stmt, text)
	}
	if err != nil {
		return nil, err
	}
	return stmt, nil
}

// rewrite walks a statement that was read from query.
func (p *parser) rewrite(ctx context.Context, query string, read *readStatement) (ast.Statement, error) {
	stmt := read.stmt
	var err error
	if c, ok := ctx.(*sql.Context); ok && !p.plain && sessionOf(c) != nil {
		if s := sessionOf(c); s.locked != nil {
			if err := s.checkNames(c, stmt); err != nil {
				return stmt, err
			}
			if err := s.namesLocked(c, stmt); err != nil {
				return stmt, err
			}
		}
		if err := sessionOf(c).throughViews(c, stmt); err != nil {
			return stmt, err
		}
	}
	if !p.plain {
		if err := placesOfCalls(stmt); err != nil {
			return stmt, err
		}
		if stmt, err = showEvents(ctx, stmt); err != nil {
			return stmt, err
		}
	}
	r := &rewriterAST{root: stmt, ctx: ctx, query: query, tree: read.tree, ctes: make(map[string]bool), plain: p.plain, asks: p.asks}
	switch n := stmt.(type) {
	case *ast.Show:
		if c, ok := ctx.(*sql.Context); ok && sessionOf(c) != nil {
			sessionOf(c).describes = !strings.HasPrefix(strings.ToLower(n.Type), "create")
		}
	case *ast.LockTables:
		if c, ok := ctx.(*sql.Context); ok && sessionOf(c) != nil {
			if err := sessionOf(c).namesToLock(c, n); err != nil {
				return stmt, err
			}
		}
	case *ast.DDL:
		r.lockless = n.ViewSpec != nil
	case *ast.Explain:
		r.lockless = true
		if !p.plain {
			if n.ExplainFormat, err = formatOf(ctx, n); err != nil {
				return stmt, err
			}
		}
	}
	if err := r.statement(stmt); err != nil {
		return stmt, err
	}
	if !p.plain {
		expr.Replace(stmt)
	}
	return stmt, nil
}

// rewriterAST is the state of one walk.
type rewriterAST struct {
	root    ast.SQLNode // the statement
	ctx     context.Context
	query   string
	tree    sqlast.Statement   // ours; nil of a statement of GMS's own suites that MySQL refuses
	ctes    map[string]bool    // names that are no tables
	unnamed []*ast.AliasedExpr // columns of UNIONs that are to have aliases, see namedForOrder
	owned   expr.Owners        // aggregates and columns of queries around the subqueries in which they stand

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
	return scopeDefaults(node, nil)
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
			return false, NewError(1064, "You have an error in your SQL syntax: AS OF is not supported")
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
			return false, NewError(1064, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'returning'")
		}
		if err := r.checkSelfRead(n); err != nil {
			return false, err
		}
		if err := r.rowAlias(n); err != nil {
			return false, err
		}
		if !r.plain {
			r.insertSelect(n)
		}
	case *ast.Select:
		if !r.plain {
			if err := r.groupKeys(n); err != nil {
				return false, err
			}
			expr.OverGroups(n, r.owned)
		}
		if err := r.lockSelect(n); err != nil {
			return false, err
		}
		if !r.plain {
			distinctOrder(n)
			return true, expr.RollUp(n)
		}
	case *ast.Where:
		if n != nil {
			n.Expr = limitRanges(n.Expr)
		}
	case *ast.JoinTableExpr:
		n.Condition.On = limitRanges(n.Condition.On)
		return true, refuseMatchOn(n)
	case *ast.JSONTableExpr:
		if !r.plain {
			n.Data = &ast.FuncExpr{Name: ast.NewColIdent(expr.TableDocument), Exprs: ast.SelectExprs{&ast.AliasedExpr{Expr: n.Data}}}
		}
	case *ast.Subquery:
		r.nested = true
	case *ast.Show:
		r.systemShow(n)
	case *ast.AliasedTableExpr:
		if name, ok := n.Expr.(ast.TableName); ok {
			n.Expr = r.systemTable(name)
		}
		selectParts(n)
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
			plainPattern(n)
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
		r.unnamed = append(r.unnamed, namedForOrder(n)...)
		if last, ok := n.Right.(*ast.Select); ok && n.Lock != nil && last.Lock == nil {
			last.Lock = n.Lock // MySQL: the clause belongs to the last SELECT
		}
	case *ast.Delete:
		if err := r.knownTargets(n); err != nil {
			return false, err
		}
		keepDelete(n)
		if err := r.checkSelfRead(n); err != nil || r.plain {
			return true, err
		}
		return true, r.distinctTargets(n.TableExprs, n.Targets, n.Where)
	case *ast.Set:
		nextTransaction(n)
		if r.plain {
			return true, nil
		}
		if err := r.setSwitches(n); err != nil {
			return false, err
		}
		if err := setNumbers(n); err != nil {
			return false, err
		}
		return true, setModes(n)
	case *ast.DDL:
		if n.ViewSpec != nil && n.ViewSpec.CheckOption == ast.ViewCheckOptionLocal {
			n.ViewSpec.CheckOption = ast.ViewCheckOptionCascaded // GMS checks nothing; the text tells
		}
		r.qualifyRename(n)
		if err := r.keys(n); err != nil {
			return false, err
		}
		if n.Action == ast.CreateStr && n.TableSpec != nil {
			if err := checkTableSpec(n.TableSpec); err != nil {
				return false, err
			}
		}
		if err := r.definitions(n); err != nil {
			return false, err
		}
		if err := resolveColumns(n.TableSpec); err != nil {
			return false, err
		}
		if isFunction(n) {
			n.SubStatementPositionStart, n.SubStatementPositionEnd = 0, 0 // places in another text than GMS knows
		}
		return true, r.bodies(n)
	case *ast.AlterTable:
		for _, d := range n.Statements {
			if err := resolveColumns(d.TableSpec); err != nil {
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
		n.ProcedureSpec.Body = &program{Statement: body, read: r.readStatements(body)}
		if err := r.statement(body); err != nil {
			return err
		}
		return checkProgram(n.ProcedureSpec, body)
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

// keepDelete keeps GMS from running a DELETE of all rows as a TRUNCATE.
func keepDelete(n *ast.Delete) {
	if n.Where != nil || n.Limit != nil {
		return
	}
	if len(n.Targets) <= 1 && len(n.TableExprs) == 1 {
		if _, single := n.TableExprs[0].(*ast.AliasedTableExpr); single {
			n.Targets = nil
			n.Limit = &ast.Limit{Rowcount: ast.NewIntVal([]byte("9223372036854775807"))}
			return
		}
	}
	n.Where = ast.NewWhere(ast.WhereStr, ast.BoolVal(true))
}

var levels = map[string]string{
	"isolation level repeatable read":  "REPEATABLE-READ",
	"isolation level read committed":   "READ-COMMITTED",
	"isolation level read uncommitted": "READ-UNCOMMITTED",
	"isolation level serializable":     "SERIALIZABLE",
}

// nextTransaction turns SET TRANSACTION without a scope into user variables.
func nextTransaction(n *ast.Set) {
	for _, e := range n.Exprs {
		v, ok := e.Expr.(*ast.SQLVal)
		if !ok || e.Scope != ast.SetScope_None || !strings.EqualFold(e.Name.Name.String(), ast.TransactionStr) {
			continue
		}
		what := strings.ToLower(string(v.Val))
		variable, value := nextIsolation, levels[what]
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
