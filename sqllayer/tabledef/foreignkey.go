package tabledef

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/sqllayer/sqlerr"
)

const (
	ForeignKeySpace     = "foreign_keys"
	ForeignKeyNameSpace = "foreign_key_names"
)

// Reference is a foreign key seen from its parent.
type Reference struct {
	Child TableName
	Name  string
}

func ReferenceKey(child *catalog.Table, fk *catalog.ForeignKey) string {
	return strings.Join([]string{strings.ToLower(fk.ParentSchema), strings.ToLower(fk.ParentTable), child.Schema, child.Name, fk.Name}, "\x00")
}

func ReferenceNameKey(child *catalog.Table, fk *catalog.ForeignKey) string {
	return strings.Join([]string{child.Schema, strings.ToLower(fk.Name), child.Name}, "\x00")
}

func ErrPartitionedKey() error {
	return sqlerr.NewError(1506, "Foreign keys are not yet supported in conjunction with partitioning")
}

// Constraint gives GMS's form of a foreign key. It counts as resolved, also when it was made before
// its parent or with foreign_key_checks off: GMS would resolve it in the first statement that meets
// it, by reading the whole child, which MySQL never does, and by a change of the definition, which
// would commit the statement's transaction.
func Constraint(child *catalog.Table, fk *catalog.ForeignKey) sql.ForeignKeyConstraint {
	return sql.ForeignKeyConstraint{
		Name: fk.Name, Database: child.Schema, Table: child.Name, ParentDatabase: fk.ParentSchema, ParentTable: fk.ParentTable,
		OnUpdate: EffectiveAction(fk.OnUpdate), OnDelete: EffectiveAction(fk.OnDelete),
		Columns: slices.Clone(fk.Columns), ParentColumns: slices.Clone(fk.ParentColumns), IsResolved: true,
	}
}

// Cascades tells whether a change of a parent may change rows of the table. Where all its keys only
// forbid, rows are looked for under shared locks.
func (d *TableDef) Cascades() bool {
	return slices.ContainsFunc(d.Def.ForeignKeys, func(fk catalog.ForeignKey) bool {
		return !EffectiveAction(fk.OnDelete).IsEquivalentToRestrict() || !EffectiveAction(fk.OnUpdate).IsEquivalentToRestrict()
	})
}

// EffectiveAction is what a referential action does. SET DEFAULT forbids, as InnoDB has it: it is
// shown as it was written, and no default is ever set.
func EffectiveAction(written string) sql.ForeignKeyReferentialAction {
	if a := sql.ForeignKeyReferentialAction(written); a != sql.ForeignKeyReferentialAction_SetDefault {
		return a
	}
	return sql.ForeignKeyReferentialAction_NoAction
}

// Declared gives the catalog's form.
func Declared(fk *sql.ForeignKeyConstraint) catalog.ForeignKey {
	return catalog.ForeignKey{
		Name: fk.Name, Columns: fk.Columns, ParentSchema: fk.ParentDatabase, ParentTable: fk.ParentTable, ParentColumns: fk.ParentColumns,
		OnUpdate: string(fk.OnUpdate), OnDelete: string(fk.OnDelete),
	}
}

// CheckGenerated refuses foreign keys over virtual columns, and those whose actions would change a
// generated column, or one that a stored column is made of.
func CheckGenerated(def *catalog.Table) error {
	for _, fk := range def.ForeignKeys {
		for _, name := range fk.Columns {
			if err := checkGenerated(def, &fk, name); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkGenerated(def *catalog.Table, fk *catalog.ForeignKey, name string) error {
	changes := func(action string, words ...sql.ForeignKeyReferentialAction) bool {
		return slices.Contains(words, sql.ForeignKeyReferentialAction(action))
	}
	const (
		cascade  = sql.ForeignKeyReferentialAction_Cascade
		null     = sql.ForeignKeyReferentialAction_SetNull
		standard = sql.ForeignKeyReferentialAction_SetDefault
	)
	onUpdate, onDelete := changes(fk.OnUpdate, cascade, null, standard), changes(fk.OnDelete, null, standard)
	acts := onUpdate || onDelete || changes(fk.OnDelete, cascade)
	for i := range def.Columns {
		c := &def.Columns[i]
		same := strings.EqualFold(c.Name, name)
		switch {
		case c.Generated == "":
		case same && c.Virtual:
			return sqlerr.NewError(3733, "Foreign key '%s' uses virtual column '%s' which is not supported.", fk.Name, c.Name)
		case same && onUpdate:
			return sqlerr.NewError(3104, "Cannot define foreign key with ON UPDATE %s clause on a generated column.", fk.OnUpdate)
		case same && onDelete:
			return sqlerr.NewError(3104, "Cannot define foreign key with ON DELETE %s clause on a generated column.", fk.OnDelete)
		case !c.Virtual && acts && has(ColumnsIn(c.Generated), name):
			return sql.ErrStoredGeneratedColumnForeignKeyConflict.New()
		}
	}
	return nil
}
