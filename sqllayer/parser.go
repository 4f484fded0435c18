package sqllayer

// The parser override: what GMS's planner would drop or misread is moved to where it arrives.
//
//	SELECT ... FOR UPDATE / LOCK IN SHARE MODE    the tables get an AS OF that is no time but a lock clause: GetTableInsensitiveAsOf
//	SELECT ... FOR SHARE                          not in the grammar: ReplaceForShare turns it into FOR UPDATE OF `#share`
//	DELETE without WHERE                          gets a LIMIT, or WHERE TRUE, lest GMS run it as TRUNCATE
//	SET TRANSACTION without a scope               sets a user variable that the next transaction uses up
//	'a\%', 'a\_'                                  the grammar drops the backslash
//	a STRAIGHT_JOIN b USING (c)                   not in the grammar: JOIN
//	RENAME TABLE a.t TO b.u                       the planner drops a and b: the names carry them
//	DATE '...'                                    the grammar drops the word: a function takes its place, but for statements whose text is stored
//	{d '...'}, N'...', INTERVAL(...), > ALL (...)   not in the grammar: see dialect.go
//	LOW_PRIORITY, QUICK, DELETE IGNORE, ...       not in the grammar: cut out, see modifiers.go
//	DEFINER = CURRENT_USER                        not in the grammar: cut out
//	CREATE PROCEDURE                              its body becomes one statement to GMS, see program.go
//	CREATE FUNCTION, DROP FUNCTION                not in the grammar: see routine.go
//	AS OF written by a client                     refused
//	+ - * / % DIV                                 become calls of package expr's functions: MySQL's types, errors on overflow
//
// Statements inside CREATE PROCEDURE, TRIGGER and EVENT are treated alike, as GMS parses the stored text anew whenever it runs it.

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/parse"
	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/lower"
)

// parser implements sql.Parser.
type parser struct {
	sql.MysqlParser
	plain bool // operators stay GMS's
	asks  bool // the statements of triggers keep the rights that they need
}

// ParseSimple implements sql.Parser.
func (p *parser) ParseSimple(query string) (ast.Statement, error) {
	if r, err := lowered(query, parse.Options{Mode: sqltoken.Prepared}, lower.Options{Plain: p.plain, Stored: true}); r != nil || err != nil {
		return p.rewriteRead(context.Background(), query, r, err)
	}
	query = alteredView(query)
	prepared := p.prepare(query)
	stmt, err := p.MysqlParser.ParseSimple(prepared)
	stmt, err = limited(stmt, prepared, err)
	inText(stmt, query, prepared)
	storedText(stmt, query, prepared, prepared, "") // for its places
	return p.rewriteParsed(context.Background(), query, prepared, stmt, err)
}

// Parse implements sql.Parser.
func (p *parser) Parse(ctx *sql.Context, query string, multi bool) (ast.Statement, string, string, error) {
	if r, err := p.read(ctx, query, multi, sql.LoadSqlMode(ctx).ParserOptions()); r != nil {
		noteReplaced(ctx, r.stmt)
		stmt, err := p.rewriteRead(ctx, query, r, err)
		return stmt, r.text, r.rest, err
	} else if err != nil {
		return nil, query, "", err
	}
	query = alteredView(query)
	prepared, stmt, parsed, rest, err := p.parse(ctx, query, ';', multi, sql.LoadSqlMode(ctx).ParserOptions())
	if !multi {
		inText(stmt, query, prepared)
	}
	noteReplaced(ctx, stmt)
	stmt, err = p.rewriteParsed(ctx, query, parsed, stmt, err)
	return stmt, storedText(stmt, query, prepared, parsed, rest), rest, err
}

// ParseWithOptions implements sql.Parser.
func (p *parser) ParseWithOptions(ctx context.Context, query string, delimiter rune, multi bool, o ast.ParserOptions) (ast.Statement, string, string, error) {
	whole := query
	query, schema := cutFired(query)
	if r, err := p.read(ctx, query, multi, o); r != nil {
		if c, ok := ctx.(*sql.Context); ok && sessionOf(c) != nil && err == nil {
			if err = sessionOf(c).openedView(c, query, r.stmt); schema != "" {
				inSchema(c, r.stmt, schema)
				r.text = whole
			}
		}
		stmt, err := p.rewriteRead(ctx, whole, r, err)
		return stmt, r.text, r.rest, err
	} else if err != nil {
		return nil, query, "", err
	}
	query = alteredView(query)
	prepared, stmt, parsed, rest, err := p.parse(ctx, query, delimiter, multi, o)
	if !multi {
		inText(stmt, query, prepared)
	}
	text := parsed
	parsed = storedText(stmt, query, prepared, parsed, rest)
	if c, ok := ctx.(*sql.Context); ok && err == nil && sessionOf(c) != nil {
		if err = sessionOf(c).openedView(c, query, stmt); schema != "" {
			inSchema(c, stmt, schema)
			parsed = whole
		}
	}
	stmt, err = p.rewriteParsed(ctx, whole, text, stmt, err)
	return stmt, parsed, rest, err
}

// ParseOneWithOptions implements sql.Parser.
func (p *parser) ParseOneWithOptions(ctx context.Context, query string, o ast.ParserOptions) (ast.Statement, int, error) {
	if r, err := p.read(ctx, query, true, o); r != nil {
		noteReplaced(ctx, r.stmt)
		stmt, err := p.rewriteRead(ctx, query, r, err)
		return stmt, r.next, err
	} else if err != nil {
		return nil, 0, err
	}
	query = alteredView(query)
	prepared := p.prepare(query)
	stmt, n, err := p.MysqlParser.ParseOneWithOptions(ctx, prepared, o)
	stmt, err = limited(stmt, prepared, err)
	storedText(stmt, query, prepared, prepared, prepared[min(n, len(prepared)):]) // for its places
	noteReplaced(ctx, stmt)
	stmt, err = p.rewriteParsed(ctx, query, prepared, stmt, err)
	return stmt, n, err
}

// parse prepares a text and parses it.
func (p *parser) parse(ctx context.Context, query string, delimiter rune, multi bool, o ast.ParserOptions) (prepared string, stmt ast.Statement, parsed, rest string, err error) {
	type result struct {
		prepared, parsed, rest string
		stmt                   ast.Statement
		err                    error
	}
	r, err := beside(ctx, query, func() (r result) {
		r.prepared = p.prepare(query)
		r.stmt, r.parsed, r.rest, r.err = p.MysqlParser.ParseWithOptions(context.Background(), r.prepared, delimiter, multi, o)
		r.stmt, r.err = limited(r.stmt, r.prepared, r.err)
		return r
	})
	if err != nil {
		return query, nil, "", "", err
	}
	return r.prepared, r.stmt, r.parsed, r.rest, r.err
}

// treeSize estimates what a text takes when it is planned: its copies, and nodes of trees for its words.
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

// prepare makes the statement one that the grammar takes. A plain parser's functions are GMS's: it knows none for typed literals.
func (p *parser) prepare(query string) string {
	query = prepareText(query)
	if p.plain {
		return query
	}
	return typedLiterals(query)
}

// inText puts the end of a view's SELECT, which the parser found in the prepared text, where it is in the text.
func inText(stmt ast.Statement, query, prepared string) {
	if d, ok := stmt.(*ast.DDL); ok && d.ViewSpec != nil {
		d.SubStatementPositionEnd += len(query) - len(prepared)
	}
}

// prepareText makes the statement one that the grammar takes.
func prepareText(query string) string {
	query = dialect(KeepWildcards(straightUsing(cutModifiers(ReplaceForShare(ownDefiner(query))))))
	if start := strings.TrimLeft(query, " \t\r\n"); strings.HasPrefix(start, "/*M!") {
		query = strings.Replace(query, "/*M!", "/*  ", 1) // a comment to MySQL; the grammar reads it as MariaDB does
	}
	return query
}

var currentUser = regexp.MustCompile(`(?is)^(\s*create\s+(?:or\s+replace\s+)?(?:algorithm\s*=\s*\w+\s+)?)definer\s*=\s*current_user(?:\s*\(\s*\))?(\s)`)

// ownDefiner cuts a definer out that is whoever runs the statement.
func ownDefiner(query string) string {
	if !startsWith(query, "create") {
		return query
	}
	if at := currentUser.FindStringSubmatchIndex(query); at != nil {
		return query[:at[3]] + strings.Repeat(" ", at[4]-at[3]) + query[at[4]:] // other places in the text stay where they are
	}
	return query
}

// KeepWildcards doubles the backslash of \% and \_ in strings: MySQL keeps it there, for patterns, the grammar drops it.
func KeepWildcards(query string) string {
	if !strings.Contains(query, `\%`) && !strings.Contains(query, `\_`) {
		return query
	}
	var out strings.Builder
	words, done := lexer{text: query}, 0
	for word, at := words.next(); word != ""; word, at = words.next() {
		if word[0] != '\'' && word[0] != '"' {
			continue
		}
		for i := 0; i+1 < len(word); i++ {
			if word[i] != '\\' {
				continue
			}
			if word[i+1] == '%' || word[i+1] == '_' {
				out.WriteString(query[done:at+i] + `\`)
				done = at + i
			}
			i++
		}
	}
	return out.String() + query[done:]
}

// headed gives a column the name that MySQL gives it.
func (r *rewriterAST) headed(n *ast.AliasedExpr) {
	n.InputExpression = literalsAsWritten(strings.TrimLeft(n.InputExpression, ", \t\r\n")) // GROUP_CONCAT gives its list's comma to the next column
	if r.doubled {
		n.InputExpression = undouble.Replace(n.InputExpression)
	}
	nameColumn(n)
}

var undouble = strings.NewReplacer(`\\%`, `\%`, `\\_`, `\_`)

// straightUsing makes STRAIGHT_JOIN a JOIN in a statement with USING, which the grammar does not take together.
func straightUsing(query string) string {
	if len(query) > 10_000 || !usesStraight.MatchString(query) {
		return query
	}
	var out strings.Builder
	words, done, before := lexer{text: query}, 0, ""
	for word, at := words.next(); word != ""; word, at = words.next() {
		if strings.EqualFold(word, "straight_join") && !strings.EqualFold(before, "select") {
			out.WriteString(query[done:at] + "JOIN")
			done = at + len(word)
		}
		before = word
	}
	return out.String() + query[done:]
}

var usesStraight = regexp.MustCompile(`(?is)\bstraight_join\b.*\busing\b`)

// shareMark is the table name in FOR UPDATE OF that makes it FOR SHARE.
const shareMark = "#share"

func (p *parser) rewriteParsed(ctx context.Context, query, text string, stmt ast.Statement, err error) (ast.Statement, error) {
	if err != nil || stmt == nil {
		return stmt, err
	}
	return p.rewrite(ctx, query, text, stmt, false)
}

// rewrite walks a parsed statement; text is what was parsed of the query.
func (p *parser) rewrite(ctx context.Context, query, text string, stmt ast.Statement, lowered bool) (ast.Statement, error) {
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
	r := &rewriterAST{root: stmt, ctx: ctx, query: query, text: text, ctes: make(map[string]bool), plain: p.plain, asks: p.asks, lowered: lowered, doubled: !lowered && !strings.Contains(query, `\\%`) && !strings.Contains(query, `\\_`)}
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
	text    string             // where the parser's places are
	ctes    map[string]bool    // names that are no tables
	unnamed []*ast.AliasedExpr // columns of UNIONs that are to have aliases, see namedForOrder
	owned   expr.Owners        // aggregates and columns of queries around the subqueries in which they stand

	lowered   bool // by package lower: columns have their headings
	procedure bool // in the body of a procedure or function, where the parser gives columns no text
	doubled   bool // backslashes before % and _ are KeepWildcards's

	nested   bool // there is a subquery
	lockless bool // EXPLAIN, or a view's text: clauses there lock nothing

	plain bool // GMS's own test suites run statements that MySQL refuses
	asks  bool
}

func (r *rewriterAST) statement(node ast.SQLNode) error {
	if node == nil {
		return nil
	}
	if err := ast.Walk(r.collect, node); err != nil {
		return err
	}
	if !r.plain {
		var err error
		if r.owned, err = r.owners(node); err != nil {
			return err
		}
	}
	if err := ast.Walk(r.visit, node); err != nil {
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
		return true, r.updateJoin(n)
	case *ast.Insert:
		if len(n.Returning) > 0 {
			return false, NewError(1064, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'returning'")
		}
		if err := r.checkSelfRead(n); err != nil {
			return false, err
		}
		if !r.plain {
			r.insertSelect(n)
		}
	case *ast.Select:
		if !r.lowered {
			if err := r.firstStar(n.SelectExprs); err != nil {
				return false, err
			}
		}
		if r.procedure {
			r.nameColumns(n)
		}
		if !r.plain {
			if err := r.groupKeys(n); err != nil {
				return false, err
			}
			expr.OverGroups(n, r.owned)
		}
		r.lockSelect(n)
		if !r.plain {
			distinctOrder(n)
			return true, expr.RollUp(n)
		}
	case *ast.JoinTableExpr:
		return true, refuseMatchOn(n)
	case *ast.Subquery:
		r.nested = true
	case *ast.UnaryExpr:
		introduced(n)
	case *ast.Show:
		r.systemShow(n)
	case *ast.AliasedTableExpr:
		if name, ok := n.Expr.(ast.TableName); ok {
			n.Expr = r.systemTable(name)
		}
	case *ast.ColName:
		if strings.EqualFold(n.Qualifier.DbQualifier.String(), "mysql") {
			n.Qualifier = r.systemTable(n.Qualifier)
		}
	case *ast.AliasedExpr:
		if !r.lowered {
			r.headed(n)
		}
		if slices.Contains(r.unnamed, n) && n.InputExpression != "" {
			n.As = ast.NewColIdent(n.InputExpression)
		}
	case *ast.ComparisonExpr:
		if r.withoutEscape() {
			plainPattern(n)
		}
		escapePattern(n)
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
		return true, r.checkSelfRead(n)
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
		n.ProcedureSpec.Body, r.procedure = &program{body}, true
		if err := r.statement(body); err != nil {
			return err
		}
		return checkProgram(n.ProcedureSpec, body)
	}
	if n.TriggerSpec != nil {
		if err := r.statement(n.TriggerSpec.Body); err != nil {
			return err
		}
		return r.asProgram(n)
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
