package virtual

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer"
	"emberdb/sqllayer/store"
)

// Columns of performance_schema and sys have MySQL's types. Their files list a table a line:
//
//	accounts: USER char(32) collate utf8mb4_bin null; CURRENT_CONNECTIONS bigint
//
// A text without a collation has that of utf8mb4. A column is NOT NULL without null behind its
// type.

func typedColumns(db, table, columns string) sql.Schema {
	var out sql.Schema
	for c := range strings.SplitSeq(columns, "; ") {
		name, text, _ := strings.Cut(c, " ")
		text, nullable := strings.CutSuffix(text, " null")
		text, collation, found := strings.Cut(text, " collate ")
		if !found {
			collation = "utf8mb4_0900_ai_ci"
		}
		typ, err := parseType(text, collation)
		if err != nil {
			panic(fmt.Sprintf("server: %s.%s.%s: %v", db, table, name, err)) // it is part of the program
		}
		out = append(out, &sql.Column{Name: name, Type: typ, Nullable: nullable, Source: table, DatabaseSource: db})
	}
	return out
}

// plainTypes are the types that have no arguments, and those whose arguments are a matter of
// display.
var plainTypes = map[string]sql.Type{
	"bigint unsigned": types.Uint64, "bigint": types.Int64, "int unsigned": types.Uint32, "int": types.Int32,
	"mediumint unsigned": types.Uint24,
	"smallint":           types.Int16, "tinyint": types.Int8, "double": types.Float64, "date": types.Date,
	"smallint unsigned": types.Uint16, "tinyint unsigned": types.Uint8, "tinyint(1)": types.Boolean, "float": types.Float32,
	"time": types.Time, "json": types.JSON, "blob": types.Blob, "mediumblob": types.MediumBlob, "longblob": types.LongBlob,
	"timestamp": types.Timestamp, "datetime": types.Datetime,
}

// parseType reads a type as information_schema.COLUMNS writes it.
func parseType(text, collation string) (sql.Type, error) {
	if t := plainTypes[text]; t != nil {
		return t, nil
	}
	name, rest, _ := strings.Cut(text, "(")
	args, _, _ := strings.Cut(rest, ")")
	coll, err := sql.ParseCollation("", collation, false)
	if err != nil {
		return nil, err
	}
	n, m := 0, 0
	if name != "enum" && name != "set" && args != "" {
		first, second, _ := strings.Cut(args, ",")
		if n, err = strconv.Atoi(first); err != nil {
			return nil, err
		}
		m, _ = strconv.Atoi(second)
	}
	switch name {
	case "char":
		return types.CreateString(sqltypes.Char, int64(n), coll)
	case "varchar":
		return types.CreateString(sqltypes.VarChar, int64(n), coll)
	case "text":
		return types.CreateString(sqltypes.Text, types.TextBlobMax, coll)
	case "mediumtext":
		return types.CreateString(sqltypes.Text, types.MediumTextBlobMax, coll)
	case "longtext":
		return types.CreateString(sqltypes.Text, types.LongTextBlobMax, coll)
	case "enum":
		return types.CreateEnumType(words(args), coll)
	case "set":
		return types.CreateSetType(words(args), coll)
	case "decimal":
		return types.CreateDecimalType(uint8(n), uint8(m))
	case "double":
		return types.Float64, nil
	case "timestamp":
		return types.CreateDatetimeType(sqltypes.Timestamp, n)
	case "time":
		return types.Time, nil
	}
	return nil, fmt.Errorf("unknown type %s", text)
}

// words reads a list of quoted words that hold no commas.
func words(list string) (out []string) {
	for w := range strings.SplitSeq(list, ",") {
		out = append(out, strings.Trim(w, "'"))
	}
	return out
}

// Value makes a value one of the column's type; times become those of the session's time zone. Text
// is cut to what the column holds.
func Value(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	switch v := v.(type) {
	case nil:
		if !c.Nullable {
			return c.Type.Zero(), nil
		}
		return nil, nil
	case time.Time:
		if v.IsZero() && c.Nullable {
			return nil, nil
		}
		if s, ok := ctx.Session.(*sqllayer.Session); ok && !v.IsZero() {
			return time.UnixMicro(store.LocalMicros(s.Zone(), v.UnixMicro())).UTC(), nil
		}
		return v, nil
	case string:
		if t, ok := c.Type.(sql.StringType); ok && t.CharacterSet() != sql.CharacterSet_binary {
			if n := int(t.MaxCharacterLength()); len(v) > n {
				if r := []rune(v); len(r) > n {
					v = string(r[:n])
				}
			}
			return v, nil
		}
	}
	out, _, err := c.Type.Convert(ctx, v)
	if err != nil {
		return nil, fmt.Errorf("%s.%s: %w", c.Source, c.Name, err)
	}
	return out, nil
}
