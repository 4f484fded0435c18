package virtual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/infoschema"
)

// definedColumns reads the name and the columns of a table from a CREATE TABLE in the form in which
// SHOW CREATE TABLE prints it: a line a column, then a line a key. The order of the columns of the
// primary key is that of the table.
func definedColumns(db, text string) (table string, columns sql.Schema) {
	lines := strings.Split(text, "\n")
	table = strings.Trim(strings.Fields(lines[0])[2], "`")
	for _, line := range lines[1 : len(lines)-1] {
		line = strings.TrimSuffix(strings.TrimSpace(line), ",")
		if key, ok := strings.CutPrefix(line, "PRIMARY KEY ("); ok {
			for _, c := range columns {
				c.PrimaryKey = strings.Contains(key, "`"+c.Name+"`")
			}
		}
		if !strings.HasPrefix(line, "`") {
			continue
		}
		c, err := definedColumn(line, lines[len(lines)-1])
		if err != nil {
			panic(fmt.Sprintf("server: %s.%s: %v", db, table, err)) // it is part of the program
		}
		c.Source, c.DatabaseSource = table, db
		columns = append(columns, c)
	}
	return table, columns
}

// PrimaryKey lists the columns of the primary key of a table that was made of its definition, in the
// key's order.
func PrimaryKey(t *infoschema.VirtualTable) (columns []int) {
	_, key, _ := strings.Cut(t.CreateText, "PRIMARY KEY (")
	key, _, _ = strings.Cut(key, ")")
	for part := range strings.SplitSeq(key, ",") {
		name, _, _ := strings.Cut(strings.TrimPrefix(part, "`"), "`")
		if i := t.Schema(nil).IndexOf(name, t.Name()); i >= 0 {
			columns = append(columns, i)
		}
	}
	return columns
}

// definedColumn reads the line of a column; options is the last line of the table.
func definedColumn(line, options string) (*sql.Column, error) {
	name, rest, _ := strings.Cut(line[1:], "` ")
	rest, comment, _ := strings.Cut(rest, " COMMENT ")
	rest, _, generated := strings.Cut(rest, " GENERATED ALWAYS")
	rest, _, _ = strings.Cut(rest, " ON UPDATE")
	rest, value, hasDefault := strings.Cut(rest, " DEFAULT ")
	typ, attributes := rest, ""
	if i := strings.LastIndex(rest, ")"); i >= 0 {
		typ, attributes = rest[:i+1], rest[i+1:]
	} else if i := strings.IndexAny(rest, " "); i >= 0 {
		typ, attributes = rest[:i], rest[i:]
	}
	if strings.HasPrefix(attributes, " unsigned") {
		typ += " unsigned"
	}
	collation := collationOf(attributes)
	if collation == "" {
		collation = collationOf(options)
	}
	t, err := parseType(typ, collation)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c := &sql.Column{Name: name, Type: t, Nullable: !strings.Contains(attributes, " NOT NULL"), Comment: strings.Trim(comment, "'"),
		AutoIncrement: strings.Contains(attributes, " AUTO_INCREMENT")}
	if hasDefault && !generated && value != "NULL" {
		if c.Default, err = definedDefault(t, value, c.Nullable); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return c, nil
}

// collationOf finds COLLATE x, or the first collation of CHARSET=x.
func collationOf(text string) string {
	for word := range strings.FieldsSeq(text) {
		if c, ok := strings.CutPrefix(word, "COLLATE="); ok {
			return c
		}
	}
	words := strings.Fields(text)
	if i := slices.Index(words, "COLLATE"); i >= 0 {
		return words[i+1]
	}
	for _, word := range words {
		if set, ok := strings.CutPrefix(word, "CHARSET="); ok {
			if c, err := sql.ParseCharacterSet(set); err == nil {
				return c.DefaultCollation().Name()
			}
		}
	}
	return ""
}

// definedDefault makes the value behind DEFAULT: a literal in quotes, or the present time.
func definedDefault(t sql.Type, value string, nullable bool) (*sql.ColumnDefaultValue, error) {
	ctx := sql.NewEmptyContext()
	if strings.HasPrefix(value, "CURRENT_TIMESTAMP") {
		var precision []sql.Expression
		if strings.HasSuffix(value, "(6)") {
			precision = append(precision, expression.NewLiteral(int8(6), types.Int8))
		}
		now, err := function.NewNow(ctx, precision...)
		if err != nil {
			return nil, err
		}
		return sql.NewColumnDefaultValue(now, t, false, false, nullable)
	}
	v, _, err := t.Convert(ctx, strings.Trim(value, "'"))
	if err != nil {
		return nil, err
	}
	return sql.NewColumnDefaultValue(expression.NewLiteral(v, t), t, true, false, nullable)
}
