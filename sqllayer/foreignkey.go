package sqllayer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// Foreign keys are declared in the child's definition. Two key-value rows for each answer who
// references a table, and whether a name is taken:
//
//	namespace "foreign_keys"        key: parent schema \0 parent table \0 child schema \0 child table \0 constraint   (names in lower case but the child's)
//	namespace "foreign_key_names"   key: child schema \0 constraint in lower case \0 child table;  value: the other row's key
//
// syncReferences keeps the rows in step with definitions, in the same transaction. The checks are
// GMS's; they read and write through editors.

// references returns who references a table.
func (l *Layer) references(ctx context.Context, tx *txn.Trx, parent *catalog.Table) ([]tabledef.Reference, error) {
	at := tabledef.TableName{Schema: strings.ToLower(parent.Schema), Name: strings.ToLower(parent.Name)}
	return cached(l, tx,
		func(c *dictCache) ([]tabledef.Reference, bool) { v, ok := c.references[at]; return v, ok },
		func() (list []tabledef.Reference, err error) {
			err = l.Eng.ListKV(ctx, tx, tabledef.ForeignKeySpace, at.Schema+"\x00"+at.Name+"\x00", func(k string, _ []byte) error {
				p := strings.Split(k, "\x00")
				if len(p) != 5 {
					return fmt.Errorf("foreign key index: malformed key %q", k)
				}
				list = append(list, tabledef.Reference{Child: tabledef.TableName{Schema: p[2], Name: p[3]}, Name: p[4]})
				return nil
			})
			return list, err
		},
		func(c *dictCache, v []tabledef.Reference) {
			makeRoom(c.references)
			c.references[at] = v
		})
}

// syncReferences makes the rows of a table's foreign keys fit its new definition; nil stands for
// none.
func (d *definer) syncReferences(ctx context.Context, old, new *catalog.Table) error {
	keys := func(def *catalog.Table) map[string]string {
		m := make(map[string]string)
		if def != nil {
			for i := range def.ForeignKeys {
				m[tabledef.ReferenceKey(def, &def.ForeignKeys[i])] = tabledef.ReferenceNameKey(def, &def.ForeignKeys[i])
			}
		}
		return m
	}
	before, after := keys(old), keys(new)
	for k, name := range before {
		if _, stays := after[k]; !stays {
			if err := d.deleteReference(ctx, k, name); err != nil {
				return err
			}
		}
	}
	for k, name := range after {
		if _, was := before[k]; was {
			continue
		}
		if old != nil {
			if err := d.refusePartitioned(ctx, k); err != nil {
				return err
			}
		}
		if err := d.eng.PutKV(ctx, d.tx, tabledef.ForeignKeySpace, k, nil); err != nil {
			return err
		}
		if err := d.eng.PutKV(ctx, d.tx, tabledef.ForeignKeyNameSpace, name, []byte(k)); err != nil {
			return err
		}
	}
	return nil
}

// refusePartitioned refuses a new foreign key, by its key, whose parent is partitioned.
func (d *definer) refusePartitioned(ctx context.Context, key string) error {
	p := strings.Split(key, "\x00")
	spelled, ok, err := d.eng.Spelling(ctx, d.tx, p[0], p[1])
	if err != nil || !ok {
		return err
	}
	parent, err := d.current(ctx, p[0], spelled)
	if err == nil && parent.Partitioning != nil {
		err = tabledef.ErrPartitionedKey()
	}
	return err
}

func (d *definer) deleteReference(ctx context.Context, key, name string) error {
	if err := d.eng.DeleteKV(ctx, d.tx, tabledef.ForeignKeySpace, key); err != nil {
		return err
	}
	return d.eng.DeleteKV(ctx, d.tx, tabledef.ForeignKeyNameSpace, name)
}

// dropSchemaReferences removes the rows of all foreign keys declared in a schema.
func (d *definer) dropSchemaReferences(ctx context.Context, schema string) error {
	keys := make(map[string]string)
	err := d.eng.ListKV(ctx, d.tx, tabledef.ForeignKeyNameSpace, schema+"\x00", func(name string, key []byte) error {
		keys[name] = string(key)
		return nil
	})
	for name, key := range keys {
		if err == nil {
			err = d.deleteReference(ctx, key, name)
		}
	}
	return err
}

// GetDeclaredForeignKeys implements sql.ForeignKeyTable.
func (t *Table) GetDeclaredForeignKeys(ctx *sql.Context) ([]sql.ForeignKeyConstraint, error) {
	out := make([]sql.ForeignKeyConstraint, len(t.Def.Def.ForeignKeys))
	for i := range out {
		out[i] = tabledef.Constraint(t.Def.Def, &t.Def.Def.ForeignKeys[i])
	}
	slices.SortFunc(out, func(a, b sql.ForeignKeyConstraint) int { return strings.Compare(a.Name, b.Name) })
	if t.S != nil && t.S.plansChange() {
		return t.withParents(ctx, out)
	}
	return out, nil
}

// GetReferencedForeignKeys implements sql.ForeignKeyTable.
func (t *Table) GetReferencedForeignKeys(ctx *sql.Context) ([]sql.ForeignKeyConstraint, error) {
	if t.Temporary {
		return nil, nil
	}
	s := t.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	list, err := t.Db.Layer.references(ctx, s.reader(), t.Def.Def)
	if err != nil || len(list) == 0 {
		return nil, s.Note(err)
	}
	trx, err := s.Active(ctx)
	if err != nil {
		return nil, err
	}
	var out []sql.ForeignKeyConstraint
	for _, r := range list {
		h, err := t.Db.Layer.Eng.Table(s.Patient(ctx), trx, r.Child.Schema, r.Child.Name)
		if errors.Is(err, base.ErrNotFound) {
			continue // dropped since the list was read
		}
		if err != nil {
			return nil, s.Note(err)
		}
		for i := range h.Def().ForeignKeys {
			if fk := &h.Def().ForeignKeys[i]; fk.Name == r.Name {
				out = append(out, tabledef.Constraint(h.Def(), fk))
			}
		}
	}
	return out, nil
}

// AddForeignKey implements sql.ForeignKeyTable. The parent is locked, too: statements that run on
// it have planned without the constraint.
func (t *Table) AddForeignKey(ctx *sql.Context, fk sql.ForeignKeyConstraint) error {
	return t.alter(ctx, func(d *definer, def *catalog.Table) error {
		if err := d.checkConstraintName(ctx, def.Schema, fk.Name); err != nil {
			return err
		}
		if parent, ok, err := d.eng.Spelling(ctx, d.tx, fk.ParentDatabase, fk.ParentTable); err != nil {
			return err
		} else if ok {
			if err := d.eng.LockMeta(d.s.Patient(ctx), d.tx, fk.ParentDatabase, parent, lock.MetaExclusive); err != nil {
				return err
			}
			if err := d.checkStandardKey(ctx, def, parent, &fk); err != nil {
				return err
			}
		}
		def.ForeignKeys = append(def.ForeignKeys, tabledef.Declared(&fk))
		return tabledef.CheckGenerated(def)
	})
}

// checkStandardKey refuses a foreign key to columns that no unique key has as its own, or warns of
// it.
func (d *definer) checkStandardKey(ctx *sql.Context, child *catalog.Table, name string, fk *sql.ForeignKeyConstraint) error {
	if d.l.Opts.Plain {
		return nil // the library's own tests
	}
	parent := child
	if !strings.EqualFold(fk.ParentDatabase, child.Schema) || name != child.Name {
		h, err := d.eng.Table(d.s.Patient(ctx), d.tx, fk.ParentDatabase, name)
		if err != nil {
			return d.s.Note(err)
		}
		parent = h.Def()
	}
	if err := fitsParent(child, parent, fk); err != nil {
		return err
	}
	if slices.ContainsFunc(parent.Indexes, func(x *catalog.Index) bool { return isKeyOf(parent, x, fk.ParentColumns) }) {
		return nil
	}
	if d.s.flag("restrict_fk_on_non_standard_key") {
		return sqlerr.NewError(6125, "Failed to add the foreign key constraint. Missing unique key for constraint '%s' in the referenced table '%s'", fk.Name, name)
	}
	ctx.Warn(6124, "Foreign key '%s' refers to non-unique key or partial key. This is deprecated and will be removed in a future release.", fk.Name)
	return nil
}

// fitsParent refuses a foreign key whose parent lacks a column, or has one of another kind.
func fitsParent(child, parent *catalog.Table, fk *sql.ForeignKeyConstraint) error {
	for i, name := range fk.ParentColumns {
		at, own := columnAt(parent, name), columnAt(child, fk.Columns[i])
		switch {
		case at < 0:
			return sqlerr.NewError(3734, "Failed to add the foreign key constraint. Missing column '%s' for constraint '%s' in the referenced table '%s'",
				name, fk.Name, parent.Name)
		case own >= 0 && !oneKind(&child.Columns[own], &parent.Columns[at]):
			return sqlerr.NewError(sqlerr.ErFKIncompatible, "Referencing column '%s' and referenced column '%s' in foreign key constraint '%s' are incompatible.",
				fk.Columns[i], name, fk.Name)
		}
	}
	return nil
}

// oneKind tells whether values of one column may refer to those of another: numbers of the same
// size and sign, and texts of one collation, whatever their lengths.
func oneKind(a, b *catalog.Column) bool {
	bytes := func(t row.Type) bool { return t == row.TBinary || t == row.TVarbinary }
	switch {
	case isCharacters(a.Type) && isCharacters(b.Type):
		return a.Collation == b.Collation
	case bytes(a.Type) && bytes(b.Type):
		return true
	}
	return a.Type == b.Type && (!a.Type.Integer() || a.Unsigned == b.Unsigned)
}

// isKeyOf tells whether a unique key consists of these columns, in their order and whole.
func isKeyOf(t *catalog.Table, x *catalog.Index, columns []string) bool {
	return x.Unique && len(x.Parts) == len(columns) && !slices.ContainsFunc(x.Parts, func(p row.KeyPart) bool { return p.Prefix != 0 }) &&
		slices.EqualFunc(x.Parts, columns, func(p row.KeyPart, name string) bool { return strings.EqualFold(t.Columns[p.Column].Name, name) })
}

// checkConstraintName: names of foreign keys are unique in a schema.
func (d *definer) checkConstraintName(ctx context.Context, schema, name string) error {
	return d.eng.ListKV(ctx, d.tx, tabledef.ForeignKeyNameSpace, schema+"\x00"+strings.ToLower(name)+"\x00", func(string, []byte) error {
		return sql.ErrForeignKeyDuplicateName.New(name)
	})
}

// DropForeignKey implements sql.ForeignKeyTable.
func (t *Table) DropForeignKey(ctx *sql.Context, name, _, _ string) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		n := len(def.ForeignKeys)
		def.ForeignKeys = slices.DeleteFunc(def.ForeignKeys, func(fk catalog.ForeignKey) bool { return strings.EqualFold(fk.Name, name) })
		if len(def.ForeignKeys) == n {
			return sql.ErrForeignKeyNotFound.New(name, t.Name())
		}
		return nil
	})
}

// UpdateForeignKey implements sql.ForeignKeyTable. In a rename GMS tells the new table name before
// the table has it; the name is the definition's.
func (t *Table) UpdateForeignKey(ctx *sql.Context, name string, fk sql.ForeignKeyConstraint) error {
	if to, ok := tabledef.DecodeRename(fk.ParentTable); ok {
		fk.ParentDatabase, fk.ParentTable = to.Schema, to.Name
	}
	return t.alter(ctx, func(d *definer, def *catalog.Table) error {
		if !strings.EqualFold(name, fk.Name) {
			if err := d.checkConstraintName(ctx, def.Schema, fk.Name); err != nil {
				return err
			}
		}
		for i := range def.ForeignKeys {
			if was := def.ForeignKeys[i]; strings.EqualFold(was.Name, name) {
				def.ForeignKeys[i] = tabledef.Declared(&fk)
				def.ForeignKeys[i].OnUpdate, def.ForeignKeys[i].OnDelete = was.OnUpdate, was.OnDelete
				return nil
			}
		}
		return sql.ErrForeignKeyNotFound.New(name, t.Name())
	})
}

// CreateIndexForForeignKey implements sql.ForeignKeyTable.
func (t *Table) CreateIndexForForeignKey(ctx *sql.Context, idx sql.IndexDef) error {
	if name := declaredKeyName(runningTree(ctx), idx.ColumnNames()); name != "" {
		idx.Name = name
	}
	return t.CreateIndex(ctx, idx)
}

// declaredKeyName is the name that FOREIGN KEY name (columns) gives to its index. A name of the
// constraint goes before it.
func declaredKeyName(n sqlast.Statement, columns []string) (name string) {
	if n == nil {
		return ""
	}
	sqlast.Inspect(n, func(n sqlast.Node) bool {
		fk, ok := n.(*sqlast.ForeignKey)
		if !ok || name != "" || fk.Symbol.Given() || !fk.Name.Given() {
			return name == ""
		}
		same := slices.EqualFunc(fk.Columns, columns, func(p sqlast.KeyPart, c string) bool { return strings.EqualFold(p.Column.Name, c) })
		if same {
			name = fk.Name.Name
		}
		return !same
	})
	return name
}

// unreferenced refuses to drop a column that children reference.
func (t *Table) unreferenced(ctx *sql.Context, column string) error {
	keys, err := t.GetReferencedForeignKeys(ctx)
	for _, fk := range keys {
		if slices.ContainsFunc(fk.ParentColumns, func(c string) bool { return strings.EqualFold(c, column) }) {
			return sqlerr.NewError(1829, "Cannot drop column '%s': needed in a foreign key constraint '%s' of table '%s'", column, fk.Name, fk.Table)
		}
	}
	return err
}

// primaryUnreferenced refuses to drop a primary key that children reference, unless another key
// begins with the same column.
func (t *Table) primaryUnreferenced(ctx *sql.Context) error {
	keys, err := t.GetReferencedForeignKeys(ctx)
	def := t.Def.Def
	first := def.Indexes[0].Parts[0].Column
	another := slices.ContainsFunc(def.Indexes[1:], func(x *catalog.Index) bool { return len(x.Parts) > 0 && x.Parts[0].Column == first })
	for _, fk := range keys {
		if !another && len(fk.ParentColumns) > 0 && strings.EqualFold(fk.ParentColumns[0], def.Columns[first].Name) {
			return sqlerr.NewError(sqlerr.ErFKDropIndex, "Cannot drop index 'PRIMARY': needed in a foreign key constraint")
		}
	}
	return err
}

// GetChecks implements sql.CheckTable. Those of a view come first.
func (t *Table) GetChecks(*sql.Context) ([]sql.CheckDefinition, error) {
	out := slices.Clone(t.checks)
	for _, c := range t.Def.Def.Checks {
		out = append(out, sql.CheckDefinition{Name: c.Name, CheckExpression: c.Expr, Enforced: c.Enforced})
	}
	return out, nil
}

// CreateCheck implements sql.CheckAlterableTable. Names are made as MySQL makes them.
func (t *Table) CreateCheck(ctx *sql.Context, c *sql.CheckDefinition) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		taken := func(name string) bool {
			return slices.ContainsFunc(def.Checks, func(k catalog.Check) bool { return strings.EqualFold(k.Name, name) })
		}
		name := c.Name
		for i := 1; name == ""; i++ {
			if n := fmt.Sprintf("%s_chk_%d", def.Name, i); !taken(n) {
				name = n
			}
		}
		if taken(name) {
			return sql.ErrDuplicateCheckName.New(name)
		}
		def.Checks = append(def.Checks, catalog.Check{Name: name, Expr: c.CheckExpression, Enforced: c.Enforced})
		return nil
	})
}

// DropCheck implements sql.CheckAlterableTable.
func (t *Table) DropCheck(ctx *sql.Context, name string) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		n := len(def.Checks)
		def.Checks = slices.DeleteFunc(def.Checks, func(c catalog.Check) bool { return strings.EqualFold(c.Name, name) })
		if len(def.Checks) == n {
			return sql.ErrUnknownConstraint.New(name)
		}
		return nil
	})
}

// brokenReference makes MySQL's error of GMS's text about a foreign key; nil if it is none.
func brokenReference(ctx *sql.Context, text string) *mysql.SQLError {
	if args := sqlerr.Pattern(sql.ErrForeignKeyChildViolation).FindStringSubmatch(text); args != nil {
		return sqlerr.NewError(mysql.ErNoReferencedRow2, "Cannot add or update a child row: a foreign key constraint fails%s", violated(ctx, args, true))
	}
	if args := sqlerr.Pattern(sql.ErrForeignKeyParentViolation).FindStringSubmatch(text); args != nil {
		return sqlerr.NewError(mysql.ERRowIsReferenced2, "Cannot delete or update a parent row: a foreign key constraint fails%s", violated(ctx, args, false))
	}
	return nil
}

// violated describes a foreign key: args are the names of the key and of its tables. Nothing is
// told to who may not see the table at its other end.
func violated(ctx *sql.Context, args []string, ofChild bool) string {
	s := SessionOf(ctx)
	if s == nil || len(args) < 3 {
		return ""
	}
	databases := append([]sql.Database{&Database{Layer: s.layer, name: ctx.GetCurrentDatabase()}}, s.layer.Provider.databases(ctx)...)
	for _, db := range databases {
		d, ok := OwnDatabase(db)
		if !ok || d.name == "" {
			continue
		}
		t, ok, err := d.Table(ctx, args[2])
		if err != nil || !ok {
			continue
		}
		for i := range t.Def.Def.ForeignKeys {
			fk := &t.Def.Def.ForeignKeys[i]
			if !strings.EqualFold(fk.Name, args[1]) {
				continue
			}
			other := tabledef.TableName{Schema: t.Def.Def.Schema, Name: t.Def.Def.Name}
			if ofChild {
				other = tabledef.TableName{Schema: fk.ParentSchema, Name: fk.ParentTable}
			}
			if !PrivilegesOf(ctx).SeesTable(other.Schema, other.Name) {
				return ""
			}
			return described(t.Def.Def, *fk)
		}
	}
	if !ofChild || len(args) < 4 {
		return ""
	}
	if made, fk := s.keyOfMade(args[1]); made != nil {
		return described(made, *fk)
	}
	return fmt.Sprintf(" (%s.%s, CONSTRAINT %s FOREIGN KEY REFERENCES %s)", tabledef.QuoteName(ctx.GetCurrentDatabase()), tabledef.QuoteName(args[2]), tabledef.QuoteName(args[1]), tabledef.QuoteName(args[3])) // of one that is being added
}

// described is a foreign key in an error. SET DEFAULT is not told there.
func described(child *catalog.Table, fk catalog.ForeignKey) string {
	fk.OnDelete, fk.OnUpdate = string(tabledef.EffectiveAction(fk.OnDelete)), string(tabledef.EffectiveAction(fk.OnUpdate))
	return fmt.Sprintf(" (%s.%s, %s)", tabledef.QuoteName(child.Schema), tabledef.QuoteName(child.Name), strings.TrimSpace(tabledef.ForeignKeyText(child, &fk)))
}

// keyOfMade is a foreign key of the table that the statement makes of a query, and has taken back.
func (s *Session) keyOfMade(name string) (*catalog.Table, *catalog.ForeignKey) {
	copier, ok := s.Stmt.root.(*plan.TableCopier)
	if !ok {
		return nil, nil
	}
	made, ok := copier.Destination.(*plan.CreateTable)
	if !ok {
		return nil, nil
	}
	unnamed := 0
	for _, fk := range made.ForeignKeys() {
		declared := tabledef.Declared(fk)
		if declared.Name == "" {
			unnamed++
			declared.Name = fmt.Sprintf("%s_ibfk_%d", strings.ToLower(made.Name()), unnamed)
		}
		if strings.EqualFold(declared.Name, name) {
			return &catalog.Table{Schema: made.Database().Name(), Name: made.Name()}, &declared
		}
	}
	return nil, nil
}
