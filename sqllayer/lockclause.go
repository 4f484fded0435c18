package sqllayer

// FOR UPDATE and its kin: the clause moves to the tables that it is about. So does the wish of an
// UPDATE for the ids of rows without a key.

import (
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/table"
	"emberdb/sqllayer/lower"
)

// lockClause is what a statement wants of the rows it reads.
type lockClause struct {
	lock table.LockMode // None: the ids of the rows, see keyless.go
	wait table.WaitPolicy

	parts []string // that PARTITION names
	alone bool     // there are only parts
}

// clausePrefix begins the AS OF of a lock clause: no client can write it, as AS OF of clients is
// refused.
const clausePrefix = "\x00lock "

// partsName is the mode of a clause that only names parts, which stand behind separators.
const (
	partsName      = "p"
	partsSeparator = "\x01"
)

var lockNames = map[table.LockMode]string{table.None: "n", table.Shared: "s", table.Exclusive: "x"}

var waitNames = map[table.WaitPolicy]string{table.Wait: "wait", table.NoWait: "nowait", table.SkipLocked: "skip"}

func (c lockClause) text() string {
	mode := lockNames[c.lock]
	if c.alone {
		mode = partsName
	}
	return strings.Join(append([]string{clausePrefix + mode + " " + waitNames[c.wait]}, c.parts...), partsSeparator)
}

// lockClauseOf reads the AS OF value that text wrote.
func lockClauseOf(asOf any) (c lockClause, ok bool) {
	text, ok := asOf.(string)
	if !ok || !strings.HasPrefix(text, clausePrefix) {
		return c, false
	}
	words := strings.Split(text[len(clausePrefix):], partsSeparator)
	mode, wait, _ := strings.Cut(words[0], " ")
	c.parts, c.alone = words[1:], mode == partsName
	for lock, name := range lockNames {
		if name == mode {
			c.lock = lock
		}
	}
	for policy, name := range waitNames {
		if name == wait {
			c.wait = policy
		}
	}
	return c, true
}

// lockSelect moves the lock clauses to the tables they are about.
func (r *rewriterAST) lockSelect(n *ast.Select) error {
	if n.Lock == nil || n.Lock.Type == "" {
		return nil
	}
	kind, of := strings.ToLower(n.Lock.Type), n.Lock.Tables
	n.Lock = &ast.Lock{Type: kind, Tables: of}
	several, isSeveral := strings.CutPrefix(kind, lower.LockSeparator)
	if !isSeveral || len(n.From) == 0 {
		r.lockAs(n, kind, of)
		return nil
	}
	if err := lockedTwice(n.From, of, several); err != nil {
		return err
	}
	for _, clause := range strings.Split(several, lower.LockSeparator) {
		digits, kind, _ := strings.Cut(clause, " ")
		count, err := strconv.Atoi(digits)
		if err != nil {
			return err
		}
		r.lockAs(n, kind, of[:count])
		of = of[count:]
	}
	return nil
}

const erLockedTwice = 3569

// lockedTwice refuses a table that is in several clauses. A clause without OF is about all tables.
func lockedTwice(from ast.TableExprs, of ast.TableNames, several string) error {
	if strings.HasPrefix(several, "0 ") || strings.Contains(several, lower.LockSeparator+"0 ") {
		first := ""
		if len(of) > 0 {
			first = of[0].Name.String()
		} else if t, ok := from[0].(*ast.AliasedTableExpr); ok {
			if first = t.As.String(); first == "" {
				first = ast.String(t.Expr)
			}
		}
		return NewError(erLockedTwice, "Table %s appears in multiple locking clauses.", first)
	}
	seen := map[string]bool{}
	for _, t := range of {
		name := t.Name.String()
		key := strings.ToLower(name)
		if seen[key] {
			return NewError(erLockedTwice, "Table `%s` appears in multiple locking clauses.", name)
		}
		seen[key] = true
	}
	return nil
}

// lockAs sets a lock clause on the tables of a query.
func (r *rewriterAST) lockAs(n *ast.Select, kind string, of ast.TableNames) {
	if r.lockless {
		return
	}
	clause := lockClause{lock: table.Exclusive}
	switch {
	case strings.Contains(kind, "skip locked"):
		clause.wait = table.SkipLocked
	case strings.Contains(kind, "nowait"):
		clause.wait = table.NoWait
	}
	if strings.Contains(kind, "share mode") {
		clause.lock = table.Shared
	}
	for _, t := range n.From {
		r.lockTable(t, of, clause)
	}
}

// lockTable sets the clause on the base tables of a FROM item. Derived tables keep to themselves,
// as in MySQL.
func (r *rewriterAST) lockTable(expr ast.TableExpr, of ast.TableNames, clause lockClause) {
	switch t := expr.(type) {
	case *ast.ParenTableExpr:
		for _, e := range t.Exprs {
			r.lockTable(e, of, clause)
		}
	case *ast.JoinTableExpr:
		r.lockTable(t.LeftExpr, of, clause)
		r.lockTable(t.RightExpr, of, clause)
	case *ast.AliasedTableExpr:
		name, ok := t.Expr.(ast.TableName)
		if !ok || t.AsOf != nil || !r.lockable(name) || !named(of, t, name) {
			return
		}
		t.AsOf = &ast.AsOf{Time: ast.NewStrVal([]byte(clause.text()))}
	}
}

// lockable tells whether a name can be a table of the engine.
func (r *rewriterAST) lockable(name ast.TableName) bool {
	db := strings.ToLower(name.DbQualifier.String())
	if db == "" {
		if r.ctes[strings.ToLower(name.Name.String())] || strings.EqualFold(name.Name.String(), "dual") {
			return false
		}
		if c, ok := r.ctx.(*sql.Context); ok && c.Session != nil {
			db = strings.ToLower(c.GetCurrentDatabase())
		}
	}
	switch db {
	case "information_schema", "mysql", "performance_schema", "sys":
		return false
	}
	return true
}

// named tells whether FOR UPDATE OF is about this table.
func named(of ast.TableNames, t *ast.AliasedTableExpr, name ast.TableName) bool {
	if len(of) == 0 {
		return true
	}
	shown := t.As.String()
	if shown == "" {
		shown = name.Name.String()
	}
	for _, o := range of {
		if strings.EqualFold(o.Name.String(), shown) {
			return true
		}
	}
	return false
}
