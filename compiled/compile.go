package compiled

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/perfschema"
	"emberdb/sql/parse"
	"emberdb/sqllayer"
	"emberdb/sqllayer/trees"
)

// errNotMine says that a statement is left to GMS.
var errNotMine = errors.New("not compiled")

// verb is what a program does.
type verb uint8

const (
	verbSelect verb = iota
	verbInsert
	verbUpdate
	verbDelete
	verbBegin
	verbCommit
	verbRollback
	verbSavepoint
	verbRollbackTo
	verbRelease
	verbSet
	verbPlain // SELECT without FROM
)

// Program is a compiled statement. Immutable.
type Program struct {
	verb   verb
	schema string
	name   string
	def    *catalog.Table
	info   *sqllayer.DirectTable
	cols   []column
	params int

	privileges []sql.PrivilegedOperation
	dict       dictVersion

	where    []cond
	operands int // of all conditions
	formulas []formula
	marks    []int    // parameters of all formulas
	dates    []dated  // of all formulas
	tables   []source // in the order they are read
	place    []int    // of each table of FROM among them
	keyless  bool
	hides    bool // a table has invisible indexes

	items     []item
	aggregate bool
	group     []int // columns of GROUP BY
	grouping  *grouping
	groupSort []groupOrder
	shown     int // items that are shown: the others are HAVING's
	having    []having
	extreme   bool // one MIN or MAX: in order, the first value will do
	distinct  bool
	order     []row.KeyPart // wanted, if it is of columns only; of the program's columns
	sorts     []sortPart    // the same, and what else DISTINCT compares
	limited   bool
	limit     operand
	offset    operand
	some      []operand // LIMITs of subqueries
	header    [][]byte  // packets that describe the result
	lock      table.LockMode
	wait      table.WaitPolicy
	kept      atomic.Bool // the executor has refused it
	digests   perfschema.Slot
	Warnings  []parse.Warning // that running it gives, for how it is written

	rows       [][]rowValue // INSERT: values by table column
	bulk       []int        // the only row stands for any number of rows of literals of these columns, its first parameters
	defaults   []rowValue   // of a bulk's columns
	keepZero   bool         // zero is an AUTO_INCREMENT value like others
	duplicate  duplicate
	autoInc    int            // position of the AUTO_INCREMENT column, -1
	lastUnique *catalog.Index // the last unique key
	sets       []assignment   // of UPDATE and ON DUPLICATE KEY UPDATE
	derived    []assignment   // of a row that has changed: ON UPDATE CURRENT_TIMESTAMP
	computes   bool           // UPDATE and DELETE: GMS evaluates conditions or values
	generated  []generated
	checks     []int // formulas
	parents    []parent
	event      sqllayer.TriggerEvent // of the triggers
	fires      bool

	start     sqllayer.Start
	savepoint string
	plan      sql.Node // of SET
	plain     []sql.Expression
}

// duplicate tells what INSERT does about a row whose key is there already.
type duplicate uint8

const (
	dupError duplicate = iota
	dupIgnore
	dupReplace
	dupUpdate
)

// rowValue is a value of VALUES.
type rowValue struct {
	operand operand
	scalar  *scalar // nil: the operand
	none    bool    // of defaults: GMS knows it
	later   bool    // of a generated column: computed when its row is complete
}

// assignment is one of UPDATE's: an operand, an integer added to an integer column, or whatever
// scalar gives.
type assignment struct {
	col     int
	from    int // column to add to, -1
	sub     bool
	val     operand
	scalar  *scalar
	formula int // + 1; 0: none
}

// operand is a parameter, or a constant or column where param is negative.
type operand struct {
	param    int
	negative bool
	value    Param
	column   int // a column's position + 1; 0: none
}

// Writes tells whether the program changes rows.
func (p *Program) Writes() bool { return p.verb >= verbInsert && p.verb <= verbDelete }

// access is what the program does to the rows of its tables.
func (p *Program) access() sqllayer.Access {
	switch {
	case p.Writes():
		return sqllayer.Writes
	case p.lock == table.Exclusive:
		return sqllayer.Locks
	}
	return sqllayer.Reads
}

// Rows tells whether the program answers with a result set.
func (p *Program) Rows() bool { return p.verb == verbSelect || p.verb == verbPlain }

// Privileges are those an account needs.
func (p *Program) Privileges() []sql.PrivilegedOperation { return p.privileges }

// Com names the Com_ counter of the statement.
func (p *Program) Com() string {
	if p.duplicate == dupReplace {
		return "replace"
	}
	return [...]string{"select", "insert", "update", "delete", "begin", "commit", "rollback",
		"savepoint", "rollback_to_savepoint", "release_savepoint", "set_option", "select"}[p.verb]
}

// Digests keeps the digest of the statement, for performance_schema.
func (p *Program) Digests() *perfschema.Slot { return &p.digests }

// Sets tells SET.
func (p *Program) Sets() bool { return p.verb == verbSet }

// Verb predicates for the server.
func (p *Program) Commits() bool { return p.verb == verbCommit }

// Source is a statement to compile.
type Source struct {
	Session  *sqllayer.Session
	Database string
	Options  ast.ParserOptions
	Key      string           // of a text: what Scan made, without the prefix; "" for a prepared statement
	Text     string           // for rows of INSERT, Bulk.Sample
	Fields   []*querypb.Field // of the result GMS gave
	Tree     ast.Statement    // of a statement in a stored program, in the place of its text
	Plan     sql.Node         // of a statement without tables, as GMS has run it; nil for others
	Ended    *atomic.Uint32   // other than 0: nobody waits for the program any more; nil: somebody does
}

// wanted tells whether somebody waits for the program.
func (s *Source) wanted() bool { return s.Ended == nil || s.Ended.Load() == 0 }

// Compile makes a program; nil, and the reason, if the statement is not mine.
func Compile(ctx context.Context, src *Source) (p *Program, why Reason) {
	c := &compiler{ctx: ctx, src: src, p: &Program{autoInc: -1}, at: ByText}
	return c.outcome(c.compile)
}

// outcome is the program that f compiles, or what it has given up at.
func (c *compiler) outcome(f func()) (p *Program, why Reason) {
	defer func() {
		if e := recover(); e != nil {
			if e != errNotMine {
				panic(e)
			}
			p, why = nil, c.at
		}
	}()
	f()
	return c.p, Mine
}

// giveUp ends the compilation of a statement that is not mine.
func giveUp() { panic(errNotMine) }

func need(ok bool) {
	if !ok {
		giveUp()
	}
}

func (c *compiler) compile() {
	ctx, src := c.ctx, c.src
	text, kinds := src.Text, ""
	if src.Key != "" {
		var ok bool
		text, kinds, ok = splitKey(src.Key)
		need(ok)
	}
	if src.Plan != nil {
		c.at = ByExpression
		c.p = withoutTables(sql.NewContext(ctx, sql.WithSession(src.Session)), src)
		return
	}
	stmt := src.Tree
	if stmt == nil {
		if !known(text) {
			c.at = ByKind
			giveUp()
		}
		var err error
		stmt, err = sqllayer.TreeOf(text, src.Options, src.Ended)
		need(err == nil && src.wanted() && trees.CheckDepth(stmt, text, src.Ended) == nil && src.wanted())
	}
	c.p.params = countArgs(stmt)
	if src.Key != "" {
		need(c.p.params == len(kinds))
		c.bulk = strings.Count(kinds, string(bulkKind))
		own, err := sqllayer.TreeOf(src.Text, src.Options, src.Ended)
		need(err == nil && src.wanted() && trees.CheckDepth(own, text, src.Ended) == nil && src.wanted())
		need(sameShape(reflect.ValueOf(stmt), reflect.ValueOf(own), kinds) && src.wanted())
	}
	switch c.at = ByClause; n := stmt.(type) {
	case *ast.Select:
		c.selectFrom(n)
	case *ast.Insert:
		c.insert(n)
	case *ast.Update:
		c.update(n)
	case *ast.Delete:
		c.delete(n)
	default:
		giveUp() // UNION and its like
	}
	c.p.gathered()
}

// known tells texts of the kinds of statements that may be mine. INSERT DELAYED warns.
func known(text string) bool {
	if words := strings.Fields(text[:min(len(text), 64)]); len(words) > 1 && strings.EqualFold(words[1], "delayed") {
		return false
	}
	word := strings.ToLower(text[:wordLen([]byte(text[:min(len(text), len("replace")+1)]))])
	return slices.Contains([]string{"", "select", "insert", "replace", "update", "delete"}, word)
}

func countArgs(stmt ast.Statement) (n int) {
	_ = ast.Walk(func(node ast.SQLNode) (bool, error) {
		if v, ok := node.(*ast.SQLVal); ok && v.Type == ast.ValArg {
			n++
		}
		return true, nil
	}, stmt)
	return n
}

// compiler is a compilation under way.
type compiler struct {
	ctx context.Context
	src *Source
	p   *Program
	at  Reason // what is looked at

	joined []ast.Expr // conditions of inner joins
	ons    []on
	outer  int // tables of FROM, once it has been read: 0 until then
	inner  int // the table of the subquery that is looked at, or 0

	exprs []ast.Expr // of the result's columns; nil where * gave them

	stored   bool   // the expression is the table's own: of a CHECK or a generated column
	inserted string // alias of the row of VALUES
	bulk     int    // parameters that are literals of many rows
}

// operand takes a parameter or literal.
func (c *compiler) operand(e ast.Expr) (o operand) {
	switch n := e.(type) {
	case *ast.ParenExpr:
		return c.operand(n.Expr)
	case *ast.NullVal:
		return operand{param: -1}
	case *ast.UnaryExpr:
		need(n.Operator == ast.UMinusStr)
		_, literal := n.Expr.(*ast.SQLVal)
		need(literal)
		o = c.operand(n.Expr)
		need(!o.negative && (o.param >= 0 || o.value.Kind != KindString))
		o.negative = true
		return o
	case *ast.SQLVal:
		return c.literal(n)
	}
	giveUp()
	return o
}

func (c *compiler) literal(n *ast.SQLVal) operand {
	text := string(n.Val)
	switch n.Type {
	case ast.ValArg:
		i, err := strconv.Atoi(strings.TrimPrefix(text, ":v"))
		need(err == nil && i > 0)
		return operand{param: i - 1}
	case ast.StrVal:
		return operand{param: -1, value: Param{Kind: KindString, B: []byte(text)}}
	case ast.IntVal:
		need(len(text) < 2 || text[0] != '0')
		i, err := strconv.ParseInt(text, 10, 64)
		need(err == nil && i >= 0)
		return operand{param: -1, value: Param{Kind: KindInt, N: uint64(i)}}
	case ast.FloatVal:
		need(!strings.ContainsAny(text, "eE") && len(text) < 60 && isDigit(text[0]))
		return operand{param: -1, value: Param{Kind: KindDecimal, B: []byte(text)}}
	}
	giveUp()
	return operand{}
}

// need notes what the account needs.
func (c *compiler) need(kinds ...sql.PrivilegeType) {
	for i := range c.p.tables {
		subject := sql.PrivilegeCheckSubject{Database: c.p.tables[i].schema, Table: c.p.tables[i].name}
		c.p.privileges = append(c.p.privileges, sql.NewPrivilegedOperation(subject, kinds...))
	}
}

// limit takes LIMIT.
func (c *compiler) limit(n *ast.Limit) {
	if n == nil {
		return
	}
	c.p.limited = true
	c.p.limit = c.operand(n.Rowcount)
	c.p.offset = operand{param: -1, value: Param{Kind: KindInt}}
	if n.Offset != nil {
		c.p.offset = c.operand(n.Offset)
	}
}

// sameShape compares the tree of a key with that of a text that has it: equal but for the literals,
// whose kinds are the key's.
func sameShape(a, b reflect.Value, kinds string) bool {
	if a.IsValid() != b.IsValid() {
		return false
	}
	if !a.IsValid() {
		return true
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		if u, ok := a.Interface().(*ast.UnaryExpr); ok && u.Operator == ast.UMinusStr {
			if v, ok := b.Interface().(*ast.SQLVal); ok { // the grammar takes the sign into a number
				mark, literal := u.Expr.(*ast.SQLVal)
				digits, negative := strings.CutPrefix(string(v.Val), "-")
				return literal && negative && sameLiteral(mark, &ast.SQLVal{Type: v.Type, Val: []byte(digits)}, kinds)
			}
		}
		return sameShape(a.Elem(), b.Elem(), kinds)
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		if v, ok := a.Interface().(*ast.SQLVal); ok {
			return sameLiteral(v, b.Interface().(*ast.SQLVal), kinds)
		}
		return sameShape(a.Elem(), b.Elem(), kinds)
	case reflect.Struct:
		for i := range a.NumField() {
			switch f := a.Type().Field(i); {
			case !f.IsExported() && f.Type.Kind() == reflect.String:
				if a.Field(i).String() != b.Field(i).String() {
					return false
				}
			case !f.IsExported(), f.Type == commentsType, f.Name == "StartParsePos", f.Name == "EndParsePos", f.Name == "InputExpression":
			case !sameShape(a.Field(i), b.Field(i), kinds):
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !sameShape(a.Index(i), b.Index(i), kinds) {
				return false
			}
		}
		return true
	case reflect.String:
		return a.String() == b.String()
	case reflect.Bool:
		return a.Bool() == b.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return a.Int() == b.Int()
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		return a.Uint() == b.Uint()
	}
	return false
}

// commentsType is that of comments, which a key has none of. They are no hints: texts with such
// have no key.
var commentsType = reflect.TypeFor[ast.Comments]()

func sameLiteral(a, b *ast.SQLVal, kinds string) bool {
	if a.Type != ast.ValArg {
		return a.Type == b.Type && string(a.Val) == string(b.Val)
	}
	i, err := strconv.Atoi(strings.TrimPrefix(string(a.Val), ":v"))
	if err != nil || i < 1 || i > len(kinds) {
		return false
	}
	if kinds[i-1] == bulkKind {
		return b.Type == ast.IntVal // of Bulk.Sample
	}
	switch Kind(kinds[i-1] - 'a') {
	case KindInt, KindUint:
		return b.Type == ast.IntVal
	case KindDecimal:
		return b.Type == ast.FloatVal
	case KindString:
		return b.Type == ast.StrVal
	}
	return false
}
