package compiled

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/internal/base"
)

// What a table asks of its rows before they are stored:
//
//	generated columns   formulas of the row, in the order of the columns; virtual ones are stored as well, for indexes, but never read
//	CHECK               formulas that must not be false
//	foreign keys        a row with the key in the parent, which is locked shared. Only keys whose columns the statement sets are looked up
//
// A row that is refused is GMS's, with the whole statement: it words the error, or goes on to the
// next row (IGNORE), or follows the key to other tables. So are changes of columns that others
// refer to, and DELETE from a table that is referred to: see compiler.changes.

// generated is a column that is computed.
type generated struct{ col, formula int }

// parent is a foreign key of the table. A parent that is not there has no definition and no index:
// rows need a NULL in the key.
type parent struct {
	schema, name string
	def          *catalog.Table
	index        *catalog.Index
	cols         []int // of the child, for each leading part of the index
}

// changes takes what the table asks of rows that an INSERT, or an UPDATE of the columns in p.sets,
// stores. All is known of the statement but its WHERE.
func (c *compiler) changes() {
	p := c.p
	c.at = ByConstraint
	need(!p.info.Watched)
	c.triggers()
	if len(p.place) == 0 {
		p.place = []int{0}
	}
	c.stored = true
	for i := range p.def.Columns {
		col := &p.def.Columns[i]
		if col.Generated == "" {
			continue
		}
		c.at = ByGenerated
		e, err := parseExpr(col.Generated)
		need(err == nil)
		p.generated = append(p.generated, generated{i, c.formula(e)})
	}
	c.at = ByConstraint
	for i := range p.def.Checks {
		if p.def.Checks[i].Enforced {
			e, err := parseExpr(p.def.Checks[i].Expr)
			need(err == nil)
			p.checks = append(p.checks, c.formula(e))
		}
	}
	c.stored = false
	set := func(col int) bool {
		is := func(a assignment) bool { return a.col == col }
		return slices.ContainsFunc(p.sets, is) || slices.ContainsFunc(p.derived, is) ||
			slices.ContainsFunc(p.generated, func(g generated) bool { return g.col == col })
	}
	if p.verb == verbUpdate || p.duplicate == dupUpdate {
		need(!slices.ContainsFunc(p.info.Referenced, set))
	}
	for i := range p.def.ForeignKeys {
		fk := &p.def.ForeignKeys[i]
		if p.verb == verbInsert || slices.ContainsFunc(fk.Columns, func(name string) bool { return set(c.find(name)) }) {
			p.parents = append(p.parents, c.parent(fk))
		}
	}
}

// parent finds the index of a foreign key's parent.
func (c *compiler) parent(fk *catalog.ForeignKey) parent {
	def := definition(c.src.Session.Layer().StorageEngine(), fk.ParentSchema, fk.ParentTable)
	k := parent{schema: fk.ParentSchema, name: fk.ParentTable, def: def}
	if def == nil {
		for _, name := range fk.Columns {
			k.cols = append(k.cols, c.find(name))
		}
		return k
	}
	for _, idx := range def.Indexes {
		if cols, ok := c.parentIndex(fk, def, idx); ok && !idx.Building {
			k.index, k.cols = idx, cols
			return k
		}
	}
	giveUp()
	return k
}

// parentIndex tells whether an index begins with the columns of a foreign key, which store values
// as the child does.
func (c *compiler) parentIndex(fk *catalog.ForeignKey, def *catalog.Table, idx *catalog.Index) (cols []int, ok bool) {
	n := len(fk.Columns)
	if idx.Kind != "" || len(idx.Parts) < n {
		return nil, false
	}
	for _, part := range idx.Parts[:n] {
		theirs := &def.Columns[part.Column]
		at := slices.IndexFunc(fk.ParentColumns, func(name string) bool { return strings.EqualFold(name, theirs.Name) })
		if at < 0 || part.Prefix > 0 {
			return nil, false
		}
		col := c.find(fk.Columns[at])
		own := &c.p.cols[col]
		if own.Type != theirs.Type || !own.character && (own.Precision != theirs.Precision || own.Scale != theirs.Scale) || own.Collation != theirs.Collation {
			return nil, false
		}
		switch own.Type {
		case row.TEnum, row.TSet, row.TFloat32, row.TTime, row.TBit, row.TJSON, row.TGeometry:
			return nil, false
		}
		cols = append(cols, col)
	}
	return cols, true
}

// openParents opens the tables whose rows are looked for. What stands in the way of that is for GMS
// to tell.
func (x *Exec) openParents() error {
	x.parents = x.parents[:0]
	if len(x.p.parents) == 0 || !x.session.ForeignKeyChecksDirect() {
		return nil
	}
	for i := range x.p.parents {
		k := &x.p.parents[i]
		h, ok, err := x.session.OpenParentDirect(x.sc, k.schema, k.name)
		switch {
		case errors.Is(err, base.ErrNotFound) && k.def == nil:
			x.parents = append(x.parents, nil)
			continue
		case errors.Is(err, base.ErrNotFound):
			return errStale
		case err != nil:
			return err
		case !ok:
			x.why = ByTransaction
			return errNotMine
		case h.Def() != k.def:
			return errStale
		}
		x.parents = append(x.parents, h)
	}
	return nil
}

// complete computes the generated columns of a row and checks that it may be stored. old is the row
// that it replaces, nil for a new one.
func (x *Exec) complete(old, vals []row.Value) error {
	p := x.p
	if len(p.generated)+len(p.checks) > 0 {
		if err := x.computed(vals); err != nil {
			return err
		}
	}
	for i, h := range x.parents {
		if k := &p.parents[i]; old == nil || slices.ContainsFunc(k.cols, func(col int) bool { return !old[col].Same(vals[col]) }) {
			if err := x.parent(k, h, vals); err != nil {
				return err
			}
		}
	}
	return nil
}

// computed computes the generated columns of a row and asks its CHECKs.
func (x *Exec) computed(vals []row.Value) error {
	p := x.p
	x.cur = vals
	warnings := x.sc.Session.WarningCount()
	for _, g := range p.generated {
		v, err := x.evaluate(g.formula)
		if err != nil {
			return errNotMine
		}
		var ok bool
		if vals[g.col], ok = x.storeGenerated(g.col, v); !ok {
			return errNotMine
		}
	}
	for _, n := range p.checks {
		v, err := x.evaluate(n)
		if err != nil {
			return errNotMine
		}
		if v == nil {
			continue
		}
		if ok, err := sql.ConvertToBool(x.sc, v); err != nil || !ok {
			return errNotMine
		}
	}
	if x.sc.Session.WarningCount() != warnings {
		return errNotMine
	}
	return nil
}

// parent looks for the row a foreign key refers to, as it is now, and locks it.
func (x *Exec) parent(k *parent, h *table.Table, vals []row.Value) error {
	if slices.ContainsFunc(k.cols, func(col int) bool { return vals[col].IsNull() }) {
		return nil
	}
	if h == nil {
		return errNotMine
	}
	x.key = x.key[:0]
	for i, col := range k.cols {
		part := k.index.Parts[i]
		x.key = row.AppendKeyPart(x.key, k.def.Columns[part.Column].Column, part, vals[col])
	}
	o := table.ScanOptions{Index: k.index, Columns: []int{}, Lock: table.Shared, Fresh: true, Lower: x.key, Upper: x.key, UpperIncl: true}
	if k.index.Clustered {
		o.Index = nil
	}
	x.lookup.Restart(h, x.trx, o)
	defer x.lookup.Close()
	_, err := x.lookup.Next(x.ctx)
	if err == io.EOF {
		return errNotMine
	}
	return err
}

// unread gives up a statement that reads a virtual column: what is stored of it may be older than
// its definition.
func (c *compiler) unread(col int) {
	k := &c.p.cols[col]
	if c.p.tables[k.table].def.Columns[k.pos].Virtual {
		c.at = ByGenerated
		giveUp()
	}
}

// ungenerated gives up a statement that gives a generated column a value: DEFAULT is the only one.
func (c *compiler) ungenerated(col int, e ast.Expr) {
	if c.p.def.Columns[col].Generated == "" {
		return
	}
	if _, ok := e.(*ast.Default); !ok {
		c.at = ByGenerated
		giveUp()
	}
}
