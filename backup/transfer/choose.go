package transfer

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"emberdb/internal/namedrows"
)

// table is one to be copied.
type table struct {
	schema, name string // in the source
	into         string // schema in the target
	staged       string // its name there until it is published
	definition   string // of SHOW CREATE TABLE
	columns      []column
	systems      []string // SRIDs that columns are bound to
	triggers     []trigger
	estimate     int64 // rows
	rows         int64 // that were copied
}

func (t *table) String() string { return t.schema + "." + t.name }

// column is one whose values are copied: all but generated ones.
type column struct {
	name string
	kind kind
}

// trigger is one of a table.
type trigger struct {
	schema, name, definer string
	timing, event, body   string
	setting               setting
}

// setting is what a program depends on beside its text: session variables of when it was made.
type setting struct{ sqlMode, collation string }

// foreignKey is between tables of the target, where the copy has its part in at least one of them.
type foreignKey struct {
	name                      string
	childSchema, child        string
	parentSchema, parent      string
	childColumns, parentNames []string
}

var systemSchemas = []string{"information_schema", "mysql", "performance_schema", "sys"}

// choose reads what the patterns name in the source.
func (t *transfer) choose(ctx context.Context) error {
	all, err := texts(ctx, t.from, "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_SCHEMA NOT IN ("+
		literals(systemSchemas)+") ORDER BY TABLE_SCHEMA, TABLE_NAME")
	if err != nil {
		return err
	}
	views, err := t.match(all)
	if err != nil {
		return err
	}
	if t.o.Into != "" && len(t.schemas) > 1 {
		return fmt.Errorf("tables of several schemas (%s) cannot all be restored into %s", strings.Join(t.schemas, ", "), t.o.Into)
	}
	if slices.Contains(systemSchemas, strings.ToLower(t.o.Into)) {
		return fmt.Errorf("%s belongs to the server: nothing is restored into it", t.o.Into)
	}
	for _, one := range t.tables {
		if err := t.describe(ctx, one); err != nil {
			return fmt.Errorf("%s of the backup: %w", one, err)
		}
	}
	return t.choosePrograms(ctx, views)
}

// match applies the patterns to names of the source. The views among them are returned.
func (t *transfer) match(all [][]string) (views [][2]string, err error) {
	used := make([]bool, len(t.o.Patterns))
	for _, row := range all {
		chosen := false
		for i, p := range t.o.Patterns {
			schema, table, ok := strings.Cut(p, ".")
			if !ok || schema == "" || table == "" {
				return nil, fmt.Errorf("%q names no table: write SCHEMA.TABLE or SCHEMA.*", p)
			}
			if slices.Contains(systemSchemas, strings.ToLower(schema)) {
				return nil, fmt.Errorf("%q: %s belongs to the server and is not restored", p, schema)
			}
			if !glob(schema, row[0]) || !glob(table, row[1]) {
				continue
			}
			chosen, used[i] = true, true
			if table == "*" && !slices.Contains(t.whole, row[0]) {
				t.whole = append(t.whole, row[0])
			}
		}
		if !chosen || strings.HasPrefix(row[1], StagedPrefix) {
			continue
		}
		if !slices.Contains(t.schemas, row[0]) {
			t.schemas = append(t.schemas, row[0])
		}
		if row[2] != "BASE TABLE" {
			views = append(views, [2]string{row[0], row[1]})
			continue
		}
		n, _ := strconv.ParseInt(row[3], 10, 64) // an estimate
		t.tables = append(t.tables, &table{schema: row[0], name: row[1], into: t.target(row[0]), estimate: n})
	}
	for i, yes := range used {
		if !yes {
			return nil, fmt.Errorf("the backup has no table %s", t.o.Patterns[i])
		}
	}
	return views, nil
}

// target is the schema that those of a schema get into.
func (t *transfer) target(schema string) string {
	if t.o.Into != "" {
		return t.o.Into
	}
	return schema
}

// glob tells whether a name is of a pattern.
func glob(pattern, s string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, head)
	if !ok {
		return false
	}
	for i := 0; i <= len(s); i++ {
		if glob(rest, s[i:]) {
			return true
		}
	}
	return false
}

// describe reads a table's definition, columns and triggers.
func (t *transfer) describe(ctx context.Context, one *table) error {
	rows, err := texts(ctx, t.from, "SHOW CREATE TABLE "+qualified(one.schema, one.name))
	if err != nil {
		return err
	}
	one.definition = rows[0][1]
	of := " WHERE TABLE_SCHEMA = " + literal(one.schema) + " AND TABLE_NAME = " + literal(one.name)
	rows, err = texts(ctx, t.from, "SELECT COLUMN_NAME, DATA_TYPE, GENERATION_EXPRESSION, IFNULL(SRS_ID, '') FROM information_schema.COLUMNS"+of+" ORDER BY ORDINAL_POSITION")
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row[3] != "" {
			one.systems = append(one.systems, row[3])
		}
		if row[2] != "" {
			continue
		}
		k, ok := kinds[strings.ToLower(row[1])]
		if !ok {
			return fmt.Errorf("column %s has the type %s, which is not restored", row[0], row[1])
		}
		one.columns = append(one.columns, column{row[0], k})
	}
	rows, err = texts(ctx, t.from, "SELECT TRIGGER_NAME, DEFINER, ACTION_TIMING, EVENT_MANIPULATION, ACTION_STATEMENT, SQL_MODE, COLLATION_CONNECTION "+
		"FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = "+literal(one.schema)+" AND EVENT_OBJECT_TABLE = "+literal(one.name)+
		" ORDER BY EVENT_MANIPULATION, ACTION_TIMING, ACTION_ORDER")
	if err != nil {
		return err
	}
	for _, row := range rows {
		one.triggers = append(one.triggers, trigger{one.into, row[0], row[1], row[2], row[3], row[4], setting{row[5], row[6]}})
	}
	return t.chooseKeys(ctx, t.from, one, false)
}

// chooseKeys reads the foreign keys of a table; to: those of others to it.
func (t *transfer) chooseKeys(ctx context.Context, db namedrows.Querier, one *table, to bool) error {
	schema, side := one.schema, "TABLE_SCHEMA = %s AND TABLE_NAME = %s"
	if to {
		schema, side = one.into, "REFERENCED_TABLE_SCHEMA = %s AND REFERENCED_TABLE_NAME = %s"
	}
	rows, err := texts(ctx, db, "SELECT CONSTRAINT_NAME, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME "+
		"FROM information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_NAME IS NOT NULL AND "+fmt.Sprintf(side, literal(schema), literal(one.name))+
		" ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION")
	if err != nil {
		return err
	}
	first := len(t.keys)
	for _, row := range rows {
		parent := row[4]
		if !to {
			if row[1] = one.into; parent == one.schema { // named without its schema, it is where the child is
				parent = one.into
			}
		}
		n := len(t.keys) - 1
		if n < first || t.keys[n].name != row[0] || t.keys[n].childSchema != row[1] || t.keys[n].child != row[2] {
			t.keys = append(t.keys, foreignKey{name: row[0], childSchema: row[1], child: row[2], parentSchema: parent, parent: row[5]})
			n++
		}
		t.keys[n].childColumns = append(t.keys[n].childColumns, row[3])
		t.keys[n].parentNames = append(t.keys[n].parentNames, row[6])
	}
	return nil
}

// find is the table that will have a name in the target; nil: none of the copy.
func (t *transfer) find(schema, name string) *table {
	for _, one := range t.tables {
		if one.into == schema && one.name == name {
			return one
		}
	}
	return nil
}
