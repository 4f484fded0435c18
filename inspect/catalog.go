package inspect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"emberdb/engine/btree"
	"emberdb/engine/catalog"
	"emberdb/engine/dict"
	"emberdb/engine/table"
	"emberdb/internal/base"
)

// dictionary is what the pages of the system space say.
type dictionary struct {
	objects  []Object
	tables   map[base.SpaceID]*catalog.Table
	indexes  map[base.IndexID]string // schema.table.index
	problems []Problem
}

// Object is a stored object as it stands on its page.
type Object struct {
	Kind    catalog.Kind    `json:"kind"`
	Schema  string          `json:"schema"`
	Name    string          `json:"name"`
	ID      uint64          `json:"id,omitempty"`
	Trx     base.TrxID      `json:"trx"`               // who wrote it last
	Deleted bool            `json:"deleted,omitempty"` // delete-marked: dropped, and not purged yet
	Data    json.RawMessage `json:"data,omitempty"`

	def *catalog.Table // tables only
}

// dictionary reads the catalog once. It never fails as a whole: what cannot be read is among the
// problems.
func (d *Dir) dictionary() *dictionary {
	if d.catalog != nil {
		return d.catalog
	}
	c := &dictionary{tables: map[base.SpaceID]*catalog.Table{}, indexes: map[base.IndexID]string{}}
	d.catalog = c
	for _, def := range []*catalog.Table{dict.ObjectsDef(), dict.KVDef()} {
		c.nameIndexes(def)
	}
	if err := d.readObjects(c); err != nil {
		c.problems = append(c.problems, problemOf(err))
	}
	for i := range c.objects {
		if o := &c.objects[i]; o.def != nil && !o.Deleted {
			c.tables[o.def.Space] = o.def
			c.nameIndexes(o.def)
		}
	}
	return c
}

func (c *dictionary) nameIndexes(def *catalog.Table) {
	for _, ix := range def.Indexes {
		name := ix.Name
		if name == "" {
			name = "(row id)"
		}
		c.indexes[ix.ID] = tableName(def) + "." + name
	}
}

// readObjects reads the rows of the table of objects.
func (d *Dir) readObjects(c *dictionary) error {
	h, err := d.header(base.SystemSpace)
	if err != nil {
		return err
	}
	def := dict.ObjectsDef()
	tree := def.Indexes[0].ID
	root, ok := h.Root(tree)
	if !ok {
		return d.corrupt(base.PageID{}, "the system space has no tree of objects")
	}
	rows := table.NewDecoder(def)
	problem := func(err error) { c.problems = append(c.problems, problemOf(err)) }
	return d.leaves(base.SystemSpace, root, tree, func(v btree.View) error {
		for i := range v.Count() {
			key, value := v.Record(i)
			o, err := d.object(rows, value)
			if err != nil {
				problem(fmt.Errorf("object with key %x: %w", key, err))
				continue
			}
			c.objects = append(c.objects, o)
		}
		return nil
	}, problem)
}

// object decodes one row, its long values included.
func (d *Dir) object(rows *table.Decoder, value []byte) (o Object, err error) {
	r, err := rows.Row(value)
	if err != nil {
		return o, err
	}
	for _, ref := range r.Long {
		r.Vals[ref.Column].B, err = table.ReadChain(ref, func(no base.PageNo) ([]byte, error) { return d.page(base.PageID{No: no}) })
		if err != nil && !r.Deleted { // the chain of a deleted row may be gone already
			return o, err
		}
	}
	stored, id := dict.ObjectOf(r.Vals)
	o = Object{Kind: stored.Kind, Schema: stored.Schema, Name: catalog.ShownName(stored.Name), ID: id, Trx: r.Trx, Deleted: r.Deleted}
	if json.Valid(stored.Data) {
		o.Data = slices.Clone(stored.Data)
	}
	if o.Kind != catalog.KindTable || o.Deleted {
		return o, nil
	}
	o.def = new(catalog.Table)
	if err := json.Unmarshal(stored.Data, o.def); err != nil {
		return o, fmt.Errorf("definition of %s.%s: %w: %v", o.Schema, o.Name, base.ErrCorrupt, err)
	}
	return o, nil
}

// nameOfSpace names a tablespace as far as the catalog can be read.
func (d *Dir) nameOfSpace(s base.SpaceID) string {
	switch s {
	case base.SystemSpace:
		return "system space"
	case base.UndoSpace:
		return "undo space"
	}
	if def := d.dictionary().tables[s]; def != nil {
		return tableName(def)
	}
	return ""
}

// CatalogReport is what the catalog holds.
type CatalogReport struct {
	Objects  []Object  `json:"objects"`
	Problems []Problem `json:"problems,omitempty"`

	whole bool // one table: with its definition
}

// Catalog reads the stored objects; filter is empty, SCHEMA or SCHEMA.NAME. base.ErrNotFound when a
// name is given and nothing bears it.
func (d *Dir) Catalog(filter string) (*CatalogReport, error) {
	c := d.dictionary()
	schema, name, whole := strings.Cut(filter, ".")
	r := &CatalogReport{Problems: c.problems, whole: whole}
	for _, o := range c.objects {
		if filter != "" && o.Schema != schema && (o.Kind != catalog.KindSchema || o.Name != schema) || whole && o.Name != name {
			continue
		}
		if !whole {
			o.Data = nil
		}
		r.Objects = append(r.Objects, o)
	}
	if filter != "" && len(r.Objects) == 0 {
		err := fmt.Errorf("%s: %w in the catalog", filter, base.ErrNotFound)
		for _, p := range c.problems {
			err = errors.Join(err, errors.New("damaged: "+p.String()))
		}
		return nil, err
	}
	return r, nil
}

// WriteText prints the report.
func (r *CatalogReport) WriteText(w io.Writer) error {
	writeProblems(w, r.Problems)
	if r.whole {
		for i := range r.Objects {
			if err := r.Objects[i].writeWhole(w); err != nil {
				return err
			}
		}
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "KIND\tNAME\tID\tSPACE\tCOLUMNS\tINDEXES\tTRX\t")
	for _, o := range r.Objects {
		fmt.Fprintf(t, "%s\t%s\t", o.Kind, o.title())
		if o.def != nil {
			fmt.Fprintf(t, "%d\t%d\t%d\t%d\t", o.ID, o.def.Space, len(o.def.Columns), len(o.def.Indexes))
		} else {
			fmt.Fprint(t, "\t\t\t\t")
		}
		fmt.Fprintf(t, "%d\t\n", o.Trx)
	}
	return t.Flush()
}

func (o *Object) title() string {
	name := o.Name
	if o.Schema != "" {
		name = strings.TrimSuffix(o.Schema+"."+o.Name, ".")
	}
	if o.Deleted {
		name += " (deleted)"
	}
	return name
}

// writeWhole prints one object with all that is known of it.
func (o *Object) writeWhole(w io.Writer) error {
	def := o.def
	if def == nil {
		_, err := fmt.Fprintf(w, "%s %s, written by transaction %d\n%s\n", o.Kind, o.title(), o.Trx, o.Data)
		return err
	}
	fmt.Fprintf(w, "table %s, id %d, space %d, written by transaction %d\n", o.title(), def.ID, def.Space, o.Trx)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, c := range def.Columns {
		fmt.Fprintf(t, "  column %d\t%s\t%s\ttype %d\t%s\tcollation %d\t%s\n", i, c.Name, c.SQLType, c.Type, nullText(c.Nullable), c.Collation, c.Comment)
	}
	for _, ix := range def.Indexes {
		fmt.Fprintf(t, "  index %d\t%s\t%s\troot %d\t%s\t\t\n", ix.ID, indexTitle(ix), indexColumns(def, ix), ix.Root, uniqueText(ix))
	}
	for _, fk := range def.ForeignKeys {
		fmt.Fprintf(t, "  foreign key\t%s\t(%s)\t%s.%s (%s)\t\t\t\n", fk.Name, strings.Join(fk.Columns, ", "), fk.ParentSchema, fk.ParentTable, strings.Join(fk.ParentColumns, ", "))
	}
	for _, c := range def.Checks {
		fmt.Fprintf(t, "  check\t%s\t%s\t\t\t\t\n", c.Name, c.Expr)
	}
	return t.Flush()
}

func nullText(nullable bool) string {
	if nullable {
		return "null"
	}
	return "not null"
}

func indexTitle(ix *catalog.Index) string {
	if ix.Name == "" {
		return "(row id)"
	}
	return ix.Name
}

func uniqueText(ix *catalog.Index) string {
	switch {
	case ix.Clustered:
		return "clustered"
	case ix.Unique:
		return "unique"
	}
	return ix.Kind
}

func indexColumns(def *catalog.Table, ix *catalog.Index) string {
	var parts []string
	for _, p := range ix.Parts {
		s := fmt.Sprint(p.Column)
		if p.Column < len(def.Columns) {
			s = def.Columns[p.Column].Name
		}
		if p.Prefix > 0 {
			s += fmt.Sprintf("(%d)", p.Prefix)
		}
		if p.Desc {
			s += " desc"
		}
		parts = append(parts, s)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
