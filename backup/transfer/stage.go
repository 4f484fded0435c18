package transfer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// Errors after which a statement that was rolled back may be tried again.
const (
	errLockWaitTimeout = 1205
	errDeadlock        = 1213
)

func retriable(err error) bool {
	var e *mysql.MySQLError
	return errors.As(err, &e) && (e.Number == errDeadlock || e.Number == errLockWaitTimeout)
}

// targets lists the schemas of the target that tables get into.
func (t *transfer) targets() []string {
	var out []string
	for _, s := range t.schemas {
		if !slices.Contains(out, t.target(s)) {
			out = append(out, t.target(s))
		}
	}
	return out
}

// stage makes the schemas that are missing, and the tables under other names.
func (t *transfer) stage(ctx context.Context) error {
	if err := t.makeSchemas(ctx); err != nil {
		return err
	}
	if err := t.dropStaged(ctx); err != nil {
		return err
	}
	if err := t.makeSystems(ctx); err != nil {
		return err
	}
	for i, one := range t.tables {
		one.staged = fmt.Sprintf("%s%d", StagedPrefix, i+1)
		rest, ok := strings.CutPrefix(one.definition, "CREATE TABLE "+name(one.name)+" ")
		if !ok {
			return fmt.Errorf("%s: its definition is not understood: %.80s", one, one.definition)
		}
		if err := t.exec(ctx, "USE "+name(one.into)); err != nil { // names in foreign keys have no schema
			return err
		}
		if err := t.exec(ctx, "CREATE TABLE "+name(one.staged)+" "+rest); err != nil {
			return fmt.Errorf("%s cannot be created: %w", one, err)
		}
	}
	return nil
}

// makeSchemas makes the schemas that the target lacks, as they are in the source.
func (t *transfer) makeSchemas(ctx context.Context) error {
	for _, s := range t.schemas {
		into := t.target(s)
		rows, err := texts(ctx, t.control, "SELECT 1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = "+literal(into))
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			continue
		}
		rows, err = texts(ctx, t.from, "SELECT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = "+literal(s))
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return fmt.Errorf("the backup has no schema %s", s)
		}
		if err := t.exec(ctx, "CREATE DATABASE "+name(into)+" CHARACTER SET "+rows[0][0]+" COLLATE "+rows[0][1]); err != nil {
			return err
		}
		t.made = append(t.made, into)
	}
	return nil
}

// dropStaged drops what a copy has left in the schemas.
func (t *transfer) dropStaged(ctx context.Context) error {
	rows, err := texts(ctx, t.control, "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA IN ("+literals(t.targets())+")")
	if err != nil {
		return err
	}
	for _, row := range rows {
		if strings.HasPrefix(row[1], StagedPrefix) {
			if err := t.exec(ctx, "DROP TABLE "+qualified(row[0], row[1])); err != nil {
				return err
			}
		}
	}
	return nil
}

// clear removes what this copy has made. Its own session may be the one that broke.
func (t *transfer) clear(ctx context.Context) error {
	if t.exec(ctx, "UNLOCK TABLES") != nil {
		_ = t.control.Close()
		conn, err := t.to.Conn(ctx)
		if err != nil {
			return err
		}
		t.control = conn
		if err := t.lock(ctx, lockPatience); err != nil {
			return err
		}
	}
	if err := t.dropStaged(ctx); err != nil {
		return err
	}
	if err := t.dropSystems(ctx); err != nil {
		return err
	}
	for _, s := range t.made {
		rows, err := texts(ctx, t.control, "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = "+literal(s)+
			" UNION ALL SELECT 1 FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = "+literal(s))
		if err == nil && len(rows) == 0 {
			err = t.exec(ctx, "DROP DATABASE "+name(s))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// publish gives the staged tables triggers and names.
func (t *transfer) publish(ctx context.Context) error {
	for _, one := range t.tables {
		for _, tr := range one.triggers {
			err := t.within(ctx, one.into, tr.setting, fmt.Sprintf("CREATE DEFINER=%s TRIGGER %s %s %s ON %s FOR EACH ROW %s",
				definer(tr.definer), name(tr.name), tr.timing, tr.event, name(one.staged), tr.body))
			if err != nil {
				return fmt.Errorf("trigger %s.%s: %w", tr.schema, tr.name, err)
			}
		}
	}
	if err := t.lockTables(ctx); err != nil {
		return err
	}
	for i := range t.keys {
		if err := t.holds(ctx, i); err != nil {
			return err
		}
	}
	var names []string
	for _, one := range t.tables {
		names = append(names, qualified(one.into, one.staged)+" TO "+qualified(one.into, one.name))
	}
	if err := t.exec(ctx, "RENAME TABLE "+strings.Join(names, ", ")); err != nil {
		var told *mysql.MySQLError
		if !errors.As(err, &told) {
			err = fmt.Errorf("the connection broke while the tables got their names, all of them or none: see whether %s.%s is there: %w",
				t.tables[0].into, t.tables[0].name, err)
		}
		return err
	}
	for _, one := range t.tables {
		t.result.Tables = append(t.result.Tables, one.into+"."+one.name)
	}
	return t.exec(ctx, "UNLOCK TABLES")
}

// aliases are the names that the tables of the n-th foreign key are locked by.
func aliases(n int) (child, parent string) {
	return fmt.Sprintf("ember_child_%d", n), fmt.Sprintf("ember_parent_%d", n)
}

// lockTables locks the staged tables, and those that foreign keys lead to and come from.
func (t *transfer) lockTables(ctx context.Context) error {
	var locks []string
	for _, one := range t.tables {
		locks = append(locks, qualified(one.into, one.staged)+" WRITE")
	}
	for i, k := range t.keys {
		child, parent := aliases(i)
		locks = append(locks, t.present(k.childSchema, k.child)+" AS "+child+" READ", t.present(k.parentSchema, k.parent)+" AS "+parent+" READ")
	}
	return t.exec(ctx, "LOCK TABLES "+strings.Join(locks, ", "))
}

// present is the name that a table has as long as the copy is not published.
func (t *transfer) present(schema, table string) string {
	if one := t.find(schema, table); one != nil {
		return qualified(one.into, one.staged)
	}
	return qualified(schema, table)
}

// holds fails if a row violates the n-th foreign key.
func (t *transfer) holds(ctx context.Context, n int) error {
	k := &t.keys[n]
	childAlias, parentAlias := aliases(n)
	var given, equal []string
	for i, c := range k.childColumns {
		child := childAlias + "." + name(c)
		given = append(given, child+" IS NOT NULL")
		equal = append(equal, parentAlias+"."+name(k.parentNames[i])+" = "+child)
	}
	query := fmt.Sprintf("SELECT 1 FROM %s AS %s WHERE %s AND NOT EXISTS (SELECT 1 FROM %s AS %s WHERE %s) LIMIT 1", t.present(k.childSchema, k.child), childAlias,
		strings.Join(given, " AND "), t.present(k.parentSchema, k.parent), parentAlias, strings.Join(equal, " AND "))
	err := t.control.QueryRowContext(ctx, query).Scan(new(int))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("foreign key %s of %s.%s: %w", k.name, k.childSchema, k.child, err)
	}
	return fmt.Errorf("foreign key %s would not hold: %s.%s has rows without their row of %s.%s", k.name, k.childSchema, k.child, k.parentSchema, k.parent)
}
