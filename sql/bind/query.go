package bind

import (
	"emberdb/engine/catalog"
	"emberdb/engine/table"
	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
	"slices"
)

// Catalog opens the tables that a statement names.
type Catalog interface {
	// Open returns a base table that the session may read, and whose rows it may lock, or a
	// *fn.Refused. An empty schema is the current database.
	Open(schema, name string, lock table.LockMode) (*Table, error)
}

// Table is a base table, or a view.
type Table struct {
	Def    *catalog.Table
	Handle *table.Table
	Types  []types.Type // of the columns; a Kind of Null marks one that is not read
	Names  []string
	// Schema and Name are what clients call it, if not by its definition's names.
	Schema, Name string
	View         *View // not nil: it is a view, and the rest is not set
}

// View is a view: a query that is bound by itself, and its place in the server.
type View struct {
	Schema, Name string
	Query        *ast.Query
	Text         string   // that the tree was read from; it names the schemas of its tables
	Columns      []string // nil: they have the names of the query's
	Collation    uint16   // of its constants
	Temporary    bool     // ALGORITHM = TEMPTABLE
	Catalog      Catalog  // opens its tables
}

// Source is what rows come from: *Base, *Derived, *Work or *Join.
type Source interface{ source() }

// Base is a table in FROM.
type Base struct {
	Table *Table
	Alias string
	First int // ID of its first column
	KeyID int // not 0: a column of the keys of its rows
	// Locking tells how its rows are locked; the zero value: as those of other tables of the statement.
	Locking table.Locking
	Hints   Hints
}

// Derived is a query in FROM.
type Derived struct {
	Query *Query
	Alias string
	First int // ID of its first column
	// Lateral tells that it depends on the tables before it.
	Lateral bool
}

// JoinKind is the kind of a join.
type JoinKind uint8

const (
	Inner JoinKind = iota
	Left
)

// Join joins two sources.
type Join struct {
	Kind JoinKind
	L, R Source
	On   fn.Expr // nil: every pair
	// ByNames tells NATURAL and USING.
	ByNames bool
}

func (*Base) source()    {}
func (*Derived) source() {}
func (*Join) source()    {}

// Aggregate is an aggregate function of a query block.
type Aggregate struct {
	ID       int
	Kind     fn.AggregateKind
	Distinct bool
	Arg      fn.Expr // nil: COUNT(*)
	T        types.Type

	// Of GROUP_CONCAT.
	Order     []Order
	Separator []byte
	Most      int // bytes of the result
}

// Group is a GROUP BY expression; the groups have it as column ID.
type Group struct {
	ID   int
	Expr fn.Expr
}

// Item is a column of a query's result.
type Item struct {
	Expr   fn.Expr
	Name   string
	Origin Origin
	Stored bool // MySQL reads it from a temporary table
}

// Origin tells where a result's column comes from; the zero Origin is that of a computed one.
type Origin struct {
	Schema, Table, OrgTable, OrgName string
	Column                           *catalog.Column
	Def                              *catalog.Table
	Base                             bool   // it is a base table's own: its heading is what the statement calls it
	Outer                            bool   // it may be NULL because of an outer join
	Kept                             bool   // it comes out of a group or a derived table
	Width                            uint32 // characters that are described, if not those of the type
}

// Order is an ORDER BY expression.
type Order struct {
	Expr fn.Expr
	Desc bool
}

// SetKind is a set operation.
type SetKind uint8

const (
	Union SetKind = iota
	Intersect
	Except
)

// Query is a bound query: a block, or a union of queries.
type Query struct {
	From     Source // nil: one row without columns
	Where    []fn.Expr
	Grouped  bool
	Groups   []Group
	Aggs     []*Aggregate
	Rollup   bool     // there are groups of the first keys alone as well, down to none; the others are NULL
	Level    int      // Rollup: ID of the number of keys that a group has
	ends     bool     // a query of the statement that locks rows may end before the last row of its tables
	Varies   bool     // it calls functions that give another value for each row
	Assigned []string // the user variables that the statement assigns
	follows  bool     // columns follow from the keys in a way that the library does not know
	Having   []fn.Expr
	Windows  []*Window
	Items    []Item
	Distinct bool

	Union     []*Query // not nil: their rows, one after the other
	UnionAll  bool
	values    bool       // it is the rows of VALUES
	Set       SetKind    // how the rows of Union come together; but for UNION they are two
	Recursion *Recursion // not nil: its rows
	First     int        // ID of the first column of a union, by which Order names them

	Order  []Order
	Limit  int64 // -1: none
	Offset int64
	Outer  []int // columns of queries around this one
}

// SubqueryKind is how a query stands in an expression.
type SubqueryKind uint8

const (
	Scalar SubqueryKind = iota
	Exists
	InQuery
)

// Subquery is a query in an expression. It is for the planner to take it out: it cannot be
// evaluated.
type Subquery struct {
	Kind  SubqueryKind
	Query *Query
	Not   bool    // NOT EXISTS, NOT IN
	X     fn.Expr // the left side of IN
	T     types.Type
}

// Type implements fn.Expr.
func (e *Subquery) Type() types.Type { return e.T }

// Eval implements fn.Expr.
func (e *Subquery) Eval(*fn.Context, *types.Batch) (*types.Vec, error) {
	return nil, fn.Refuse(fn.BySubquery, "a subquery that is not planned")
}

// Parts implements fn.Expr.
func (e *Subquery) Parts() []fn.Expr {
	if e.X == nil {
		return nil
	}
	return []fn.Expr{e.X}
}

// With implements fn.Expr.
func (e *Subquery) With(parts []fn.Expr) fn.Expr {
	c := *e
	if e.X != nil {
		c.X = parts[0]
	}
	return &c
}

// KeyName names the node in keys: no two subqueries are the same.
func (e *Subquery) KeyName() string { return "query" + addressOf(e.Query) }

// EachExpr calls f for the expressions of a query itself, those of its joins included.
func (q *Query) EachExpr(f func(fn.Expr)) {
	var from func(s Source)
	from = func(s Source) {
		if j, ok := s.(*Join); ok {
			from(j.L)
			from(j.R)
			if j.On != nil {
				f(j.On)
			}
		}
	}
	from(q.From)
	for _, list := range [][]fn.Expr{q.Where, q.Having} {
		for _, e := range list {
			f(e)
		}
	}
	for i := range q.Groups {
		f(q.Groups[i].Expr)
	}
	for _, a := range q.Aggs {
		if a.Arg != nil {
			f(a.Arg)
		}
		for i := range a.Order {
			f(a.Order[i].Expr)
		}
	}
	for _, w := range q.Windows {
		w.EachExpr(func(e fn.Expr) fn.Expr {
			f(e)
			return e
		})
	}
	for i := range q.Items {
		f(q.Items[i].Expr)
	}
	for i := range q.Order {
		f(q.Order[i].Expr)
	}
}

// Ends tells whether a query of the statement may end before the last row of its tables.
func (q *Query) Ends() bool { return q.ends }

// Averages tells for each column whether it is an aggregate as it stands: an average then has more
// digits than it shows, and a table with room for them gets them.
func (q *Query) Averages() []bool {
	out := make([]bool, len(q.Items))
	if len(q.Windows) > 0 || q.Union != nil {
		return out
	}
	for i := range q.Items {
		c, ok := q.Items[i].Expr.(*fn.Column)
		out[i] = ok && slices.ContainsFunc(q.Aggs, func(a *Aggregate) bool { return a.ID == c.ID })
	}
	return out
}

// noDocuments refuses JSON where rows are compared: as keys of groups and orders, and by DISTINCT.
func (q *Query) noDocuments() error {
	var keys []fn.Expr
	for _, g := range q.Groups {
		keys = append(keys, g.Expr)
	}
	for _, o := range q.Order {
		keys = append(keys, o.Expr)
	}
	for i := range q.Items {
		if q.Distinct {
			keys = append(keys, q.Items[i].Expr)
		}
	}
	for _, e := range keys {
		if err := noDocument(e); err != nil {
			return err
		}
	}
	return nil
}
