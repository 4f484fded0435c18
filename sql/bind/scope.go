package bind

import (
	"fmt"
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

func addressOf(q *Query) string { return fmt.Sprintf("%p", q) }

// visible is a table that names may belong to.
type visible struct {
	schema  string // "": of a query
	renamed bool   // it has an alias
	alias   string
	columns []visibleColumn
	first   int
	outer   bool // its rows may be missing
	base    bool // it is a base table
}

type visibleColumn struct {
	name   string
	t      types.Type
	origin Origin
	hidden bool // not part of *
	merged bool // a join by names has made it one with a column of the left side
}

// scope is where the names of a query block are looked for: its tables, then those of the blocks
// around it.
type scope struct {
	parent *scope
	tables []*visible
	stars  []star // what * stands for
	outer  *[]int // of the query of this block
	locks  []ast.Lock
	with   []*common
}

// binder binds one statement.
type binder struct {
	cat    Catalog
	text   string
	params []fn.Expr
	local  func(name string) (fn.Expr, error)
	last   int // ID given last
	tables int
	depth  int

	set         fn.Setting
	collationID func(name string) (uint16, bool)
	charsetID   func(name string) (uint16, bool)
	variable    func(name string) (fn.Expr, error)
	system      func(n *ast.SystemVar) (fn.Expr, error)
	variables   fn.Variables    // nil: the statement may assign none
	assigned    map[string]bool // the variables that it assigns
	alone       bool            // a derived table without FROM is bound
	longest     int             // bytes of what GROUP_CONCAT gives
	packet      int             // bytes of a document that an aggregate function makes
	ended       func() error
	fullGroups  bool
	sameNames   bool
	unseen      bool
	inView      bool // what is bound is the query of a view
	ends        bool // a query has a LIMIT, or one within another locks rows
}

// most bounds the tables of a statement and how deep its queries nest.
const (
	mostTables = 40
	mostDepth  = 16
)

func (b *binder) ids(n int) (first int) {
	first = b.last + 1
	b.last += n
	return first
}

// find looks a column up. The result is nil if there is none.
func (s *scope) find(n *ast.Column) (e *fn.Column, o Origin, err error) {
	for at := s; at != nil; at = at.parent {
		e, o, err = at.own(n)
		if err != nil {
			return nil, o, err
		}
		if e == nil {
			continue
		}
		for in := s; in != at; in = in.parent { // every block in between depends on it
			note(in.outer, e.ID)
		}
		return e, o, nil
	}
	return nil, o, nil
}

func note(list *[]int, id int) {
	for _, have := range *list {
		if have == id {
			return
		}
	}
	*list = append(*list, id)
}

// own looks a column up in the tables of the block itself.
func (s *scope) own(n *ast.Column) (e *fn.Column, o Origin, err error) {
	for _, t := range s.tables {
		if n.Table.Given() && !strings.EqualFold(n.Table.Name, t.alias) || n.Schema.Given() && n.Schema.Name != t.schema {
			continue
		}
		for i := range t.columns {
			c := &t.columns[i]
			if !strings.EqualFold(c.name, n.Name.Name) || c.merged && !n.Table.Given() {
				continue
			}
			if e != nil {
				return nil, o, fn.Refuse(fn.ByName, "an ambiguous column")
			}
			if e, err = t.column(i); err != nil {
				return nil, o, err
			}
			o = c.origin
			o.Outer = o.Outer || t.outer
		}
	}
	return e, o, nil
}

// column is the i-th column of a table.
func (t *visible) column(i int) (*fn.Column, error) {
	c := &t.columns[i]
	if c.t.Kind == types.Null {
		return nil, fn.Refuse(fn.ByColumn, "column "+c.name)
	}
	return &fn.Column{ID: t.first + i, Name: c.name, T: c.t.Nullify(t.outer)}, nil
}
